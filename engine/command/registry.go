package command

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
	lines := linesOfCommands(src, len(f.Tools.Commands))
	for i, raw := range f.Tools.Commands {
		var brief struct {
			Name
			Description string `json:"description"`
		}
		err := decode(string(raw), &brief)
		if err == nil {
			err = brief.Check()
		}
		if err != nil {
			r.Faults = append(r.Faults, Fault{path, lines[i], err.Error()})
			continue
		}
		r.Commands = append(r.Commands, Command{Name: brief.Name, Description: brief.Description, raw: string(raw), line: lines[i]})
	}
	return r, nil
}

// decode decodes an entry and says what is wrong in its own words.
func decode(raw string, to any) error {
	err := json.Unmarshal([]byte(raw), to)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s must be %s, not %s", orWhole(kind.Field), kindOf(kind), article(kind.Value))
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
	full.settle()
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
		return &Fault{path, lineAt(src, kind.Offset), fmt.Sprintf("%s must be %s, not %s", orWhole(kind.Field), kindOf(kind), article(kind.Value))}
	}
	return &Fault{path, 1, err.Error()}
}

func lineAt(src string, offset int64) int {
	return 1 + strings.Count(src[:min(offset, int64(len(src)))], "\n")
}

// orWhole is how messages name a field; the words of a name are fields of the command.
func orWhole(field string) string {
	field = strings.TrimPrefix(field, "Name.")
	if field == "" {
		return "it"
	}
	return `"` + field + `"`
}

// kindOf names what JSON has for a Go type.
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

func article(kind string) string {
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

// linesOfCommands returns the lines on which the first n entries begin; 1 for an entry that is not found because a key
// is repeated.
func linesOfCommands(src string, n int) []int {
	lines := slices.Repeat([]int{1}, n)
	i := 0
	eachCommand(src, func(line int, _ json.RawMessage) bool {
		lines[i] = line
		i++
		return i < n
	})
	return lines
}

// eachCommand calls do with each entry and the line on which it begins, until do returns false.
func eachCommand(src string, do func(line int, entry json.RawMessage) bool) {
	dec := json.NewDecoder(strings.NewReader(src))
	if !enter(dec, "tools") || !enter(dec, "commands") {
		return
	}
	line, counted := 1, int64(0)
	for dec.More() {
		at := dec.InputOffset()
		for at < int64(len(src)) && strings.IndexByte(" \t\r\n,[", src[at]) >= 0 {
			at++
		}
		line += strings.Count(src[counted:at], "\n")
		counted = at
		var entry json.RawMessage
		if dec.Decode(&entry) != nil || !do(line, entry) {
			return
		}
	}
}

// enter moves a decoder into the object or list that an object has under a key.
func enter(dec *json.Decoder, key string) bool {
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return false
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return false
		}
		if text, ok := name.(string); ok && strings.EqualFold(text, key) { // as the decoder reads it
			if key == "commands" {
				_, err := dec.Token()
				return err == nil
			}
			return true
		}
		var skipped json.RawMessage
		if dec.Decode(&skipped) != nil {
			return false
		}
	}
	return false
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
