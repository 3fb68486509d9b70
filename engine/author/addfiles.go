package author

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/spec/next"
)

// proposeFiles adds to the result the files that a new spec without target files is likely to be about, and the open
// specs that are about its files as well, and reports both.
func proposeFiles(ctx context.Context, p *engine.Project, r *AddResult, s *spec.File) {
	if s.Fields.Type.Container() {
		return
	}
	files := []string(s.Fields.TargetFiles)
	if len(files) == 0 {
		proposals, err := code.Propose(ctx, p, s.Title+"\n"+string(s.Doc.Body()), code.ProposedFiles)
		if err != nil {
			engine.Warn(p, r.ID, fmt.Sprintf("no target files can be proposed: %s", err))
		}
		for _, f := range proposals {
			r.Proposed = append(r.Proposed, f.Path)
		}
		if files = r.Proposed; len(files) == 0 {
			return
		}
		engine.Warn(p, r.ID, fmt.Sprintf("it names no target files; it may be about %s; next: %s", strings.Join(files, ", "), next.Edit.On(r.ID)))
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		engine.Warn(p, r.ID, fmt.Sprintf("specs about the same files are not known: %s", err))
		return
	}
	if r.Sharing = lint.SharingFiles(set.Graph(), &s.Spec, files); len(r.Sharing) > 0 {
		engine.Warn(p, r.ID, fmt.Sprintf("open specs are about the same files, and none waits for the other: %s; next: %s", lint.ShortList(r.Sharing), next.Deps.On(r.ID)))
	}
}
