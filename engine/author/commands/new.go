package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt/library"
	"chant/engine/spec/next"
	"chant/markdown"
)

// NewInput describes a new command.
type NewInput struct {
	Agent       string   `json:"agent,omitempty" jsonschema:"Agent name (default climpt)"`
	C1          string   `json:"c1" jsonschema:"Domain identifier"`
	C2          string   `json:"c2" jsonschema:"Action identifier"`
	C3          string   `json:"c3" jsonschema:"Target identifier"`
	Description string   `json:"description" jsonschema:"What the command does, in words that a question about it would have"`
	Title       string   `json:"title,omitempty" jsonschema:"Title (default: the description)"`
	Edition     string   `json:"edition,omitempty" jsonschema:"Edition (default: default)"`
	Adaptation  string   `json:"adaptation,omitempty" jsonschema:"Adaptation of the edition"`
	Variables   []string `json:"uv,omitempty" jsonschema:"Variables, NAME or NAME=DESCRIPTION"`
	Text        string   `json:"text,omitempty" jsonschema:"The prompt (default: an outline)"`
}

// NewResult names the new command.
type NewResult struct {
	climpt.Name
	Path     string `json:"path"`
	Registry string `json:"registry,omitempty"` // to which it was added; "" if there is none
}

// New writes the prompt of a new command, and adds it to the registry where there is one. Errors: Usage for words,
// a description or variables that are missing or cannot be used; Conflict for a prompt that exists; Invalid for a name
// that user.yml does not allow, and with *library.RegistryError.
func New(ctx context.Context, p *engine.Project, in NewInput) (NewResult, error) {
	if err := engine.MayInside(p, "command", ""); err != nil {
		return NewResult{}, err
	}
	err := in.readText()
	var c climpt.Command
	if err == nil {
		c, err = in.command()
	}
	if err != nil {
		return NewResult{}, engine.Fail(engine.Usage, next.Guide.On("commands"), "%s", err)
	}
	src, err := c.Prompt(in.body(c))
	if err != nil {
		return NewResult{}, engine.Fail(engine.Usage, next.Guide.On("commands"), "%s", err)
	}
	var r NewResult
	// Two processes could overwrite each other's records.
	err = withLock(ctx, p, "command new", func() error {
		var err error
		r, err = in.write(ctx, p, c, src)
		return err
	})
	return r, err
}

// write writes the prompt, and then the registry; it removes the prompt if that fails.
func (in NewInput) write(ctx context.Context, p *engine.Project, c climpt.Command, src []byte) (NewResult, error) {
	registry, err := library.OpenRegistry(p, in.Agent)
	if err != nil {
		return NewResult{}, toEngineError(err)
	}
	// Before the prompt is written, which would hide the other one.
	if err := checkFree(ctx, p, registry.Agent, c.Name); err != nil {
		return NewResult{}, err
	}
	r := NewResult{Name: c.Name}
	if r.Path, err = library.WritePrompt(p, registry.Agent, c.Name, climpt.FileName(in.Edition, in.Adaptation), src); err != nil {
		return NewResult{}, toEngineError(err)
	}
	// Without a registry, the prompt describes the command.
	if !registry.Exists() {
		return r, nil
	}
	if err := register(p, registry, c.Name); err != nil {
		// A prompt that is not in the registry would not be found.
		return NewResult{}, engine.Wrap(errors.Join(err, library.RemovePrompt(p, r.Path)), "")
	}
	r.Registry = registry.Path
	return r, nil
}

// checkFree refuses the name of a prompt of chant, which a prompt of the agent would hide from some commands and not
// from others.
func checkFree(ctx context.Context, p *engine.Project, agent string, name climpt.Name) error {
	l, err := library.Open(ctx, p, agent)
	if _, none := errors.AsType[*library.RegistryError](err); none {
		// There are no commands yet.
		return nil
	}
	if err != nil {
		return err
	}
	records, err := l.Find(name)
	if err != nil || len(records) == 0 || records[0].Source != library.FromChant && records[0].Source != library.FromTemplate {
		return err
	}
	return engine.Fail(engine.Conflict, next.Guide.On("prompts"), "command %q is a prompt of chant, which .chant/prompts or .chant/templates can replace", name)
}

// readText takes description and title from the front matter of the text, where they are not given, and leaves the rest
// of it out.
func (in *NewInput) readText() error {
	doc, err := markdown.Parse("text", []byte(in.Text))
	if err != nil || !doc.HasFrontMatter() {
		return err
	}
	var m struct{ Title, Description string }
	if err := doc.Decode(&m); err != nil {
		return err
	}
	// What is given counts before the text.
	in.Title, in.Description = cmp.Or(in.Title, m.Title), cmp.Or(in.Description, m.Description)
	in.Text = string(doc.Body())
	return nil
}

// register adds the command to the registry, as its prompts describe it.
func register(p *engine.Project, registry *library.RegistryFile, name climpt.Name) error {
	entry, err := library.Describe(p, registry.Agent, name)
	if err != nil {
		return toEngineError(err)
	}
	if err := registry.Put(entry); err != nil {
		return engine.Wrap(err, "")
	}
	src, err := registry.Format()
	if err != nil {
		return engine.Wrap(err, "")
	}
	return engine.Wrap(registry.Write(p, src), "")
}

// command is the new command.
func (in NewInput) command() (climpt.Command, error) {
	c := climpt.Command{Name: climpt.Name{C1: in.C1, C2: in.C2, C3: in.C3}, Title: in.Title, Description: strings.TrimSpace(in.Description)}
	if err := c.Check(); err != nil {
		return c, err
	}
	for key, word := range map[string]string{"edition": in.Edition, "adaptation": in.Adaptation} {
		if err := climpt.CheckVariant(key, word, nil); err != nil {
			return c, err
		}
	}
	// It would be read as an edition and an adaptation.
	if strings.Contains(in.Edition, "_") {
		return c, fmt.Errorf("invalid edition %q (in the name of a prompt file, what follows _ is the adaptation)", in.Edition)
	}
	for _, each := range in.Variables {
		name, about, _ := strings.Cut(each, "=")
		if err := climpt.CheckVariable(name); err != nil {
			return c, err
		}
		c.Variables = append(c.Variables, climpt.Variable{Name: name, Description: about})
	}
	c.Options = &climpt.Options{}
	return c, c.CheckDescription()
}

// body is the text of the new prompt.
func (in NewInput) body(c climpt.Command) string {
	if strings.TrimSpace(in.Text) != "" {
		return in.Text
	}
	title := c.Title
	if title == "" {
		title = c.Description
	}
	var b strings.Builder
	b.WriteString("# " + title + "\n\n")
	// Without a title the description is the heading already.
	if c.Description != title {
		b.WriteString(c.Description + "\n\n")
	}
	for _, v := range c.Variables {
		b.WriteString("- " + v.Name + ": {uv-" + v.Name + "}\n")
	}
	if len(c.Variables) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("## Input\n\n{input_text}\n")
	return b.String()
}
