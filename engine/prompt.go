package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/prompt"
	"chant/engine/spec"
	"chant/engine/store"
)

// PromptsInput has no fields.
type PromptsInput struct{}

// PromptsResult lists prompts by name.
type PromptsResult struct {
	Prompts []PromptInfo `json:"prompts"`
}

// PromptInfo is one prompt. A project's own stands in front of a shipped one of
// the same name.
type PromptInfo struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose,omitempty"`
	Extends string `json:"extends,omitempty"`
	Shipped bool   `json:"shipped"`
	Invalid string `json:"invalid,omitempty"` // why it cannot be used, with path and line where there is one
}

// Prompts lists the prompts a spec can be worked with.
func (e *Engine) Prompts(ctx context.Context, _ PromptsInput) (PromptsResult, error) {
	r := PromptsResult{Prompts: []PromptInfo{}}
	own, err := e.ownPrompts()
	if err != nil {
		return r, wrap(err, "")
	}
	names := append(slices.Clone(own), prompt.ShippedNames()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		p, err := e.findPrompt(name, false)
		info := PromptInfo{Name: name, Purpose: p.Purpose, Extends: p.Extends, Shipped: !slices.Contains(own, name)}
		if err == nil {
			_, err = e.promptText(name) // with what it extends
		}
		if err != nil {
			info.Invalid = err.Error()
		}
		r.Prompts = append(r.Prompts, info)
	}
	return r, ctx.Err()
}

// ownPrompts lists the project's prompts that a flag can name.
func (e *Engine) ownPrompts() ([]string, error) {
	names, err := e.documents(store.PromptsDir)
	return slices.DeleteFunc(names, func(name string) bool { return spec.ValidName(name) != nil }), err
}

// documents lists the Markdown files of a folder of home by their names, without the
// ending; none where there is no folder.
func (e *Engine) documents(dir string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(filepath.Join(e.Home(), filepath.FromSlash(dir))), "*.md")
	for i, file := range names {
		names[i] = strings.TrimSuffix(file, ".md")
	}
	return names, err
}

// PromptInput names a prompt.
type PromptInput struct {
	Name string `json:"name" jsonschema:"Prompt name"`
}

// PromptResult is a prompt: its file as it is, and what that says with what it extends.
type PromptResult struct {
	PromptInfo
	Source string `json:"source"`
	Text   string `json:"text"` // variables not filled in
}

// Prompt returns a prompt. Errors: NotFound; Invalid for one that breaks the format or
// cannot have what it extends.
func (e *Engine) Prompt(_ context.Context, in PromptInput) (PromptResult, error) {
	p, err := e.findPrompt(in.Name, false)
	if err != nil {
		return PromptResult{}, e.noPrompt(err)
	}
	r := PromptResult{PromptInfo: PromptInfo{Name: p.Name, Purpose: p.Purpose, Extends: p.Extends, Shipped: p.Shipped}, Source: string(p.Source)}
	r.Text, err = p.Text(e.findPrompt)
	return r, e.noPrompt(err)
}

// findPrompt is a prompt.Finder: the project's own, else the shipped one.
func (e *Engine) findPrompt(name string, shipped bool) (prompt.Prompt, error) {
	if err := spec.ValidName(name); err != nil {
		return prompt.Prompt{}, &prompt.MissingError{Name: name, Msg: "that is no name for one"}
	}
	if shipped {
		return prompt.Shipped(name)
	}
	path := store.PromptsDir + "/" + name + ".md"
	src, err := e.readOwn(path)
	switch {
	case err == nil:
		return prompt.Parse(name, path, src)
	case !errors.Is(err, fs.ErrNotExist):
		return prompt.Prompt{}, err
	}
	p, err := prompt.Shipped(name)
	if missing, ok := errors.AsType[*prompt.MissingError](err); ok {
		missing.Msg = "there is none in " + store.PromptsDir + ", and " + missing.Msg
	}
	return p, err
}

// noPrompt turns what is wrong with a prompt into an error of ours.
func (e *Engine) noPrompt(err error) error {
	if missing, ok := errors.AsType[*prompt.MissingError](err); ok {
		return fail(NotFound, "chant prompt list", "no prompt %q: %s", spec.Echo(missing.Name), missing.Msg)
	}
	return wrap(err, "")
}
