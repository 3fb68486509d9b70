package verify

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
)

// DriftInput selects the completed specs to check, and the commit to compare them with.
type DriftInput struct {
	IDs      []string `json:"ids,omitempty" jsonschema:"Spec IDs (full or partial); all completed specs when omitted"`
	At       string   `json:"at,omitempty" jsonschema:"Commit to compare with (default: what is checked out, or the branch that the spec names under onto)"`
	Archived bool     `json:"archived,omitempty" jsonschema:"Also look at archived specs"`
	Flag     bool     `json:"flag,omitempty" jsonschema:"Move drifted specs to needs_attention"`
	Limit    int      `json:"limit,omitempty" jsonschema:"Maximum number of specs to return (default: 100)"`

	Cursor engine.Cursor `json:"cursor,omitempty" jsonschema:"Where the list continues: next_cursor of the result before"`
}

// DriftResult lists the specs that have drifted or whose state is unknown. Specs selected by id are always listed.
type DriftResult struct {
	Commit string        `json:"commit"` // the commit that specs were compared with
	Specs  []DriftedSpec `json:"specs"`
	engine.Page
	Checked int `json:"checked"`
	Drifted int `json:"drifted"`
	Unknown int `json:"unknown"`
	// Reworded counts specs whose files are the same, but whose own text has changed since it was proven.
	Reworded int `json:"reworded"`
}

// DriftedSpec is the result for one completed spec.
type DriftedSpec struct {
	ID         string               `json:"id"`
	Title      string               `json:"title"`
	Path       string               `json:"path"`
	State      string               `json:"state"`             // same, drifted, reworded or unknown
	Why        string               `json:"why,omitempty"`     // why the state is unknown, or why there is nothing to compare
	Target     string               `json:"target,omitempty"`  // the branch it was compared with, if that is not the commit of the result
	Since      string               `json:"since,omitempty"`   // the commit that landed or completed it
	Entries    []string             `json:"entries,omitempty"` // the entries of tracks, origin, informed_by and target_files that have drifted
	Files      []fileset.FileChange `json:"files,omitempty"`
	FilesTotal int                  `json:"files_total,omitempty"`
	Unmatched  []string             `json:"unmatched,omitempty"` // entries that match no tracked file
	Flagged    string               `json:"flagged,omitempty"`   // the commit that moved the spec to needs_attention
	Reworded   []Rewording          `json:"reworded,omitempty"`  // what has changed of the spec itself since its evidence was recorded
	Next       next.Advice          `json:"next,omitzero"`

	Content string `json:"-"` // the digests of the drifted entries now
}

// Drift reports completed and landed specs whose files have changed since: those in tracks, origin, informed_by and
// target_files, the last only where their content was recorded when it was completed. It compares the content of commits, so times of files and uncommitted changes do not matter. With Flag,
// drifted specs that are not archived move to needs_attention, in one commit each. Errors: NotFound, Usage, and State
// or Conflict for a spec that cannot be flagged.
func Drift(ctx context.Context, p *engine.Project, in DriftInput) (DriftResult, error) {
	result, err := DriftOf(ctx, p, in)
	return engine.Done(result, err, "")
}

// DriftOf is Drift for other operations: it does not convert errors into *engine.Error.
func DriftOf(ctx context.Context, p *engine.Project, in DriftInput) (DriftResult, error) {
	if in.Flag && in.At != "" {
		return DriftResult{}, engine.Fail(engine.Usage, next.Drift.On().Flag("flag"), "a spec is flagged for what it is now, not for what it was at %q", in.At)
	}
	if in.Flag {
		if err := engine.MayInside(p, "flag", ""); err != nil {
			return DriftResult{}, err
		}
	}
	start, err := in.Cursor.Start(next.Drift.Help())
	if err != nil {
		return DriftResult{}, err
	}
	commit, err := driftCommit(ctx, p, in.At)
	if err != nil {
		return DriftResult{}, err
	}
	specs, err := driftCandidates(ctx, p, in)
	if err != nil {
		return DriftResult{}, err
	}
	unread, err := unreadDrift(ctx, p, in)
	if err != nil {
		return DriftResult{}, err
	}
	drifters, known := map[string]*drifter{}, &evidences{p: p}
	r := DriftResult{Commit: commit, Specs: []DriftedSpec{}}
	for _, s := range specs {
		at := commit
		if in.At == "" {
			// A spec that lands on another branch has its files there.
			if at, err = tipOfTarget(ctx, p, s, commit); err != nil {
				return r, err
			}
		}
		if drifters[at] == nil {
			drifters[at] = NewDrifter(p, at)
		}
		one, err := drifters[at].Compare(ctx, &s.Spec)
		if err != nil {
			return r, err
		}
		if at != commit {
			one.Target = s.Fields.Onto
		}
		if in.At == "" {
			if err := one.addRewordings(ctx, known, s); err != nil {
				return r, err
			}
		}
		if in.Flag && one.State == Drifted && !s.Archived {
			if one.Flagged, err = flagDrifted(ctx, p, s, one); err != nil {
				return r, err
			}
		}
		r.add(one, len(in.IDs) > 0)
	}
	for _, one := range unread {
		r.add(one, true)
	}
	r.Specs, r.Page = engine.Cut(r.Specs, start, engine.LimitOf(in.Limit))
	return r, nil
}

