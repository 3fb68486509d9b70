package verify

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/advice"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/store"
	"chant/gitops"
)

// DriftInput says which completed specs to look at, and against what.
type DriftInput struct {
	IDs      []string `json:"ids,omitempty" jsonschema:"Spec IDs (full or partial); all completed specs when omitted"`
	At       string   `json:"at,omitempty" jsonschema:"Commit to compare with (default: what is checked out, or the branch that the spec names under onto)"`
	Archived bool     `json:"archived,omitempty" jsonschema:"Also look at archived specs"`
	Flag     bool     `json:"flag,omitempty" jsonschema:"Move drifted specs to needs_attention"`
	Limit    int      `json:"limit,omitempty" jsonschema:"Maximum number of specs to return (default: 100)"`
}

// DriftResult lists the specs that have drifted or of which nothing is known, and of
// those that were named also the others.
type DriftResult struct {
	Commit  string        `json:"commit"` // that was compared with
	Specs   []DriftedSpec `json:"specs"`
	Found   int           `json:"specs_total"` // before the limit
	Checked int           `json:"checked"`
	Drifted int           `json:"drifted"`
	Unknown int           `json:"unknown"`
}

// DriftedSpec is how one completed spec stands to what it depends on.
type DriftedSpec struct {
	ID         string               `json:"id"`
	Title      string               `json:"title"`
	Path       string               `json:"path"`
	State      string               `json:"state"`             // same, drifted or unknown
	Why        string               `json:"why,omitempty"`     // of unknown
	Target     string               `json:"target,omitempty"`  // the branch it was compared with, where that is not what is checked out
	Since      string               `json:"since,omitempty"`   // the commit that landed or completed it
	Entries    []string             `json:"entries,omitempty"` // of tracks, origin, informed_by and target_files, that have drifted
	Files      []fileset.FileChange `json:"files,omitempty"`
	FilesTotal int                  `json:"files_total,omitempty"`
	Unmatched  []string             `json:"unmatched,omitempty"` // entries that mean no tracked file
	Flagged    string               `json:"flagged,omitempty"`   // the commit that did
	Next       next.Step            `json:"next"`

	Content string `json:"-"` // of the drifted entries now, in one word
}

// Drift compares what completed and landed specs were written from, and what they
// wrote, with a commit: by content, so that neither times of files nor another checkout
// count, and never what is uncommitted. With Flag drifted specs that are not archived
// move to needs_attention, one commit each. Errors: NotFound, Usage, State and Conflict
// of a spec that cannot be flagged.
func Drift(ctx context.Context, p *engine.Project, in DriftInput) (DriftResult, error) {
	result, err := DriftOf(ctx, p, in)
	return engine.Done(result, err, "")
}

// DriftOf is Drift for other operations, which give its error its code themselves.
func DriftOf(ctx context.Context, p *engine.Project, in DriftInput) (DriftResult, error) {
	if in.Flag && in.At != "" {
		return DriftResult{}, engine.Fail(engine.Usage, next.Drift.On().Flag("flag"), "a spec is flagged for what it is now, not for what it was at %q", in.At)
	}
	if in.Flag {
		if err := engine.MayInside(p, "flag", ""); err != nil {
			return DriftResult{}, err
		}
	}
	commit, err := driftCommit(ctx, p, in.At)
	if err != nil {
		return DriftResult{}, err
	}
	specs, err := driftable(ctx, p, in)
	if err != nil {
		return DriftResult{}, err
	}
	unread, err := unreadDrift(ctx, p, in)
	if err != nil {
		return DriftResult{}, err
	}
	drifters := map[string]*drifter{}
	r := DriftResult{Commit: commit, Specs: []DriftedSpec{}}
	for _, s := range specs {
		at := commit
		if in.At == "" {
			if at, err = ownTip(ctx, p, s, commit); err != nil {
				return r, err
			}
		}
		if drifters[at] == nil {
			drifters[at] = NewDrifter(p, at)
		}
		one, err := drifters[at].Look(ctx, s)
		if err != nil {
			return r, err
		}
		if at != commit {
			one.Target = s.Fields.Onto
		}
		if in.Flag && one.State == Drifted && !s.Archived {
			if one.Flagged, err = flagDrifted(ctx, p, s, one); err != nil {
				return r, err
			}
		}
		r.take(one, len(in.IDs) > 0)
	}
	for _, one := range unread {
		r.take(one, true)
	}
	r.Found = len(r.Specs)
	r.Specs = engine.FirstOf(r.Specs, in.Limit)
	return r, nil
}

