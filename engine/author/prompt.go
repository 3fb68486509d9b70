package author

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/prompt"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

// PromptsInput has no fields.
type PromptsInput struct{}

// PromptsResult lists prompts by name.
type PromptsResult struct {
	Prompts []PromptInfo `json:"prompts"`
	engine.Page
}

// PromptInfo is one prompt. A project's own prompt replaces a shipped one of the
// same name.
type PromptInfo struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose,omitempty"`
	Extends string `json:"extends,omitempty"`
	Shipped bool   `json:"shipped"`
	Invalid string `json:"invalid,omitempty"` // why it cannot be used, with path and line if known
}

// Prompts lists the prompts with which a spec can be worked.
func Prompts(ctx context.Context, project *engine.Project, _ PromptsInput) (PromptsResult, error) {
	r := PromptsResult{Prompts: []PromptInfo{}}
	own, err := prompt.List(project)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	names := append(slices.Clone(own), prompt.ShippedNames()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		p, err := prompt.Find(project, name, false)
		info := PromptInfo{Name: name, Purpose: p.Description, Extends: p.Extends, Shipped: !slices.Contains(own, name)}
		if err == nil {
			// Including the prompt that it extends.
			_, err = prompt.Text(project, name)
		}
		if err != nil {
			info.Invalid = err.Error()
		}
		r.Prompts = append(r.Prompts, info)
	}
	r.Page = engine.Whole(len(r.Prompts))
	return r, ctx.Err()
}

// checkPrompt refuses the name of a prompt that does not exist, "" for none. lint reports one that cannot be used.
func checkPrompt(ctx context.Context, p *engine.Project, name string) error {
	if name == "" {
		return nil
	}
	// A prompt that exists and is broken is reported by lint.
	if _, err := prompt.Find(p, name, false); !errors.As(err, new(*prompt.MissingError)) {
		return nil
	}
	all, err := Prompts(ctx, p, PromptsInput{})
	if err != nil {
		return err
	}
	names := make([]string, len(all.Prompts))
	for i, known := range all.Prompts {
		names[i] = known.Name
	}
	return engine.Fail(engine.NotFound, next.PromptList.On(), "no prompt %q (one of %s)", spec.Echo(name), strings.Join(names, ", "))
}

// PromptInput names a prompt.
type PromptInput struct {
	Name string `json:"name" jsonschema:"Prompt name"`
}

// PromptResult is a prompt: its file, and its text together with the prompt that it extends.
type PromptResult struct {
	PromptInfo
	Source string `json:"source"`
	Text   string `json:"text"` // variables not filled in
}

// Prompt returns a prompt. Errors: NotFound; Invalid for a prompt with an invalid format, or
// whose extended prompt cannot be used.
func Prompt(_ context.Context, project *engine.Project, in PromptInput) (PromptResult, error) {
	p, err := prompt.Find(project, in.Name, false)
	if err != nil {
		return PromptResult{}, prompt.NoPrompt(project, err)
	}
	r := PromptResult{PromptInfo: PromptInfo{Name: p.Name, Purpose: p.Description, Extends: p.Extends, Shipped: p.Shipped}, Source: string(p.Source)}
	r.Text, err = p.Text(func(name string, shipped bool) (prompt.Prompt, error) {
		return prompt.Find(project, name, shipped)
	})
	return r, prompt.NoPrompt(project, err)
}
