package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/format/lotar"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/task/taskboard"
)

// plan is an import under way.
type plan struct {
	p      *engine.Project
	from   source
	batch  *store.Batch
	ours   *task.Settings      // of the project, in which the tasks are shown from now on
	ids    map[string]string   // of specs, by the numbers of their tasks in upper case
	keys   map[string]string   // the reverse
	isNew  map[string]bool     // ids that this import creates
	member map[string][]int    // sprints of tasks, by their numbers in upper case
	deps   map[string][]string // ids that a new spec depends on

	tasks    []ImportedTask
	sprints  []int
	present  []string
	warnings []string
}

// newPlan returns a plan for what a directory contains, or only for what was not imported before.
func newPlan(ctx context.Context, p *engine.Project, from source, onlyNew bool) (*plan, error) {
	if onlyNew {
		before, err := importedBefore(ctx, p, from.workspace)
		if err != nil {
			return nil, err
		}
		from.tasks = slices.DeleteFunc(from.tasks, func(f lotar.TaskFile) bool { return before(f.Key()) })
		from.sprints = slices.DeleteFunc(from.sprints, func(f lotar.SprintFile) bool { return before(lotar.SprintName(f.Number)) })
	}
	board, err := taskboard.Open(ctx, p, "")
	if err != nil {
		return nil, err
	}
	pl := &plan{
		p: p, from: from, batch: store.NewBatch(p.Store), ours: board.Settings,
		ids: map[string]string{}, keys: map[string]string{}, isNew: map[string]bool{}, member: map[string][]int{}, deps: map[string][]string{},
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return nil, err
	}
	created := map[string]string{}
	for _, s := range set.Specs {
		pl.setKey(string(s.Fields.Task), s.ID)
		created[s.ID] = string(s.Fields.Created)
	}
	// A number of an archived spec is not free either.
	archived, _, err := p.Store.LoadArchived()
	if err != nil {
		return nil, err
	}
	for _, s := range archived {
		pl.setKey(string(s.Fields.Task), s.ID)
		created[s.ID] = string(s.Fields.Created)
	}
	pl.warnOfOthers(created)
	pl.warnOfSettings(board.Workspace)
	pl.giveIDs(append(set.IDs(), set.Archived...))
	return pl, nil
}

func (pl *plan) setKey(key, id string) {
	if key != "" {
		pl.ids[strings.ToUpper(key)], pl.keys[id] = id, key
	}
}

// warnOfOthers reports numbers that chant has given to another task.
func (pl *plan) warnOfOthers(created map[string]string) {
	for _, f := range pl.from.tasks {
		if id := pl.ids[strings.ToUpper(f.Key())]; id != "" && created[id] != strings.TrimSpace(f.Task.Created) {
			pl.warn("%s is another task in chant (spec %q), so %s is not imported", f.Key(), id, f.Path)
		}
	}
}

// warnOfSettings reports settings of another directory, which do not apply here.
func (pl *plan) warnOfSettings(here lotar.Workspace) {
	config := filepath.Join(pl.from.workspace.Dir, "config.yml")
	if _, err := os.Stat(config); err == nil && here.Dir != pl.from.workspace.Dir {
		pl.warn("the settings in %s are not imported; copy it to %s if they are to apply here", config, filepath.Join(here.Dir, "config.yml"))
	}
}

// giveIDs gives each new task the next id of the day on which it was created.
func (pl *plan) giveIDs(ids []string) {
	byDay := map[string][]string{}
	for _, text := range ids {
		if id, err := spec.ParseID(text); err == nil {
			byDay[id.Date] = append(byDay[id.Date], text)
		}
	}
	for i := range pl.from.tasks {
		f := &pl.from.tasks[i]
		// A second import adds only what is new.
		if _, known := pl.ids[strings.ToUpper(f.Key())]; known {
			pl.present = append(pl.present, f.Key())
			continue
		}
		day := creationDay(pl.p.Now(), f.Task.Created, f.Task.Modified)
		id := spec.NewID(day, pl.p.Config.Project.Prefix, suffixOf(f.Key(), f.Task.Created), byDay[day.Format(spec.DateLayout)])
		// The next task of the same day must not get the same id.
		byDay[id.Date] = append(byDay[id.Date], id.String())
		pl.setKey(f.Key(), id.String())
		pl.isNew[id.String()] = true
	}
}

