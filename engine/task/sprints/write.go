package sprints

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/sprint"
	"chant/engine/store"
	"chant/engine/store/history"
	"chant/engine/task/taskboard"
	"chant/engine/task/tasks"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// withSprintLock calls a function while no other process changes sprints.
func withSprintLock(ctx context.Context, p *engine.Project, what string, act func() error) error {
	// The agent of a run decides nothing about sprints.
	if err := engine.MayInside(p, "sprint", ""); err != nil {
		return err
	}
	path, err := engine.LockFor(p, "sprints")
	if err != nil {
		return err
	}
	lock, err := lockfile.AcquireWait(ctx, path, what)
	if err != nil {
		return err
	}
	// A process that was killed may have written files without its commit.
	err = store.FinishKilled(ctx, p.Store)
	if err == nil {
		err = act()
	}
	return errors.Join(err, lock.Release())
}

// edit is the changes of one operation: files of sprints, and the sprints of specs. It becomes one commit.
type edit struct {
	subject string // of the commit
	files   []fileEdit
	sprints map[string][]int // the new sprints of specs, by id
}

// fileEdit replaces the file of a sprint; nil for none.
type fileEdit struct {
	id        int
	old, next []byte
}

// commit writes and commits an edit, or leaves everything as it was.
func (e edit) commit(ctx context.Context, p *engine.Project) error {
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return err
	}
	assign := func(ctx context.Context, ed *tasks.Editor, s *spec.File) error {
		return ed.Apply(ctx, s, tasks.Edit{Matter: []markdown.Edit{sprintsEdit(e.sprints[s.ID])}})
	}
	_, err = tasks.EditWhole(ctx, p, board, slices.Sorted(maps.Keys(e.sprints)), "update", e.subject, assign, func(b *store.Batch) {
		for _, f := range e.files {
			b.Write(path(f.id), f.old, f.next)
		}
	})
	return err
}

// sprintsEdit gives a spec its sprints.
func sprintsEdit(sprints []int) markdown.Edit {
	if len(sprints) == 0 {
		return markdown.Unset("sprints")
	}
	return markdown.Set("sprints", sprints)
}

// nextID returns the id of a new sprint: above those of all sprints that this clone or a commit shows.
func nextID(ctx context.Context, p *engine.Project, f files) (id int, err error) {
	used, err := taskboard.LastNumber(p, taskboard.Sprints)
	if err != nil {
		return 0, err
	}
	// An id of a sprint that was deleted, here or in another clone, is never given again.
	most := max(f.highest(), used)
	err = history.Ask(ctx, p.Store, p.Repo, func(l *history.Log) error {
		numbers, err := l.Numbers(ctx)
		most = max(most, numbers.Sprint)
		return err
	})
	return most + 1, err
}

// useID records the id of a sprint as used.
func useID(p *engine.Project, id int) error {
	used, err := taskboard.LastNumber(p, taskboard.Sprints)
	// A lower number would let ids be given twice.
	if err != nil || used >= id {
		return err
	}
	return taskboard.SetLastNumber(p, taskboard.Sprints, id)
}

// edited returns the edit that replaces the file of a sprint.
func edited(old, next *sprint.Sprint, verb string) edit {
	return edit{subject: fmt.Sprintf("%s sprint #%d", verb, next.ID), files: []fileEdit{{id: next.ID, old: old.Bytes(), next: next.Bytes()}}}
}
