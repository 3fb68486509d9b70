package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
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
	Shipped bool   `json:"shipped"`
}

// Prompts lists the prompts a spec can be worked with.
func (e *Engine) Prompts(ctx context.Context, _ PromptsInput) (PromptsResult, error) {
	r := PromptsResult{Prompts: []PromptInfo{}}
	own, err := promptNames(os.DirFS(filepath.Join(e.Home(), filepath.FromSlash(store.PromptsDir))), ".")
	if err != nil {
		return r, wrap(err, "")
	}
	shipped, err := promptNames(run.Prompts, "prompts")
	if err != nil {
		return r, wrap(err, "")
	}
	names := append(slices.Clone(own), shipped...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		text, err := e.promptText(name)
		if err != nil {
			continue // a name that no flag could say either
		}
		r.Prompts = append(r.Prompts, PromptInfo{Name: name, Purpose: purposeOf(text), Shipped: !slices.Contains(own, name)})
	}
	return r, ctx.Err()
}

func promptNames(fsys fs.FS, dir string) ([]string, error) {
	files, err := fs.Glob(fsys, dir+"/*.md")
	if dir == "." {
		files, err = fs.Glob(fsys, "*.md")
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".md"))
	}
	return names, err
}

// purposeOf reads what a prompt says it is for, "" when it does not.
func purposeOf(text string) string {
	var fields struct {
		Purpose string `yaml:"purpose"`
	}
	doc, err := markdown.Parse("prompt", []byte(text))
	if err != nil || doc.Decode(&fields) != nil {
		return ""
	}
	return fields.Purpose
}

// PromptInput names a prompt and, to have its placeholders filled in, a spec.
type PromptInput struct {
	Name string `json:"name" jsonschema:"Prompt name"`
	ID   string `json:"id,omitempty" jsonschema:"Spec ID (full or partial) to fill it in for"`
}

// PromptResult is a prompt's text.
type PromptResult struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose,omitempty"`
	Text    string `json:"text"`
}

// Prompt returns a prompt, for a spec as that spec's next attempt would get it.
// Errors: NotFound.
func (e *Engine) Prompt(ctx context.Context, in PromptInput) (PromptResult, error) {
	text, err := e.promptText(in.Name)
	if err != nil {
		return PromptResult{}, wrap(err, "")
	}
	r := PromptResult{Name: in.Name, Purpose: purposeOf(text)}
	if in.ID == "" {
		doc, err := markdown.Parse(store.PromptsDir+"/"+in.Name+".md", []byte(text))
		if err != nil {
			return r, wrap(err, "")
		}
		r.Text = string(doc.Body())
		return r, nil
	}
	s, err := e.findAny(ctx, in.ID)
	if err != nil {
		return r, wrap(err, in.ID)
	}
	r.Text, err = e.renderFor(ctx, s, text)
	return done(r, err, s.ID)
}

// renderFor fills a prompt in without starting anything.
func (e *Engine) renderFor(ctx context.Context, s *spec.Spec, text string) (string, error) {
	history, err := run.ReadHistory(e.store, s.ID)
	if err != nil {
		return "", err
	}
	set := e.settings()
	set.Prompt = text
	attempt := 1
	if last := history.Last(); last != nil {
		attempt = last.Number + 1
	}
	job := run.Job{ID: s.ID, Title: s.Title, Branch: e.store.Branch(s.ID), Attempt: attempt}
	if s.Fields.OutputSchema != "" {
		if err := e.startingPoint(ctx, &job); err != nil {
			return "", err
		}
	}
	r := e.newRun(job, &held{history: history}, set)
	if r.Tree, err = e.defaultTree(s.ID); err != nil {
		return "", err
	}
	if !exists(r.Tree) {
		r.Tree = e.Home()
	}
	return r.Told(ctx, s)
}

// startingPoint fills in where a run would begin, and so where its files are read from.
func (e *Engine) startingPoint(ctx context.Context, job *run.Job) error {
	var err error
	if job.Target, err = e.target(ctx); err != nil {
		return err
	}
	if job.Base, err = e.repo.Resolve(ctx, "refs/heads/"+job.Target); err != nil {
		return err
	}
	tracked, err := e.store.Tracked(ctx)
	job.Silent = !tracked
	return err
}

// promptText reads a prompt: the project's own, else the shipped one.
func (e *Engine) promptText(name string) (string, error) {
	if err := spec.ValidName(name); err != nil {
		return "", fail(Invalid, "chant prompt list", "prompt %q has no valid name", name)
	}
	src, err := e.store.ReadTree(e.Home(), store.PromptsDir+"/"+name+".md")
	if !errors.Is(err, fs.ErrNotExist) {
		return string(src), err
	}
	if src, err := run.Prompts.ReadFile("prompts/" + name + ".md"); err == nil {
		return string(src), nil
	}
	return "", fail(NotFound, "chant prompt list", "no prompt %q in %s, and none of that name is built in", name, store.PromptsDir)
}