func (r *DriftResult) add(one DriftedSpec, named bool) {
	r.Checked++
	switch one.State {
	case Drifted:
		r.Drifted++
	case Unknown:
		r.Unknown++
	case StateReworded:
		r.Reworded++
	}
	if named || one.State != Same {
		r.Specs = append(r.Specs, one)
	}
}

// addRewordings adds what has changed of the spec itself. A spec whose files are the same is reworded then.
func (d *DriftedSpec) addRewordings(ctx context.Context, known *evidences, s *spec.File) error {
	// All notes are read once: for many specs that is less than one note for each.
	recorded, err := known.find(ctx, s.ID)
	if err == nil {
		_, d.Reworded, err = RewordingsOf(ctx, known.p, s, recorded)
	}
	if len(d.Reworded) > 0 && d.State == Same {
		d.State, d.Next = StateReworded, next.Verify.On(s.ID).Because("what it asks for has changed since it was proven")
	}
	return err
}

// flagDrifted moves a spec to needs_attention, with the changed files as the reason.
func flagDrifted(ctx context.Context, p *engine.Project, s *spec.File, d DriftedSpec) (string, error) {
	if s.Branch != "" {
		return "", engine.Fail(engine.State, next.Cleanup.On(), "spec %q has landed and still has the branch %q, which would be flagged in its place", s.ID, s.Branch)
	}
	reason := "drifted: " + strings.Join(d.DescribeFiles(), ", ")
	out, err := advice.WithHold(ctx, p, d.ID, "drift", func(h *engine.Held) (store.Outcome, error) {
		return p.Store.Transition(ctx, store.Change{
			ID: h.ID, Event: spec.Flag, Edits: spec.SetReason(spec.ReasonDrifted, reason), Why: reason,
		})
	})
	return out.Commit, err
}

// driftCommit returns the commit to compare with.
func driftCommit(ctx context.Context, p *engine.Project, at string) (string, error) {
	if at != "" {
		commit, err := p.Repo.Resolve(ctx, at)
		if errors.Is(err, gitops.ErrNotFound) {
			err = missingCommit(p, "there is no commit %q here", spec.Echo(at))
		}
		return commit, err
	}
	head, err := p.Repo.Head(ctx, engine.Home(p))
	return head.Hash, err
}

// tipOfTarget returns the tip of the branch that the spec names under onto. It returns the checked-out commit if that
// contains the tip, if the branch does not exist, or if the spec names none or is archived.
func tipOfTarget(ctx context.Context, p *engine.Project, s *spec.File, checkedOut string) (string, error) {
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

// driftCandidates returns the selected specs that are completed and have landed. For ids, any other spec is an error.
func driftCandidates(ctx context.Context, p *engine.Project, in DriftInput) ([]*spec.File, error) {
	var out []*spec.File
	for _, text := range in.IDs {
		s, err := engine.FindAny(ctx, p, text)
		if err != nil {
			return nil, engine.Wrap(err, text)
		}
		if s.Status != spec.Completed || !s.Landed {
			return nil, engine.Fail(engine.State, next.Show.On(s.ID), "spec %q is %s; only what was completed and has landed can drift", s.ID, s.Status)
		}
		if !slices.ContainsFunc(out, func(known *spec.File) bool { return known.ID == s.ID }) {
			out = append(out, s)
		}
	}
	if len(in.IDs) > 0 {
		return out, nil
	}
	_, all, err := p.Store.LoadFiles(ctx)
	if err != nil {
		return nil, err
	}
	if in.Archived {
		// Those that cannot be read are reported by unreadDrift.
		archived, _, err := p.Store.LoadArchived()
		if err != nil {
			return nil, err
		}
		all = append(all, archived...)
	}
	for _, s := range all {
		if s.Status == spec.Completed && s.Landed {
			out = append(out, s)
		}
	}
	return out, nil
}

// unreadDrift returns a result for each spec that cannot be read, unless specs are selected by id: any of them could be
// completed.
func unreadDrift(ctx context.Context, p *engine.Project, in DriftInput) ([]DriftedSpec, error) {
	if len(in.IDs) > 0 {
		return nil, nil
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	bad := set.Invalid
	if in.Archived {
		_, unreadable, err := p.Store.LoadArchived()
		if err != nil {
			return nil, err
		}
		bad = append(bad, unreadable...)
	}
	var out []DriftedSpec
	for _, one := range bad {
		out = append(out, DriftedSpec{
			ID: one.ID, Path: one.Path, State: Unknown, Why: "it cannot be read: " + one.Err.Error(), Next: engine.EditStep(one.Path).Because("the file is invalid"),
		})
	}
	return out, nil
}
