package agent

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/prompt"
	"chant/engine/realpath"
	"chant/engine/spec"
	"chant/engine/store"
)

// ExtensionsDir is the folder of extensions, texts that are appended to prompts. The older chant uses the same.
const ExtensionsDir = store.PromptsDir + "/extensions"

// PromptName chooses the prompt of a spec: the requested one, the spec's own, that of its type, or the project's. For
// research, `origin` counts before `informed_by`.
func PromptName(p *engine.Project, asked string, s *spec.Spec) string {
	byKind := ""
	switch f := s.Fields; {
	case f.Type == spec.Documentation:
		byKind = prompt.Documentation
	case f.Type == spec.Research && len(f.Origin) > 0:
		byKind = prompt.ResearchAnalysis
	case f.Type == spec.Research && len(f.InformedBy) > 0:
		byKind = prompt.ResearchSynthesis
	}
	return cmp.Or(asked, s.Fields.Prompt, byKind, p.Config.Defaults.Prompt)
}

// WorkPrompt returns the text of a spec's prompt, followed by the extensions of the project and of the spec, each once.
// Errors: NotFound, Invalid.
func WorkPrompt(p *engine.Project, asked string, s *spec.Spec) (string, error) {
	text, err := PromptText(p, PromptName(p, asked, s))
	if err != nil {
		return "", err
	}
	var done []string
	for _, name := range slices.Concat(p.Config.Defaults.Extensions, s.Fields.Extensions) {
		if slices.Contains(done, name) {
			continue
		}
		done = append(done, name)
		more, err := Extension(p, name)
		if err != nil {
			return "", err
		}
		text = strings.TrimRight(text, "\r\n") + "\n\n" + more
	}
	return text, nil
}

// PromptText returns a prompt including the prompts that it extends, without the values of variables.
func PromptText(project *engine.Project, name string) (string, error) {
	p, err := FindPrompt(project, name, false)
	if err != nil {
		return "", NoPrompt(project, err)
	}
	text, err := p.Text(func(name string, shipped bool) (prompt.Prompt, error) { return FindPrompt(project, name, shipped) })
	if err == nil && strings.TrimSpace(text) == "" {
		err = engine.Fail(engine.Invalid, next.Guide.On("prompts"), "prompt %q is empty: an agent would get no instructions", name)
	}
	return text, NoPrompt(project, err)
}

// readOwn reads a file of the project whose text is sent to an agent. Errors: fs.ErrNotExist; Invalid for a link that
// leads out of the repository, which would send a file of the user to a model.
func readOwn(p *engine.Project, path string) ([]byte, error) {
	_, err := realpath.Below(engine.Home(p), path)
	if errors.Is(err, realpath.ErrOutside) {
		return nil, engine.Fail(engine.Invalid, next.Shell("ls -l %s", path), "%s is a link that leads out of the repository", path)
	}
	if err != nil {
		return nil, err
	}
	return p.Store.ReadTree(engine.Home(p), path)
}

// Extension returns the text of an extension.
func Extension(project *engine.Project, name string) (string, error) {
	p, err := FindExtension(project, name)
	if err != nil {
		return "", err
	}
	return p.Text(func(name string, shipped bool) (prompt.Prompt, error) { return FindPrompt(project, name, shipped) })
}

// FindExtension reads an extension. Errors: NotFound, Invalid.
func FindExtension(project *engine.Project, name string) (prompt.Prompt, error) {
	path := ExtensionsDir + "/" + name + ".md"
	if err := spec.ValidName(name); err != nil {
		return prompt.Prompt{}, engine.Fail(engine.Invalid, next.Guide.On("prompts"), "prompt extension %q has no valid name", spec.Echo(name))
	}
	src, err := readOwn(project, path)
	if errors.Is(err, fs.ErrNotExist) {
		return prompt.Prompt{}, engine.Fail(engine.NotFound, next.Guide.On("prompts"), "prompt extension %q does not exist: there is no %s", name, path)
	}
	if err != nil {
		return prompt.Prompt{}, engine.Wrap(err, "")
	}
	p, err := prompt.Parse(name, path, src)
	if err == nil && p.Extends != "" {
		err = engine.Fail(engine.Invalid, next.Guide.On("prompts"), "%s extends a prompt; an extension is put behind one", path)
	}
	return p, engine.Wrap(err, "")
}
