package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/format/climpt"
	"chant/engine/prompt"
	"chant/engine/prompt/library"
	"chant/engine/spec/next"
)

// ExecuteInput names a command and gives it its options.
type ExecuteInput struct {
	Agent   string          `json:"agent" jsonschema:"Agent name, such as climpt"`
	C1      string          `json:"c1" jsonschema:"Domain identifier, such as git or meta"`
	C2      string          `json:"c2" jsonschema:"Action identifier"`
	C3      string          `json:"c3" jsonschema:"Target identifier"`
	Options json.RawMessage `json:"options,omitempty" jsonschema:"edition, adaptation, file, stdin, destination, spec, and variables as uv-NAME"`

	Files library.Files `json:"-"` // which files may be read
}

// AnyFile lets a call read every file that its user names, relative to a folder.
func AnyFile(folder string) library.Files { return library.Files{Folder: folder, Anywhere: true} }

// ReadInput reads the text for a prompt; the name is for messages. Errors: Usage for a text that is too large, or that
// is not UTF-8.
func ReadInput(in io.Reader, name string) (string, error) {
	text, err := library.ReadInput(in, name)
	if err != nil {
		return "", engine.Fail(engine.Usage, next.Guide.On("commands"), "%s", err)
	}
	return text, nil
}

// ExecuteResult is the prompt of a command.
type ExecuteResult struct {
	Agent string `json:"agent"`
	climpt.Name
	Text       string   `json:"text"`
	File       string   `json:"file"`                 // the prompt that was chosen
	Edition    string   `json:"edition"`              // of that file
	Adaptation string   `json:"adaptation"`           // of that file, "" for none
	Unused     []string `json:"unused,omitempty"`     // options that the prompt has no place for
	Unfilled   []string `json:"unfilled,omitempty"`   // variables that are still in the text, such as {uv-target}
	NeedsSpec  bool     `json:"needs_spec,omitempty"` // the text has variables of a spec, and no spec was given
}

// Execute renders the prompt of a command. It does nothing of what the prompt asks for. Errors: Usage for words that
// are missing; NotFound with *library.NotFoundError; NotFound and Invalid with *library.RegistryError; Invalid with
// *library.ExecutionError.
func Execute(ctx context.Context, p *engine.Project, in ExecuteInput) (ExecuteResult, error) {
	name := climpt.Name{C1: in.C1, C2: in.C2, C3: in.C3}
	if name.C1 == "" || name.C2 == "" || name.C3 == "" {
		return ExecuteResult{}, engine.Fail(engine.Usage, next.CommandList.On(), "a command has three words: c1, c2 and c3")
	}
	l, err := library.Open(ctx, p, in.Agent)
	if err != nil {
		return ExecuteResult{}, err
	}
	given, err := climpt.ParseOptions(in.Options)
	if err != nil {
		return ExecuteResult{}, toEngineError(l.Refuse(name, err))
	}
	text, err := l.Text(p, name, given)
	if err != nil {
		return ExecuteResult{}, toEngineError(err)
	}
	// An agent would begin without any instructions.
	if text.Template == nil && strings.TrimSpace(text.Body) == "" {
		return ExecuteResult{}, toEngineError(l.Refuse(name, fmt.Errorf("%s is empty: an agent would get no instructions", text.File)))
	}
	c := call{in: in, given: given, text: text}
	r, err := c.render(ctx, p)
	if err != nil {
		return ExecuteResult{}, toEngineError(l.Refuse(name, err))
	}
	r.Agent, r.Name = l.Agent, name
	return r, ctx.Err()
}

// call is a prompt with the options that it is given.
type call struct {
	in    ExecuteInput
	given climpt.Given
	text  library.Text
}

// render fills in the prompt.
func (c *call) render(ctx context.Context, p *engine.Project) (ExecuteResult, error) {
	r := ExecuteResult{File: c.text.File, Edition: c.text.Edition, Adaptation: c.text.Adaptation}
	// A template has variables of its own, and no values of a spec.
	if c.text.Template != nil {
		err := c.fillTemplate(&r)
		return r, err
	}
	values, err := c.text.Values(p, c.given, c.in.Files)
	if err != nil {
		return r, err
	}
	used := prompt.Names(c.text.Body)
	r.Unused = c.unusedOptions(used)
	// With a spec, the variables have its values.
	if c.given.Spec != "" {
		r.Text, err = author.FillIn(ctx, p, c.given.Spec, c.text.Body, values)
		return r, err
	}
	library.AddUsual(values)
	r.NeedsSpec = c.text.UsesSpec()
	for _, name := range used {
		// Other braces are part of the text.
		if _, known := values[name]; !known && (name == library.InputText || strings.HasPrefix(name, "uv-")) {
			r.Unfilled = append(r.Unfilled, "{"+name+"}")
		}
	}
	r.Text = prompt.Fill(c.text.Body, values)
	return r, nil
}

// fillTemplate fills in a template of specs, whose variables are written {{NAME}}.
func (c *call) fillTemplate(r *ExecuteResult) error {
	t := c.text.Template
	if unknown := t.Unknown(c.given.Variables); len(unknown) > 0 {
		return library.UnknownVariable(unknown[0], t.Names())
	}
	filled := t.Fill(c.given.Variables)
	src, err := filled.Document()
	if err != nil {
		return err
	}
	r.Text, r.Unused = string(src), c.unusedOptions(nil)
	for _, name := range filled.Left {
		r.Unfilled = append(r.Unfilled, "{{"+name+"}}")
	}
	return nil
}

// unusedOptions lists the options that the prompt has no place for.
func (c *call) unusedOptions(used []string) []string {
	var out []string
	for _, o := range []struct {
		name   string
		given  bool
		places []string
	}{
		{"stdin", c.given.Stdin != nil, []string{library.InputText}},
		{"file", c.given.File != "", []string{library.InputText, library.InputFile}},
		{"destination", c.given.Destination != "", []string{library.Destination}},
		// A template is not about a spec.
		{"spec", c.given.Spec != "" && c.text.Template != nil, nil},
	} {
		if o.given && !slices.ContainsFunc(o.places, func(place string) bool { return slices.Contains(used, place) }) {
			out = append(out, o.name)
		}
	}
	return out
}
