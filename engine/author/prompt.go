package author

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/promptfile"
)

// PromptsInput has no fields.
type PromptsInput struct{}

// PromptsResult lists prompts by name.
type PromptsResult struct {
	Prompts []PromptInfo `json:"prompts"`
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
	own, err := promptfile.List(project)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	names := append(slices.Clone(own), prompt.ShippedNames()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		p, err := promptfile.Find(project, name, false)
		info := PromptInfo{Name: name, Purpose: p.Description, Extends: p.Extends, Shipped: !slices.Contains(own, name)}
		if err == nil {
			_, err = promptfile.Text(project, name) // including the prompt that it extends
		}
		if err != nil {
			info.Invalid = err.Error()
		}
		r.Prompts = append(r.Prompts, info)
	}
	return r, ctx.Err()
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
	p, err := promptfile.Find(project, in.Name, false)
	if err != nil {
		return PromptResult{}, promptfile.NoPrompt(project, err)
	}
	r := PromptResult{PromptInfo: PromptInfo{Name: p.Name, Purpose: p.Description, Extends: p.Extends, Shipped: p.Shipped}, Source: string(p.Source)}
	r.Text, err = p.Text(func(name string, shipped bool) (prompt.Prompt, error) {
		return promptfile.Find(project, name, shipped)
	})
	return r, promptfile.NoPrompt(project, err)
}
