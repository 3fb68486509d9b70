package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"chant/engine/lint"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// LintFix says what was mended in one spec, or why it was left alone.
type LintFix struct {
	ID     string   `json:"id"`
	Did    []string `json:"did,omitempty"`
	Commit string   `json:"commit,omitempty"`
	Left   string   `json:"left,omitempty"` // why nothing was done
}

// lintFix mends the specs that can be, one commit for each. A spec of a run under way is
// left alone, and so is one that a person has approved, for an edit would void that, or is
// at work on, for the commit would take what that person has not committed.
func (e *Engine) lintFix(ctx context.Context, only []string) ([]LintFix, error) {
	set, err := e.store.Load(ctx)
	if err != nil {
		return nil, err
	}
	var out []LintFix
	for _, s := range set.Specs {
		if only != nil && !slices.Contains(only, s.ID) {
			continue
		}
		_, did, err := lint.Fix(s, e.config.lintSettings())
		if err != nil {
			return out, wrap(err, s.ID)
		}
		if len(did) == 0 {
			continue
		}
		fix, err := e.lintFixOne(ctx, s)
		if err != nil {
			return out, wrap(err, s.ID)
		}
		out = append(out, fix)
	}
	return out, nil
}

func (e *Engine) lintFixOne(ctx context.Context, s *spec.Spec) (LintFix, error) {
	fix := LintFix{ID: s.ID}
	switch a := s.Fields.Approval; {
	case s.Branch != "":
		fix.Left = "its run is under way"
		return fix, nil
	case a != nil && a.Status == spec.Approved:
		fix.Left = "it is approved as it stands"
		return fix, nil
	}
	if edited, err := e.uncommitted(ctx, s.ID); err != nil || edited {
		fix.Left = "it has edits that are not committed"
		return fix, err
	}
	_, err := withHold(ctx, e, s.ID, "edit", func(h *held) (StateResult, error) {
		out, err := e.store.Transition(ctx, store.Change{ID: h.id, Word: "edit", Why: "lint --fix", Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			return e.mended(&fix, h.id, doc)
		}})
		fix.Commit = out.Commit
		return StateResult{}, err
	})
	if _, busy := errors.AsType[*lockfile.HeldError](err); busy {
		return LintFix{ID: s.ID, Left: "a process is at work on it"}, nil
	}
	return fix, err
}

// mended fixes the document as it stands now.
func (e *Engine) mended(fix *LintFix, id string, doc *markdown.Document) (*markdown.Document, error) {
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return nil, err
	}
	next, did, err := lint.Fix(s, e.config.lintSettings())
	if err != nil || bytes.Equal(next.Bytes(), doc.Bytes()) {
		return doc, err
	}
	fix.Did = did
	return next, nil
}
