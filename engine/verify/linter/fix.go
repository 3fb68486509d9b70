package linter

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// LintFix describes what was corrected in one spec, or why it was not changed.
type LintFix struct {
	ID     string   `json:"id"`
	Did    []string `json:"did,omitempty"`
	Commit string   `json:"commit,omitempty"`
	Left   string   `json:"left,omitempty"` // why the spec was not changed
}

// fixSpecs corrects specs, in one commit each. It does not change a spec with a run's branch; an approved spec, because
// an edit would void the approval; and a spec with uncommitted edits, because the commit would include them.
func fixSpecs(ctx context.Context, p *engine.Project, only []string) ([]LintFix, error) {
	_, files, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return nil, err
	}
	var out []LintFix
	for _, s := range files {
		if only != nil && !slices.Contains(only, s.ID) {
			continue
		}
		_, did, err := lint.Fix(s, p.Config.LintSettings())
		if err != nil {
			return out, engine.Wrap(err, s.ID)
		}
		if len(did) == 0 {
			continue
		}
		fix, err := fixSpec(ctx, p, s)
		if err != nil {
			return out, engine.Wrap(err, s.ID)
		}
		out = append(out, fix)
	}
	return out, nil
}

func fixSpec(ctx context.Context, p *engine.Project, s *spec.File) (LintFix, error) {
	fix := LintFix{ID: s.ID}
	switch a := s.Fields.Approval; {
	case s.Branch != "":
		fix.Left = "its run is not finished"
		return fix, nil
	case a != nil && a.Status == spec.Approved:
		fix.Left = "it is approved, and an edit would void the approval"
		return fix, nil
	}
	if edited, err := engine.HasUncommittedEdits(ctx, p, s.ID); err != nil || edited {
		fix.Left = "it has edits that are not committed"
		return fix, err
	}
	_, err := advice.WithHold(ctx, p, s.ID, "edit", func(h *engine.Held) (engine.StateResult, error) {
		out, err := p.Store.Transition(ctx, store.Change{ID: h.ID, Word: "edit", Why: "lint --fix", Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			return fixDocument(p, &fix, h.ID, doc)
		}})
		fix.Commit = out.Commit
		return engine.StateResult{}, err
	})
	if _, busy := errors.AsType[*lockfile.HeldError](err); busy {
		return LintFix{ID: s.ID, Left: "a process is at work on it"}, nil
	}
	return fix, err
}

// fixDocument corrects the document as it is when the commit is made.
func fixDocument(p *engine.Project, fix *LintFix, id string, doc *markdown.Document) (*markdown.Document, error) {
	// Corrected as it is when the commit is made, since it was read without the lock before.
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return nil, err
	}
	next, did, err := lint.Fix(s, p.Config.LintSettings())
	if err != nil || bytes.Equal(next.Bytes(), doc.Bytes()) {
		return doc, err
	}
	fix.Did = did
	return next, nil
}
