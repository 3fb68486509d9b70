package taskboard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/history"
	"chant/engine/store/local"
)

// NextNumber returns the key of the next task of a project, and records that it was given. The caller holds the lock of
// add. A number is above that of every task that the project has or had, as far as this clone knows, and of the tasks
// of lotar that were not imported yet.
func NextNumber(ctx context.Context, p *engine.Project, prefix string) (key string, err error) {
	last, err := LastNumber(p, prefix)
	if err != nil {
		return "", err
	}
	w, err := lotar.Find(p.Repo.Dir(), p.Environ, engine.Home(p))
	if err != nil {
		return "", err
	}
	// A task that was fetched may have a higher number, so the next one is only taken if no spec has it.
	if last > 0 && !w.HasNumber(prefix, last+1) {
		key = task.Key(prefix, last+1)
		_, err = store.TaskSpec(ctx, p.Store, key)
		if _, missing := errors.AsType[*spec.NotFoundError](err); missing {
			return key, SetLastNumber(p, prefix, last+1)
		}
	}
	// Reading all specs and the history is slow, so it is left for the first number and for a collision.
	known, err := highestNumber(ctx, p, prefix)
	if err != nil {
		return "", err
	}
	elsewhere, err := w.HighestNumber(prefix)
	if err != nil {
		return "", err
	}
	n := max(last, known, elsewhere) + 1
	return task.Key(prefix, n), SetLastNumber(p, prefix, n)
}

// highestNumber returns the highest number in the active and archived specs and in the history.
func highestNumber(ctx context.Context, p *engine.Project, prefix string) (int, error) {
	highest := 0
	see := func(key string) {
		if of, n, ok := task.ParseKey(key); ok && strings.EqualFold(of, prefix) {
			highest = max(highest, n)
		}
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return 0, err
	}
	for _, s := range set.Specs {
		see(string(s.Fields.Task))
	}
	archived, _, err := p.Store.LoadArchived()
	if err != nil {
		return 0, err
	}
	for _, s := range archived {
		see(string(s.Fields.Task))
	}
	// A number of a task that was deleted is in no spec any more, but in a commit.
	err = history.Ask(ctx, p.Store, p.Repo, func(log *history.Log) error {
		known, err := log.Numbers(ctx)
		for of, n := range known.Tasks {
			if strings.EqualFold(of, prefix) {
				highest = max(highest, n)
			}
		}
		return err
	})
	return highest, err
}

// LastNumber returns the last number that this clone has given under a name, 0 if none.
func LastNumber(p *engine.Project, name string) (int, error) {
	path, err := numberFile(p, name)
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	n, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || bad != nil {
		// A broken file counts as missing: then the specs and the history are searched.
		return 0, err
	}
	return max(n, 0), nil
}

// SetLastNumber records a number as given.
func SetLastNumber(p *engine.Project, name string, n int) error {
	path, err := numberFile(p, name)
	if err != nil {
		return err
	}
	return disk.Write(path, fmt.Appendf(nil, "%d\n", n), disk.Options{})
}

// Sprints is the name under which the ids of sprints are counted; other names are prefixes of tasks.
const Sprints = "@sprint"

func numberFile(p *engine.Project, name string) (string, error) {
	if name == Sprints {
		return p.Store.Local(local.Numbers, name)
	}
	// The name becomes that of a file.
	if !taskfields.IsKey(name + "-1") {
		return "", fmt.Errorf("numbers have no name %q", name)
	}
	return p.Store.Local(local.Numbers, strings.ToUpper(name))
}

// KeyOf returns the key that a text means which is only a number, such as 12 or #12, in the project of the settings;
// any other text as it is. Digits that begin with 0 are a part of a spec id.
func (b Board) KeyOf(text string) string {
	digits := strings.TrimPrefix(text, "#")
	// Digits that begin with 0 are a part of a spec id.
	if digits == "" || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' {
		return text
	}
	return b.Settings.Project + "-" + digits
}
