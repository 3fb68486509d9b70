package sprints

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/atomicfile"
	"chant/engine/history"
	"chant/engine/spec"
	"chant/engine/sprint"
	"chant/engine/store"
	"chant/engine/taskboard"
	"chant/engine/tasks"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// alone calls a function while no other process changes sprints.
func alone(ctx context.Context, p *engine.Project, what string, act func() error) error {
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
	err = store.FinishKilled(ctx, p.Store)
	if err == nil {
		err = act()
	}
	return errors.Join(err, lock.Release())
}

// edit is what one operation changes: files of sprints, and the sprints of specs. It becomes one commit.
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

// counterName is the name under which this clone keeps the highest id that it has used.
const counterName = "@sprint"

// nextID returns the id of a new sprint: above those of all sprints that this clone or a commit shows.
func nextID(ctx context.Context, p *engine.Project, f files) (id int, err error) {
	most := max(f.highest(), usedID(p))
	err = history.Ask(ctx, p.Store, p.Repo, func(l *history.Log) error {
		numbers, err := l.Numbers(ctx)
		most = max(most, numbers.Sprint)
		return err
	})
	return most + 1, err
}

// usedID returns the highest id that this clone has used, as far as it knows.
func usedID(p *engine.Project) int {
	src, err := os.ReadFile(p.Store.LocalPath(store.Numbers, counterName))
	if err != nil {
		return 0
	}
	id, err := strconv.Atoi(strings.TrimSpace(string(src)))
	if err != nil || id < 0 {
		return 0
	}
	return id
}

// useID records the id of a new sprint.
func useID(p *engine.Project, id int) error {
	path, err := p.Store.Local(store.Numbers, counterName)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, []byte(strconv.Itoa(id)+"\n"), atomicfile.Options{})
}

// edited returns the edit that replaces the file of a sprint.
func edited(old, next *sprint.Sprint, verb string) edit {
	return edit{subject: fmt.Sprintf("%s sprint #%d", verb, next.ID), files: []fileEdit{{id: next.ID, old: old.Bytes(), next: next.Bytes()}}}
}
