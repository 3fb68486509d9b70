package climpt

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Registry is a list of commands, as climpt keeps it in registry.json.
type Registry struct {
	Version     string
	Description string
	Commands    []Command // in the order of the file; of a file that was read, with name and description only
	Faults      []Fault   // of entries that are left out

	mark   string // the byte order mark of the file it was read from
	source string // that file without it
}

// Fault is what is wrong at a line of a file, from 1.
type Fault struct {
	Path string
	Line int
	Msg  string
}

// Error is the fault with its place.
func (f *Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Msg) }

// file is a registry as JSON has it.
type file struct {
	Version     string `json:"version"`
	Description string `json:"description"`
	Tools       tools  `json:"tools"`
}

type tools struct {
	Commands []json.RawMessage `json:"commands"`
}

// ParseRegistry reads a registry; of its commands only names and descriptions, the rest is read by Load. The path is
// for messages. Error: *Fault.
func ParseRegistry(path, src string) (*Registry, error) {
	const mark = "\ufeff"
	r := &Registry{}
	if rest, marked := strings.CutPrefix(src, mark); marked {
		src, r.mark = rest, mark
	}
	var f file
	if err := json.Unmarshal([]byte(src), &f); err != nil {
		return nil, faultOf(path, src, err)
	}
	if f.Tools.Commands == nil {
		return nil, &Fault{path, 1, `has no list "tools.commands"`}
	}
	r.source, r.Version, r.Description = src, f.Version, f.Description
	// The decoder does not say where an entry was, but each is a part of the file, behind the one before it.
	at := max(0, strings.Index(src, `"commands"`))
	// The line at that offset.
	end := 1 + strings.Count(src[:at], "\n")
	for _, raw := range f.Tools.Commands {
		line := end
		// A string could contain the same text, but not before the entry itself.
		if before, _, found := strings.Cut(src[at:], string(raw)); found {
			line += strings.Count(before, "\n")
			end = line + strings.Count(string(raw), "\n")
			at += len(before) + len(raw)
		}
		var brief struct {
			Name
			Description string `json:"description"`
		}
		err := decode(string(raw), &brief)
		if err == nil {
			err = brief.Check()
		}
		// An entry that cannot be used must not cost the others.
		if err != nil {
			r.Faults = append(r.Faults, Fault{path, line, err.Error()})
			continue
		}
		r.Commands = append(r.Commands, Command{Name: brief.Name, Description: brief.Description, raw: string(raw), line: line})
	}
	return r, nil
}

// decode decodes an entry and says what is wrong in its own words.
func decode(raw string, to any) error {
	err := json.Unmarshal([]byte(raw), to)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s must be %s, not %s", orWhole(kind.Field), kindOf(kind), withArticle(kind.Value))
	}
	return err
}

// Load returns the command with everything that its registry, whose path is for messages, says of it; commands of other
// sources are complete. Error: *Fault.
func (c Command) Load(path string) (Command, error) {
	if c.raw == "" {
		return c, nil
	}
	full := Command{}
	if err := decode(c.raw, &full); err != nil {
		return c, &Fault{path, c.line, fmt.Sprintf("%s: %s", c.Name, err)}
	}
	full.placeVariables()
	for _, v := range full.Variables {
		if err := CheckVariable(v.Name); err != nil {
			return c, &Fault{path, c.line, fmt.Sprintf("%s: %s", c.Name, err)}
		}
	}
	return full, nil
}

// CheckVariable refuses what cannot be the name of a variable.
func CheckVariable(name string) error {
	if err := CheckWord("variable", name); err != nil {
		return err
	}
	if slices.Contains([]string{"help", "version", "config"}, name) {
		return fmt.Errorf("variable %q is reserved", name)
	}
	return nil
}

// faultOf locates an error of the JSON decoder.
func faultOf(path, src string, err error) *Fault {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &Fault{path, lineAt(src, syntax.Offset), "invalid JSON: " + syntax.Error()}
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &Fault{path, lineAt(src, kind.Offset), fmt.Sprintf("%s must be %s, not %s", orWhole(kind.Field), kindOf(kind), withArticle(kind.Value))}
	}
	return &Fault{path, 1, err.Error()}
}

func lineAt(src string, offset int64) int {
	return 1 + strings.Count(src[:min(offset, int64(len(src)))], "\n")
}

// orWhole returns the name of a field for messages; the words of a name are fields of the command.
func orWhole(field string) string {
	field = strings.TrimPrefix(field, "Name.")
	if field == "" {
		return "it"
	}
	return `"` + field + `"`
}

// kindOf returns the JSON name of a Go type.
func kindOf(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	case "slice":
		return "a list"
	}
	return "an object"
}

func withArticle(kind string) string {
	switch {
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "array"):
		return "a list"
	case strings.HasPrefix(kind, "object"):
		return "an object"
	}
	return "a " + kind
}

// Domains are the first words of the commands, each once, in order.
func (r *Registry) Domains() []string {
	var out []string
	for _, c := range r.Commands {
		out = append(out, c.C1)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func listed(words []string) string { return strings.Join(words, ", ") }
