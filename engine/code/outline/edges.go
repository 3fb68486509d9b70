package outline

import (
	"strings"

	"chant/engine/code/chunk"
)

// maxEdges limits the edges of a chunk that are kept.
const maxEdges = 200

// edges returns what some lines import and call. The line at, if any, declares the chunk: its own name is no call.
func (s *scanner) edges(from, to, at int) []chunk.Edge {
	if s.plain {
		return nil
	}
	var all []chunk.Edge
	seen := map[[2]string]bool{}
	add := func(kind chunk.EdgeKind, name, of string, i int) {
		if key := [2]string{name, of}; !seen[key] && len(all) < maxEdges {
			seen[key] = true
			all = append(all, chunk.Edge{Kind: kind, Name: name, Of: of, Line: i + 1})
		}
	}
	for i := from; i < to; i++ {
		text := s.lines[i].text
		// Very long lines are data.
		if len(text) > 2000 || isComment(text) || strings.HasPrefix(text, "@") {
			continue
		}
		if path := importOf(text); path != "" {
			add(chunk.Imports, path, "", i)
			continue
		}
		// The name before the bracket of a declaration is no call, so only what follows the brace is read.
		if i == at {
			if b := strings.IndexAny(text, "{"); b >= 0 {
				text = text[b:]
			} else {
				continue
			}
		}
		findCalls(text, func(name, of string) { add(chunk.Calls, name, of, i) })
	}
	return all
}

// importOf returns what a line imports, or "".
func importOf(text string) string {
	for _, word := range []string{"import ", "#include ", "include ", "use ", "using ", "require ", "open ", "alias ", "@import "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			rest = strings.TrimSpace(strings.TrimRight(rest, "; "))
			rest, _, _ = strings.Cut(rest, " as ")
			rest = strings.Trim(rest, "\"'<>()")
			if nameLength(strings.NewReplacer("/", "", "\\", "", "*", "").Replace(rest)) == len(strings.NewReplacer("/", "", "\\", "", "*", "").Replace(rest)) {
				return rest
			}
			return ""
		}
	}
	return ""
}

// findCalls finds names before an opening parenthesis.
func findCalls(text string, found func(name, of string)) {
	for i := range len(text) {
		if text[i] != '(' || i == 0 {
			continue
		}
		start := i
		for start > 0 && nameByte(text[start-1]) {
			start--
		}
		name := strings.Trim(text[start:i], ".:")
		if name == "" || name[0] >= '0' && name[0] <= '9' {
			continue
		}
		of := ""
		if dot := strings.LastIndexAny(name, ".:"); dot > 0 && dot+1 < len(name) {
			of, name = strings.TrimRight(name[:dot], ".:"), name[dot+1:]
			if d := strings.LastIndexAny(of, ".:"); d >= 0 {
				of = of[d+1:]
			}
		}
		switch name {
		case "if", "for", "while", "switch", "return", "function", "fn", "func", "catch", "and", "or", "not", "elseif", "elif", "match", "sizeof":
		default:
			found(name, of)
		}
	}
}

func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '.' || b == ':' || b >= 0x80
}
