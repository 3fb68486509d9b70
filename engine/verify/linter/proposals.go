package linter

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/spec"
	"chant/engine/store"
)

// proposeFiles adds to the scores of selected open specs without target files those that they are likely to be about.
func proposeFiles(ctx context.Context, p *engine.Project, r *LintResult, set *store.Set, only []string) error {
	if only == nil {
		return nil
	}
	g := set.Graph()
	for _, s := range spec.Files(set.Specs) {
		i := slices.IndexFunc(r.Scores, func(score SpecScore) bool { return score.ID == s.ID })
		done := s.Status == spec.Completed || s.Status == spec.Cancelled
		if i < 0 || !slices.Contains(only, s.ID) || done || len(s.Fields.TargetFiles) > 0 || g.Container(s.ID) {
			continue
		}
		proposals, err := code.Propose(ctx, p, s.Title+"\n"+string(s.Doc.Body()), code.ProposedFiles)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// This is advice only, and the specs were checked.
		if err != nil {
			engine.Warn(p, s.ID, fmt.Sprintf("no target files can be proposed: %s", err))
		}
		if len(proposals) == 0 {
			// Nothing was indexed, or nothing is similar.
			continue
		}
		score := &r.Scores[i]
		for _, f := range proposals {
			score.Proposed = append(score.Proposed, f.Path)
		}
		score.Suggestions = append(score.Suggestions, "name its target_files; likely are "+strings.Join(score.Proposed, ", "))
	}
	return nil
}
