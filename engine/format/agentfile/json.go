package agentfile

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// ourServer is the name of our server in every agent's config.
const ourServer = "chant"

// MergeJSON adds our server to a config in JSON, with or without comments and
// trailing commas. A server of our name stays as it is.
func MergeJSON(name string, have, ours []byte) ([]byte, error) {
	if len(bytes.TrimSpace(have)) == 0 {
		return ours, nil
	}
	list, server, err := ourMember(ours)
	if err != nil {
		return nil, err
	}
	body := bytes.TrimPrefix(have, []byte(byteOrderMark))
	bom := have[:len(have)-len(body)]
	root, top, err := parseObject(name, body)
	if err != nil {
		return nil, err
	}
	style := jsonStyleOf(body, top)
	servers := findMember(top, list)
	if servers == nil {
		text := fmt.Sprintf("%q: {\n  %s\n}", list, strings.ReplaceAll(server, "\n", "\n  "))
		return append(bom[:len(bom):len(bom)], addMember(body, root, text, style)...), nil
	}
	o, ok := servers.Value.(*hujson.Object)
	if !ok {
		return nil, invalidFile(name, lineOf(body, servers.StartOffset), fmt.Sprintf("%q is not an object", list))
	}
	// A server of our name stays as it is: a person may have changed it.
	if findMember(o, ourServer) != nil {
		return have, nil
	}
	return append(bom[:len(bom):len(bom)], addMember(body, *servers, server, style)...), nil
}

// PlainJSON reports whether a config has neither comments nor trailing commas.
func PlainJSON(name string, src []byte) bool {
	root, _, err := parseObject(name, bytes.TrimPrefix(src, []byte(byteOrderMark)))
	return err == nil && root.IsStandard()
}

// ourMember returns parts of a template: the name of the object of servers, and the text of our server in it, indented
// from column 0.
func ourMember(ours []byte) (list, server string, err error) {
	_, top, err := parseObject("agentfiles", ours)
	if err != nil {
		return "", "", err
	}
	for _, m := range top.Members {
		o, ok := m.Value.Value.(*hujson.Object)
		if !ok || len(o.Members) != 1 {
			continue
		}
		text := string(ours[o.Members[0].Name.StartOffset:o.Members[0].Value.EndOffset])
		return literal(m.Name), strings.ReplaceAll(text, "\n    ", "\n"), nil
	}
	return "", "", fmt.Errorf("no list of servers in %q", ours)
}

// maxJSONDepth limits the nesting of a config.
const maxJSONDepth = 1000

// tooDeep is the offset where brackets are nested too deep, or -1. It also counts brackets
// in strings and comments: no config has that many.
func tooDeep(body []byte) int {
	depth := 0
	for at, c := range body {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth = max(depth-1, 0)
		}
		if depth > maxJSONDepth {
			return at
		}
	}
	return -1
}

// parseObject parses a config that must be an object. Error: *FileError.
func parseObject(name string, body []byte) (hujson.Value, *hujson.Object, error) {
	// The parser has no limit of its own, and an overflow of the stack cannot be caught.
	if at := tooDeep(body); at >= 0 {
		return hujson.Value{}, nil, invalidFile(name, lineOf(body, at), "brackets are nested too deep")
	}
	// The parser requires a line end after a comment, which the last line may lack.
	root, err := hujson.Parse(append(body[:len(body):len(body)], '\n'))
	if err != nil {
		line, column := 1, 1
		what := err.Error()
		if _, scanErr := fmt.Sscanf(what, "hujson: line %d, column %d:", &line, &column); scanErr == nil {
			_, what, _ = strings.Cut(what, fmt.Sprintf("column %d: ", column))
		}
		return root, nil, invalidFile(name, min(line, lineOf(body, len(body))), what)
	}
	top, ok := root.Value.(*hujson.Object)
	if !ok {
		return root, nil, invalidFile(name, lineOf(body, root.StartOffset), "the document is not an object")
	}
	return root, top, nil
}

// findMember returns the value of a name; of several the last, as readers of JSON do.
func findMember(o *hujson.Object, name string) *hujson.Value {
	// Of several members with one name, readers take the last.
	for i := len(o.Members) - 1; i >= 0; i-- {
		if literal(o.Members[i].Name) == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

func literal(v hujson.Value) string {
	l, _ := v.Value.(hujson.Literal)
	return l.String()
}
