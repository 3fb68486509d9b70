package syntax

import (
	"strings"
)

// importPaths returns the paths that an import names.
func (w *nodes) importPaths(i int, r rule) []string {
	if r.field != "" {
		c := w.child(i, r.field)
		if c < 0 {
			return nil
		}
		path := oneLine(w.text(c))
		if w.lang == Rust {
			return expand(path)
		}
		path = strings.Trim(path, "\"'<>`")
		// A path of dots only is that of "from . import a", whose names are the modules.
		if w.lang == Python && strings.Trim(path, ".") == "" {
			return w.importedFrom(i, c, path)
		}
		return []string{path}
	}
	if w.tree.Kind(i) == "namespace_use_declaration" {
		_, text, _ := strings.Cut(oneLine(strings.TrimSuffix(w.text(i), ";")), " ")
		return expand(strings.TrimPrefix(strings.TrimPrefix(text, "function "), "const "))
	}
	var paths []string
	for c := i + 1; c < w.next(i); c = w.next(c) {
		if !w.tree.Nodes[c].Named {
			continue
		}
		text := oneLine(w.text(c))
		switch w.tree.Kind(c) {
		case "aliased_import":
			text, _, _ = strings.Cut(text, " as ")
		case "identifier":
			// This is the alias, and the imported name follows.
			if w.lang == CSharp && w.field(c) == "name" {
				continue
			}
		case "import_alias", "comment", "line_comment", "multiline_comment", "block_comment", "modifiers", "namespace_aliasing_clause", "name_equals":
			continue
		case "asterisk", "wildcard_import":
			if len(paths) > 0 {
				paths[len(paths)-1] += ".*"
			}
			continue
		case "namespace_use_clause":
			text, _, _ = strings.Cut(text, " as ")
		}
		if w.lang == CSharp {
			text = withoutArguments(text)
		}
		// A path may be put together, as in __DIR__ . '/boot.php'.
		if at := strings.IndexAny(text, "\"'"); at > 0 && w.lang == PHP {
			text = strings.TrimPrefix(text[at+1:], "/")
		}
		paths = append(paths, strings.Trim(text, "\"'()"))
	}
	return paths
}

// importedFrom returns the names that "from . import a, b" imports, each as a path.
func (w *nodes) importedFrom(i, module int, path string) []string {
	var paths []string
	for c := w.next(module); c < w.next(i); c = w.next(c) {
		if w.field(c) == "name" {
			text, _, _ := strings.Cut(oneLine(w.text(c)), " as ")
			paths = append(paths, path+text)
		}
	}
	if len(paths) == 0 {
		return []string{path}
	}
	return paths
}

// maxNested limits the depth to which the braces of an import are followed.
const maxNested = 20

// expand returns the paths that "a::{b, c::{d, e}}" abbreviates.
func expand(path string) []string {
	var all []string
	var add func(before, list string, depth int)
	add = func(before, list string, depth int) {
		for _, part := range splitList(list) {
			part = strings.TrimSpace(part)
			// The depth and the number of paths are bounded, since braces in braces multiply.
			if at := strings.IndexByte(part, '{'); at >= 0 && strings.HasSuffix(part, "}") && depth < maxNested {
				add(before+part[:at], part[at+1:len(part)-1], depth+1)
				continue
			}
			part, _, _ = strings.Cut(part, " as ")
			if part == "self" {
				part = ""
			}
			if part = strings.TrimRight(before+part, ":"); part != "" && len(all) < maxEdges {
				all = append(all, part)
			}
		}
	}
	add("", path, 0)
	return all
}

// splitList divides a list at its commas, except within braces.
func splitList(list string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, list[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, list[start:])
}
