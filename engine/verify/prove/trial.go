package prove

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/code/mutant"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/judge"
	"chant/engine/run/launch"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops"
)

// trial runs the criteria of a spec on wrong versions of its change.
type trial struct {
	p        *engine.Project
	judge    *judge.Judge
	launcher *launch.Launcher // of the agent that is asked for wrong versions
	s        *spec.File
	of       string          // the commit that the versions are of
	items    []criteria.Item // the cheapest first

	making sync.Mutex // of trees, since git locks its list of them
	free   []tree.Place
	first  tree.Place

	mu     sync.Mutex
	result *Result
	times  times
}

// run tries the hunks, and then mutants of the lines that a criterion depends on. What a context with a time limit leaves
// undone makes the result a sample.
func (t *trial) run(ctx context.Context, plan criteria.Plan, hunks []*version, changes []*change, in Input) error {
	many := linesIn(changes) > manyLines
	return t.judge.Places.InPlace(ctx, t.of, true, func(at tree.Place) error {
		report, err := t.judge.JudgePlan(ctx, at, plan, t.s.ID, t.p.Store.Evidence())
		if err != nil {
			return err
		}
		if !report.Verified {
			return unmet(t.s.ID, report.Criteria)
		}
		t.items, t.first, t.free = byCost(plan, report.Criteria), at, []tree.Place{at}
		t.result.Commands = commands(t.items)
		t.items = withoutNetwork(t.items, report.Criteria)
		for _, v := range report.Criteria {
			t.times.add(v, false)
		}
		if err := t.leaveOutBlind(ctx, changes); err != nil {
			return t.unlessOver(ctx, err)
		}
		if len(t.items) == 0 {
			return engine.Fail(engine.Unverified, next.Edit.On(t.s.ID), "nothing is measured, since each criterion of spec %q also fails if only the layout of what was changed is another one", t.s.ID)
		}
		if in.Agent != "" {
			if err := t.tryAsked(ctx, at, changes, in); err != nil {
				return t.unlessOver(ctx, err)
			}
		}
		if err := t.tryAll(ctx, t.some(hunks, many, in)); err != nil {
			return err
		}
		mutants, err := t.mutants(ctx, changes)
		if err != nil {
			return t.unlessOver(ctx, err)
		}
		return t.tryAll(ctx, t.some(mutants, many, in))
	})
}

// tryAsked tries the wrong versions that an agent has thought of. They come first: a person has asked for them, and they are few.
func (t *trial) tryAsked(ctx context.Context, at tree.Place, changes []*change, in Input) error {
	asked, unfit, err := t.ask(ctx, at, t.s, changes, in)
	if err != nil {
		return err
	}
	t.result.Total += len(asked) + unfit
	t.result.Unbuilt += unfit
	if unfit > 0 {
		t.result.Notes = append(t.result.Notes, fmt.Sprintf("%d of the %d wrong versions of %q do not apply to the change", unfit, len(asked)+unfit, in.Agent))
	}
	return t.tryAll(ctx, asked)
}

// commands lists the steps of items.
func commands(items []criteria.Item) (out []criteria.Step) {
	for _, item := range items {
		out = append(out, item.Steps...)
	}
	return out
}

// some counts versions and returns those to try, in their order: all, unless there are too many.
func (t *trial) some(all []*version, many bool, in Input) []*version {
	t.result.Total += len(all)
	// The first of a shuffled list are a fair sample, whenever the time ends.
	if in.Budget != "" || many {
		shuffle(all, in.Seed)
	}
	if many && len(all) > sample {
		t.result.Sampled = true
		all = all[:sample]
	}
	return all
}

// mutants returns the mutants of all files, except of lines that no criterion depends on.
func (t *trial) mutants(ctx context.Context, changes []*change) ([]*version, error) {
	except := map[string]map[int]bool{}
	for _, l := range t.result.Unexecuted {
		if except[l.File] == nil {
			except[l.File] = map[int]bool{}
		}
		except[l.File][l.Line] = true
	}
	var out []*version
	for _, c := range changes {
		found, err := c.mutants(ctx, except[c.Path])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			t.result.Notes = append(t.result.Notes, whyNoMutants(c.Path, err))
		}
		out = append(out, found...)
	}
	return out, nil
}

// unlessOver returns an error, but not that of a budget that has ended: then the result is a sample.
func (t *trial) unlessOver(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.result.Sampled = true
		return nil
	}
	return err
}