func (r *DriftResult) take(one DriftedSpec, named bool) {
	r.Checked++
	switch one.State {
	case Drifted:
		r.Drifted++
	case Unknown:
		r.Unknown++
	}
	if named || one.State != Same {
		r.Specs = append(r.Specs, one)
	}
}

// driftCommit is the commit to compare with.
func driftCommit(ctx context.Context, p *engine.Project, at string) (string, error) {
	if at != "" {
		commit, err := p.Repo.Resolve(ctx, at)
		if errors.Is(err, gitops.ErrNotFound) {
			err = notHere(p, "there is no commit %q here", spec.Echo(at))
		}
		return commit, err
	}
	head, err := p.Repo.Head(ctx, engine.Home(p))
	return head.Hash, err
}

// ownTip is the tip of the branch that a spec names as its target, unless the checked-out commit has that too or the
// branch is not here: then it is the checked-out commit.
func ownTip(ctx context.Context, p *engine.Project, s *spec.Spec, checkedOut string) (string, error) {
	if s.Fields.Onto == "" || s.Archived {
		return checkedOut, nil
	}
	tip, err := p.Repo.Resolve(ctx, "refs/heads/"+s.Fields.Onto)
	if errors.Is(err, gitops.ErrNotFound) {
		return checkedOut, nil
	}
	if err != nil {
		return "", err
	}
	merged, err := p.Repo.IsAncestor(ctx, tip, checkedOut)
	if merged || err != nil {
		return checkedOut, err
	}
	return tip, nil
}

// driftable are the completed and landed specs among those that are asked for. A spec
// that is named and is none of them is an error, else those that name no files are
// left out.
func driftable(ctx context.Context, p *engine.Project, in DriftInput) ([]*spec.Spec, error) {
	var out []*spec.Spec
	for _, text := range in.IDs {
		s, err := engine.FindAny(ctx, p, text)
		if err != nil {
			return nil, engine.Wrap(err, text)
		}
		if s.Status != spec.Completed || !s.Landed {
			return nil, engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is %s; only what was completed and has landed can drift", s.ID, s.Status)
		}
		if !slices.ContainsFunc(out, func(known *spec.Spec) bool { return known.ID == s.ID }) {
			out = append(out, s)
		}
	}
	if len(in.IDs) > 0 {
		return out, nil
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	all := set.Specs
	if in.Archived {
		archived, _, err := p.Store.LoadArchived() // unreadDrift reports those that cannot be read
		if err != nil {
			return nil, err
		}
		all = append(all, archived...)
	}
	for _, s := range all {
		if s.Status == spec.Completed && s.Landed && len(s.Fields.Sources()) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// flagDrifted moves a spec to needs_attention and says for which files.
func flagDrifted(ctx context.Context, p *engine.Project, s *spec.Spec, d DriftedSpec) (string, error) {
	if s.Branch != "" {
		return "", engine.Fail(engine.State, next.Cleanup.On(), "spec %q has landed and still has the branch %q, which would be flagged in its place", s.ID, s.Branch)
	}
	reason := "drifted: " + strings.Join(d.Paths(), ", ")
	out, err := advice.WithHold(ctx, p, d.ID, "drift", func(h *engine.Held) (store.Outcome, error) {
		return p.Store.Transition(ctx, store.Change{
			ID: h.ID, Event: spec.Flag, Edits: spec.SetReason(spec.ReasonDrifted, reason), Why: reason,
		})
	})
	return out.Commit, err
}
