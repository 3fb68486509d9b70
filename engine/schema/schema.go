package schema

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaLimit is the maximum length of a schema, in bytes.
const schemaLimit = 1 << 20

// problemLimit is how many problems of one value are reported.
const problemLimit = 20

// origin is the address of the schema itself; nothing is there.
const origin = "chant:///"

// Schema is a compiled JSON Schema. Goroutines may share it.
type Schema struct{ compiled *jsonschema.Schema }

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
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(bytes.TrimPrefix(src, []byte("\ufeff"))))
	if err != nil {
		return nil, &Error{name, "is not valid JSON: " + err.Error()}
	}
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, &Error{name, "is not a schema: it must be an object"}
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuser{})
	c.AssertFormat()
	if err := c.AddResource(origin, doc); err != nil {
		return nil, &Error{name, "is not a schema: " + err.Error()}
	}
	compiled, err := c.Compile(origin)
	if err != nil {
		return nil, convertError(name, err)
	}
	return &Schema{compiled}, nil
}

// refuser refuses to load anything.
type refuser struct{}

// errOutside is the error of every load.
var errOutside = errors.New("outside of the schema")

// Load implements jsonschema.URLLoader.
func (refuser) Load(string) (any, error) { return nil, errOutside }

// convertError converts an error of the library about a schema.
func convertError(name string, err error) error {
	if load, ok := errors.AsType[*jsonschema.LoadURLError](err); ok {
		return &RefersError{Name: name, To: strings.TrimPrefix(load.URL, origin), Where: whereOf(load.URL)}
	}
	if bad, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		if invalid, ok := errors.AsType[*jsonschema.ValidationError](bad.Err); ok {
			return &Error{name, "is not a schema: " + Spell(problems(invalid))}
		}
	}
	return &Error{name, "is not a schema: " + strings.ReplaceAll(err.Error(), origin, "")}
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
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		return []Problem{{What: "is not valid JSON: " + err.Error()}}
	}
	err = s.compiled.Validate(value)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return problems(invalid)
	}
	if err != nil {
		return []Problem{{What: err.Error()}}
	}
	return nil
}

// problems lists the places in which a value violates a schema, without those that only
// contain others.
func problems(e *jsonschema.ValidationError) []Problem {
	out := leaves(e)
	slices.SortStableFunc(out, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	out = slices.Compact(out)
	if more := len(out) - problemLimit; more > 0 {
		out = append(out[:problemLimit], Problem{What: fmt.Sprintf("and %d more", more)})
	}
	return out
}

func leaves(e *jsonschema.ValidationError) []Problem {
	if len(e.Causes) == 0 {
		return []Problem{{Path: pointer(e.InstanceLocation), What: e.BasicOutput().Error.String()}}
	}
	var out []Problem
	for _, cause := range e.Causes {
		out = append(out, leaves(cause)...)
	}
	return out
}

// pointer writes a place as a JSON pointer (RFC 6901).
func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String()
}