// tryAll tries versions side by side, one for each processor.
func (t *trial) tryAll(ctx context.Context, all []*version) error {
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan *version)
	var workers sync.WaitGroup
	for range min(runtime.NumCPU(), len(all)) {
		workers.Go(func() {
			for v := range queue {
				if err := t.try(limited, v); err != nil {
					// The first error ends the others.
					cancel(err)
				}
			}
		})
	}
	for _, v := range all {
		select {
		case queue <- v:
			continue
		case <-limited.Done():
		}
		break
	}
	close(queue)
	workers.Wait()
	return t.unlessOver(ctx, context.Cause(limited))
}

// try runs the criteria on a version and counts it.
func (t *trial) try(ctx context.Context, v *version) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	how, err := t.noticed(ctx, v)
	if err != nil {
		return err
	}
	if how == survived && t.p.Progress != nil {
		t.p.Progress(engine.Event{Time: t.p.Now(), ID: t.s.ID, Step: journal.Verify, Kind: "step", Text: fmt.Sprintf("%s:%d %s is not noticed", v.file, v.line, v.kind)})
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch how {
	case killed:
		t.result.Killed++
	case notBuilt:
		t.result.Unbuilt++
	case notParsed:
		t.result.Total--
	case survived:
		t.result.Survivors = append(t.result.Survivors, criteria.Survivor{Kind: v.kind, File: v.file, Line: v.line, Diff: v.diff, Patch: v.patch()})
		for _, line := range v.lines {
			t.result.Unexecuted = append(t.result.Unexecuted, criteria.Line{File: v.file, Line: line})
		}
	}
	return nil
}