// recordNumbers makes the numbers of new tasks continue after those that were imported.
func (pl *plan) recordNumbers() error {
	highest := map[string]int{}
	for _, made := range pl.tasks {
		if prefix, n, ok := task.ParseKey(made.Key); ok {
			highest[prefix] = max(highest[prefix], n)
		}
	}
	for _, prefix := range slices.Sorted(maps.Keys(highest)) {
		last, err := taskboard.LastNumber(pl.p, prefix)
		// Without a last number, the next one is found by looking at all specs.
		if err == nil && last > 0 && last < highest[prefix] {
			err = taskboard.SetLastNumber(pl.p, prefix, highest[prefix])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// creationDay is the day on which a task was created, by the first of some times that can be read, or now.
func creationDay(now time.Time, times ...string) time.Time {
	for _, text := range times {
		// The id has a year of four digits.
		if at, err := time.Parse(time.RFC3339, text); err == nil && at.Year() >= 1970 && at.Year() <= 9999 {
			return at.UTC()
		}
		if at, err := time.Parse(time.DateOnly, text); err == nil && at.Year() >= 1970 {
			return at
		}
	}
	return now.UTC()
}

// suffixOf returns three digits of base 36 for the id of a task, by its number elsewhere and when it was created.
func suffixOf(key, created string) string {
	// Always the same three digits, so that a task has one id while it is read in place, after the import, and in every
	// clone that imports it.
	sum := sha256.Sum256([]byte(strings.ToUpper(key) + " " + created))
	const all = 36 * 36 * 36
	digits := strconv.FormatUint(binary.BigEndian.Uint64(sum[:])%all, 36)
	return strings.Repeat("0", 3-len(digits)) + digits
}

// settingsOf returns the settings of a directory for one of its projects.
func settingsOf(p *engine.Project, w lotar.Workspace, project string) (*task.Settings, error) {
	st, err := w.Settings(project, filepath.Base(engine.Home(p)), p.Environ)
	st.States = p.Config.Tasks.Statuses
	return &st, err
}

// fill composes all specs and sprints.
func (pl *plan) fill(ctx context.Context) error {
	known, err := existingSprints(pl.p)
	if err != nil {
		return err
	}
	pl.readMembers(known)
	pl.readDependencies()
	for i := range pl.from.tasks {
		f := &pl.from.tasks[i]
		id := pl.ids[strings.ToUpper(f.Key())]
		if !pl.isNew[id] {
			continue
		}
		// So that a second file with the same number is left out.
		delete(pl.isNew, id)
		src, err := pl.compose(f, id)
		if err != nil {
			return err
		}
		pl.batch.Create(id, "import", src)
		pl.batch.Number(f.Key())
		pl.tasks = append(pl.tasks, ImportedTask{Key: f.Key(), ID: id, Title: spec.OneLine(f.Task.Title)})
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for i := range pl.from.sprints {
		f := &pl.from.sprints[i]
		if _, has := known[f.Number]; has {
			pl.present = append(pl.present, lotar.SprintName(f.Number))
			continue
		}
		src, err := pl.composeSprint(f)
		if err != nil {
			return err
		}
		pl.batch.Write(store.SprintPath(f.Number), nil, src)
		pl.sprints = append(pl.sprints, f.Number)
	}
	return nil
}

func (pl *plan) warn(format string, args ...any) {
	pl.warnings = append(pl.warnings, fmt.Sprintf(format, args...))
}
