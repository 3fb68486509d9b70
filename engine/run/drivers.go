package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// withDrivers puts the drivers that are done with this spec into the merge, in
// one more commit on its side. The run's branch itself does not move.
func (r *Run) withDrivers(ctx context.Context, target, tip string) (string, []string, error) {
	set, err := r.Store.Load(ctx)
	if err != nil {
		return "", nil, err
	}
	due := set.Graph().DueDrivers(r.Job.ID)
	if len(due) == 0 || r.Job.Silent {
		return tip, due, nil
	}
	var files []gitops.File
	for _, id := range due {
		path := store.SpecPath(id)
		src, err := r.Repo.ReadFile(ctx, target, path)
		if errors.Is(err, gitops.ErrNotFound) {
			continue // it does not exist on the target yet, so it cannot complete there
		}
		if err != nil {
			return "", nil, err
		}
		doc, err := r.completedDriver(id, src)
		if err != nil {
			return "", nil, err
		}
		files = append(files, gitops.File{Path: path, Content: doc.Bytes()})
	}
	if len(files) == 0 {
		return tip, nil, nil
	}
	side, err := r.Repo.CommitOn(ctx, tip, files,
		store.Message{ID: due[0], Event: string(spec.Complete), Why: r.lastMember()}.String())
	return side, due, err
}

// driverAllows checks that no driver above the spec has been rejected since the run began,
// or waits for approval: a part lands with the whole.
func (r *Run) driverAllows(ctx context.Context) error {
	set, err := r.Store.Load(ctx)
	if err != nil {
		return err
	}
	driver, why := set.Graph().HeldByDriver(r.Job.ID)
	if r.unwaived(why) == "" {
		return nil
	}
	return &Failure{Kind: Withdrawn, Next: "chant approve " + driver.ID, Message: fmt.Sprintf("spec %q is a part of %q, which %s", r.Job.ID, driver.ID, why)}
}

func (r *Run) completedDriver(id string, src []byte) (*markdown.Document, error) {
	s, err := spec.Parse(id, store.SpecPath(id), src)
	if err != nil {
		return nil, err
	}
	change := DriverChange(id, "", r.Now())
	s.Status = *change.Force
	return s.Apply(change.Event, change.Edits...)
}

// DriverChange completes a driver whose members are all done. It was under way
// from its first member on, though nobody ever started it.
func DriverChange(id, why string, now time.Time) store.Change {
	return store.Change{
		ID: id, Event: spec.Complete, Force: UnderWay(), Why: why,
		Edits: []markdown.Edit{markdown.Set("completed_at", now.UTC().Format(time.RFC3339))},
	}
}

func (r *Run) driversSilently(ctx context.Context, due []string) error {
	if !r.Job.Silent {
		return nil
	}
	for _, id := range due {
		if _, err := r.Store.Transition(ctx, DriverChange(id, r.lastMember(), r.Now())); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) lastMember() string { return "Its last member " + r.Job.ID + " is done." }