// leaveOutBlind removes the criteria that fail although only the layout of the changed programs is another one, and the commit:
// they compare texts or names of commits, so they would notice every wrong version.
func (t *trial) leaveOutBlind(ctx context.Context, changes []*change) error {
	blind := t.items
	// A formatter accepts a comment, and a linter of comments an empty line.
	for _, end := range []func(string) string{commentFor, func(string) string { return "\n" }} {
		if len(blind) == 0 {
			return nil
		}
		same, err := sameProgram(ctx, changes, end)
		if err == nil {
			blind, err = t.failing(ctx, same, blind)
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(blind, func(a, b criteria.Item) int { return a.Number - b.Number })
	for _, item := range blind {
		t.result.Notes = append(t.result.Notes, fmt.Sprintf("left out: criterion %d, which also fails if only a comment or an empty line is added, in another commit", item.Number))
	}
	t.items = slices.DeleteFunc(t.items, func(item criteria.Item) bool {
		return slices.ContainsFunc(blind, func(b criteria.Item) bool { return b.ID == item.ID })
	})
	return nil
}

// commentFor returns a comment at the end of a file of a language, in a layout that its usual formatter keeps.
func commentFor(name string) string {
	switch path.Ext(name) {
	case ".go", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".rs", ".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".kt", ".kts", ".swift", ".scala", ".dart":
		return "\n// The end.\n"
	case ".py":
		return "\n\n# The end.\n"
	case ".rb", ".sh", ".bash":
		return "\n# The end.\n"
	case ".lua":
		return "\n-- The end.\n"
	}
	return "\n"
}

// sameProgram returns a version of a change that does the same: only the layout at the end of its programs is another one.
func sameProgram(ctx context.Context, changes []*change, end func(name string) string) (*version, error) {
	same := &version{file: "only layout"}
	for _, c := range changes {
		if c.deleted || c.Binary || len(c.hunks) == 0 {
			continue
		}
		// In files that are no programs, an empty line may mean something.
		if _, err := mutant.Parse(ctx, c.Path, c.now); err == nil {
			same.files = append(same.files, gitops.File{Path: c.Path, Content: append(slices.Clone(c.now), end(c.Path)...), Executable: c.isProgram})
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return same, nil
}

// failing returns the items whose criteria fail on a version. What takes too long does not say that it fails.
func (t *trial) failing(ctx context.Context, v *version, items []criteria.Item) (out []criteria.Item, err error) {
	commit, err := t.commit(ctx, v)
	if err != nil {
		return nil, err
	}
	at, err := t.take(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		// The next one in this place may want the change as it is.
		var back error
		at, back = t.judge.Places.Switch(ctx, at, t.of)
		t.give(at)
		err = errors.Join(err, back)
	}()
	for _, item := range items {
		// What one criterion has changed in tracked files must not fail the next.
		if at, err = t.judge.Places.Switch(ctx, at, commit); err != nil {
			return nil, err
		}
		report, err := t.judgeItem(ctx, at, item)
		if err != nil && !isSpoiled(err) {
			return nil, err
		}
		if err != nil || isFailure(report.Criteria[0]) {
			out = append(out, item)
		}
	}
	return out, nil
}

// isFailure reports whether a verdict says that something failed, and not that it took too long.
func isFailure(v criteria.Verdict) bool {
	return !v.Holds && !slices.ContainsFunc(v.Evidence, func(ev criteria.Evidence) bool { return ev.TimedOut })
}

func (t *trial) judgeItem(ctx context.Context, at tree.Place, item criteria.Item) (criteria.Report, error) {
	return t.judge.JudgePlan(ctx, at, criteria.Plan{Items: []criteria.Item{t.limited(item)}}, t.s.ID, nil)
}

// noticed reports how the criteria take a version.
func (t *trial) noticed(ctx context.Context, v *version) (notices, error) {
	if parses, err := v.build(ctx); err != nil || !parses {
		return notParsed, err
	}
	commit, err := t.commit(ctx, v)
	if err != nil {
		return 0, err
	}
	at, err := t.take(ctx)
	if err != nil {
		return 0, err
	}
	at, err = t.judge.Places.Switch(ctx, at, commit)
	defer t.give(at)
	if err != nil {
		return 0, err
	}
	for _, item := range t.items {
		report, err := t.judgeItem(ctx, at, item)
		if isSpoiled(err) {
			return killed, nil
		}
		if err != nil {
			return 0, err
		}
		how := noticeOf(report.Criteria[0])
		if how != notBuilt {
			t.mu.Lock()
			t.times.add(report.Criteria[0], true)
			t.mu.Unlock()
		}
		if how != survived {
			return how, nil
		}
	}
	// Commands that pass and change tracked files do not make a criterion hold.
	if err := t.judge.Places.Restore(ctx, at); isSpoiled(err) {
		return killed, nil
	} else if err != nil {
		return 0, err
	}
	return survived, nil
}

func isSpoiled(err error) bool {
	f, ok := errors.AsType[*journal.Failure](err)
	return ok && f.Kind == spec.ReasonSpoiled
}

// limited is an item whose commands end when they take too long, as a loop without an end does.
func (t *trial) limited(item criteria.Item) criteria.Item {
	t.mu.Lock()
	defer t.mu.Unlock()
	item.Steps = slices.Clone(item.Steps)
	for i := range item.Steps {
		item.Steps[i].Options.Timeout = spec.Span(t.times.limit(item.Steps[i].Line))
	}
	return item
}

// times are the longest times that commands took, in seconds, by their lines.
type times map[string]commandTime

type commandTime struct {
	longest float64
	built   bool // the time of a wrong version is among them
}

// add adds the commands of a verdict, on the unchanged tree or on a wrong version.
func (t times) add(v criteria.Verdict, wrong bool) {
	for _, ev := range v.Evidence {
		// How long it would have taken is unknown.
		if !ev.TimedOut {
			t[ev.Command] = commandTime{max(t[ev.Command].longest, ev.Seconds), t[ev.Command].built || wrong}
		}
	}
}

// limit returns how long a command may take. What was built for the unchanged tree has to be built again for a wrong version,
// which takes an unknown time until one has done so.
func (t times) limit(line string) time.Duration {
	limit := time.Duration(3*t[line].longest*float64(time.Second)) + time.Second
	if !t[line].built {
		limit += 20 * time.Second
	}
	return limit
}

// commit makes a commit of a version, which has the parents of the commit that it is of and which no ref leads to.
func (t *trial) commit(ctx context.Context, v *version) (string, error) {
	of, err := t.p.Repo.ReadCommit(ctx, t.of)
	if err != nil {
		return "", err
	}
	written, err := t.p.Repo.WriteTree(ctx, of.Tree, v.files)
	if err != nil {
		return "", err
	}
	return t.p.Repo.CommitUnsigned(ctx, written, of.Parents, "A wrong version of "+v.file+", on no branch")
}

// take returns a place in which no command runs.
func (t *trial) take(ctx context.Context) (tree.Place, error) {
	t.making.Lock()
	defer t.making.Unlock()
	if last := len(t.free) - 1; last >= 0 {
		at := t.free[last]
		t.free = t.free[:last]
		return at, nil
	}
	return t.judge.Places.AddTree(ctx, t.first)
}

func (t *trial) give(at tree.Place) {
	t.making.Lock()
	defer t.making.Unlock()
	t.free = append(t.free, at)
}
