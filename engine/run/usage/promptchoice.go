package usage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/prompt"
	"chant/engine/prompt/library"

	"chant/engine/spec"
)

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

// WorkPrompt returns a spec's prompt, followed by the extensions of the project and of the spec, each once. The options
// are, as JSON, those of a command that is the prompt; none for the usual ones. Errors: NotFound, Invalid, Usage.
func WorkPrompt(ctx context.Context, p *engine.Project, asked, options string, s *spec.Spec) (library.WorkText, error) {
	w, err := library.ForWork(ctx, p, PromptName(p, asked, s), options)
	if err != nil {
		return w, err
	}
	var done []string
	for _, name := range slices.Concat(p.Config.Defaults.Extensions, s.Fields.Extensions) {
		if slices.Contains(done, name) {
			continue
		}
		done = append(done, name)
		more, err := prompt.Extension(p, name)
		if err != nil {
			return library.WorkText{}, err
		}
		w.Text = strings.TrimRight(w.Text, "\r\n") + "\n\n" + more
	}
	return w, nil
}
