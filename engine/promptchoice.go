package engine

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/prompt"
	"chant/engine/spec"
	"chant/engine/store"
)

// extensionsDir holds what is put behind prompts, as the older chant has it.
const extensionsDir = store.PromptsDir + "/extensions"

// promptName chooses the prompt that a spec is worked with: the one asked for, the spec's
// own, that of its kind, the project's. What a spec starts from goes before what informs it.
func (e *Engine) promptName(asked string, s *spec.Spec) string {
	byKind := ""
	switch f := s.Fields; {
	case f.Type == spec.Documentation:
		byKind = prompt.Documentation
	case f.Type == spec.Research && len(f.Origin) > 0:
		byKind = prompt.ResearchAnalysis
	case f.Type == spec.Research && len(f.InformedBy) > 0:
		byKind = prompt.ResearchSynthesis
	}
	return cmp.Or(asked, s.Fields.Prompt, byKind, e.config.Defaults.Prompt)
}

// workPrompt is the text of the prompt that a spec is worked with, and of what the
// project and the spec put behind it, each once. Errors: NotFound, Invalid.
func (e *Engine) workPrompt(asked string, s *spec.Spec) (string, error) {
	text, err := e.promptText(e.promptName(asked, s))
	if err != nil {
		return "", err
	}
	var done []string
	for _, name := range slices.Concat(e.config.Defaults.Extensions, s.Fields.Extensions) {
		if slices.Contains(done, name) {
			continue
		}
		done = append(done, name)
		more, err := e.extension(name)
		if err != nil {
			return "", err
		}
		text = strings.TrimRight(text, "\r\n") + "\n\n" + more
	}
	return text, nil
}

// promptText is a prompt with what it extends, variables not filled in.
func (e *Engine) promptText(name string) (string, error) {
	p, err := e.findPrompt(name, false)
	if err != nil {
		return "", e.noPrompt(err)
	}
	text, err := p.Text(e.findPrompt)
	if err == nil && strings.TrimSpace(text) == "" {
		err = fail(Invalid, "chant guide prompts", "prompt %q is empty: an agent would be told nothing", name)
	}
	return text, e.noPrompt(err)
}

// readOwn reads a file of the project that an agent is told the text of. fs.ErrNotExist is
// passed on; Invalid for a link that leads out of the repository: who has cloned it would
// send a file of theirs to a model.
func (e *Engine) readOwn(path string) ([]byte, error) {
	top, err := filepath.EvalSymlinks(e.Home())
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	if within, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(within) {
		return nil, fail(Invalid, "ls -l "+path, "%s is a link that leads out of the repository", path)
	}
	return e.store.ReadTree(e.Home(), path)
}

// extension is the text of what is put behind a prompt.
func (e *Engine) extension(name string) (string, error) {
	p, err := e.findExtension(name)
	if err != nil {
		return "", err
	}
	return p.Text(e.findPrompt)
}

// findExtension reads what is put behind a prompt. Errors: NotFound, Invalid.
func (e *Engine) findExtension(name string) (prompt.Prompt, error) {
	path := extensionsDir + "/" + name + ".md"
	if err := spec.ValidName(name); err != nil {
		return prompt.Prompt{}, fail(Invalid, "chant guide prompts", "prompt extension %q has no valid name", spec.Echo(name))
	}
	src, err := e.readOwn(path)
	if errors.Is(err, fs.ErrNotExist) {
		return prompt.Prompt{}, fail(NotFound, "chant guide prompts", "prompt extension %q does not exist: there is no %s", name, path)
	}
	if err != nil {
		return prompt.Prompt{}, wrap(err, "")
	}
	p, err := prompt.Parse(name, path, src)
	if err == nil && p.Extends != "" {
		err = fail(Invalid, "chant guide prompts", "%s extends a prompt; an extension is put behind one", path)
	}
	return p, wrap(err, "")
}
