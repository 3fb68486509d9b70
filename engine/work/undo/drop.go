package undo

import (
	"context"
	"encoding/json"
	"strings"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/tree"
	"chant/engine/spec/next"
)

// judgeDrop judges a run that was dropped: its tip must be kept, and no other run may have begun since. A branch that
// is there already was made by an undo that was killed.
func judgeDrop(ctx context.Context, p *engine.Project, d *Decision) (step, error) {
	lost, branch := *d.run, p.Store.Branch(d.ID)
	kept := ""
	for _, ref := range lost.Kept {
		if tip, err := resolveOrNone(ctx, p, ref); err != nil {
			return step{}, err
		} else if tip == lost.Tip && strings.HasPrefix(ref, tree.RescueRefs) {
			kept = ref
		}
	}
	// Another run of the spec may have made it since.
	there, err := resolveOrNone(ctx, p, "refs/heads/"+branch)
	switch {
	case err != nil:
		return step{}, err
	case there != "" && there != lost.Tip:
		return step{}, refuse(next.Show.On(d.ID), "branch %q exists again, with other work", branch)
	case kept == "" && there == "":
		return step{}, refuse(next.Shell("git fsck --lost-found"), "the work of its run at %s is not kept by a ref any more", short(lost.Tip))
	}
	if d.place == dropped {
		if s, err := p.Store.Get(ctx, d.ID); err != nil || s.Archived {
			return step{}, refuse(next.Show.On(d.ID), "the spec is archived or gone since")
		}
	}
	d.Does = append(d.Does, "makes branch "+branch+" again, at "+short(lost.Tip))
	for _, ref := range lost.Kept {
		if ref != kept {
			d.Does = append(d.Does, "leaves what was not committed in the worktree in "+ref)
		}
	}
	return step{func(ctx context.Context, p *engine.Project, held *engine.Held, r *UndoResult) error {
		r.Made = branch
		for _, ref := range lost.Kept {
			if ref != kept {
				r.Rescue = append(r.Rescue, ref)
			}
		}
		// The journal before the branch: with a branch that it does not explain, the next undo would be refused.
		if err := recordRestored(p, held, journal.Restored{Tip: lost.Tip}); err != nil {
			return err
		}
		if there != "" {
			return nil
		}
		err := p.Repo.UpdateRef(ctx, "refs/heads/"+branch, lost.Tip, "", "chant: undo "+d.Event)
		reportStep(p, journal.Branch, journal.Done)
		return err
	}}, nil
}

// recordRestored records that a run has its branch again, unless an undo that was killed has recorded it.
func recordRestored(p *engine.Project, held *engine.Held, what journal.Restored) error {
	if held.History.Restored != nil || held.History.Lost == nil {
		return nil
	}
	raw, err := json.Marshal(what)
	if err != nil {
		return err
	}
	number := 0
	if last := held.History.Last(); last != nil {
		number = last.Number
	}
	err = journal.Append(p.Store, held.ID, journal.Record{Time: p.Now().UTC(), Attempt: number, Step: journal.Restore, State: journal.Done, Data: raw})
	reportStep(p, journal.Restore, journal.Done)
	return err
}

// reportStep reports how far an undo is, as runs do.
func reportStep(p *engine.Project, at journal.Step, state journal.State) {
	if p.OnStep != nil {
		p.OnStep(at, state)
	}
}
