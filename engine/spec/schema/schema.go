package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
)

// schemaLimit is the maximum length of a schema, in bytes.
const schemaLimit = 1 << 20

// problemLimit is how many problems of one value are reported.
const problemLimit = 20

// origin is the address of the schema itself; nothing is there.
const origin = "chant:///"

// Schema is a compiled JSON Schema. Goroutines may share it.
type Schema struct{ root *node }

// Error says why a text is not a schema.
type Error struct {
	Name string // as given to Compile
	Msg  string
}

// Error names the schema.
func (e *Error) Error() string { return fmt.Sprintf("schema %q %s", e.Name, e.Msg) }

// RefersError says that a schema is not self-contained.
type RefersError struct {
	Name  string // as given to Compile
	To    string // the address
	Where string // "the network", "a file" or "another document"
}

// Error names the schema and what it refers to.
func (e *RefersError) Error() string {
	return fmt.Sprintf("schema %q refers to %s (%s); a schema must be self-contained", e.Name, e.Where, e.To)
}

// Compile reads a schema of any draft. The name is for messages. Errors: *Error,
// *RefersError.
func Compile(name string, src []byte) (*Schema, error) {
	if len(src) > schemaLimit {
		return nil, &Error{name, fmt.Sprintf("is longer than %d bytes", schemaLimit)}
	}
	value, err := decode(bytes.TrimPrefix(src, []byte("\ufeff")))
	if err != nil {
		return nil, &Error{name, "is not valid JSON: " + err.Error()}
	}
	draft := draft2020
	switch value := value.(type) {
	case map[string]any:
		if to, ok := value["$schema"].(string); ok {
			if draft, ok = draftOf(to); !ok {
				return nil, &RefersError{Name: name, To: to, Where: whereOf(to)}
			}
		}
	case bool:
	default:
		return nil, &Error{name, "is not a schema: it must be an object"}
	}
	if found := checkShape(value, draft); len(found) > 0 {
		return nil, &Error{name, "is not a schema: " + Spell(found)}
	}
	root, err := compileAll(name, &url.URL{Scheme: "chant", Path: "/"}, value, draft)
	if _, refers := errors.AsType[*RefersError](err); refers {
		return nil, err
	}
	if err != nil {
		return nil, &Error{name, "is not a schema: " + strings.ReplaceAll(err.Error(), origin, "")}
	}
	return &Schema{root}, nil
}

// decode reads a text that is one JSON value. Numbers keep their digits.
func decode(src []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("invalid character after top-level value")
	}
	return value, nil
}

func whereOf(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme == "chant":
		return "another document"
	case u.Scheme == "file":
		return "a file"
	}
	return "the network"
}

// Problem is one place in which a value violates a schema.
type Problem struct {
	Path string `json:"path"` // JSON pointer into the value, "" for the whole value
	What string `json:"what"`
}

// String names the place.
func (p Problem) String() string {
	if p.Path == "" {
		return p.What
	}
	return p.Path + ": " + p.What
}

// Spell joins problems in one line.
func Spell(found []Problem) string {
	texts := make([]string, len(found))
	for i, p := range found {
		texts[i] = p.String()
	}
	return strings.Join(texts, "; ")
}

// Check lists where a JSON text violates the schema, in the order of the paths, at most 20 places; none if the text
// conforms to it.
func (s *Schema) Check(src []byte) []Problem {
	value, err := decode(src)
	if err != nil {
		return []Problem{{What: "is not valid JSON: " + err.Error()}}
	}
	return sortProblems(newEvaluation().check(s.root, value, nil).problems)
}

// sortProblems orders problems by their paths and limits their number.
func sortProblems(out []Problem) []Problem {
	slices.SortStableFunc(out, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	out = slices.Compact(out)
	if more := len(out) - problemLimit; more > 0 {
		out = append(out[:problemLimit], Problem{What: fmt.Sprintf("and %d more", more)})
	}
	return out
}
