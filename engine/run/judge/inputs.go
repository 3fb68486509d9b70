package judge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/inputs"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/touched"
	"chant/gitops"
)

// This file decides which results count for a merged tree although they were found on another one (verify.inputs).

// lent identifies the uncommitted files that trees get copies of or links to; nil if nothing depends on them.
type lent map[string]string

// readLent reads them before a plan is judged.
func (j *Judge) readLent(ctx context.Context, plan criteria.Plan) (lent, error) {
	// A linked folder can have many thousand files.
	if !plan.HasInputs() {
		return nil, nil
	}
	return j.Guard.Lent(ctx)
}

// unaffected returns the verdicts of a plan that count for a merge without running their commands there: they were found
// on another tree, and nothing that differs is an input of theirs.
func (j *Judge) unaffected(ctx context.Context, plan criteria.Plan, tip string, merge gitops.Commit) ([]criteria.Verdict, error) {
	if !plan.HasInputs() {
		return nil, nil
	}
	// Nothing says which files these read.
	if len(j.Settings.SetupCmd) > 0 {
		j.announceOnce("verify.inputs saves no check: the commands of worktree.setup may read any file")
		return nil, nil
	}
	digest, err := plan.Digest()
	if err != nil {
		return nil, err
	}
	results, err := j.results(ctx, tip, merge.Hash)
	if err != nil {
		return nil, err
	}
	// The criteria may have changed since.
	results = slices.DeleteFunc(results, func(r result) bool { return r.Plan != digest })
	var out []criteria.Verdict
	since := map[[2]string]*difference{}
	for _, item := range plan.Items {
		for _, r := range results {
			v, tree, ok := r.Find(item)
			if !ok || item.Inputs() == nil {
				continue
			}
			d := since[[2]string{tree, r.own}]
			if d == nil {
				if d, err = j.differenceTo(ctx, tree, r.own, merge); err != nil {
					return nil, err
				}
				since[[2]string{tree, r.own}] = d
			}
			affected, err := d.affects(ctx, item)
			if err != nil {
				return nil, err
			}
			if !affected {
				out = append(out, v)
				break
			}
		}
	}
	return out, nil
}

// result is a report that is believed.
type result struct {
	criteria.Report
	own string // the commit or tree whose spec chant may have completed since the criteria ran, which they do not depend on
}

// results returns the reports that were found with the same uncommitted files beside the tree as there are now.
func (j *Judge) results(ctx context.Context, tip, merge string) (out []result, err error) {
	now, err := j.Guard.Lent(ctx)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(j.known)) {
		if k := j.known[key]; maps.Equal(k.lent, now) {
			out = append(out, result{k.report, k.report.Tree})
		}
	}
	judged, err := j.Guard.UnderDecisions(ctx, tip)
	if err != nil {
		return nil, err
	}
	found, why, err := j.believed(ctx, judged, merge)
	if err != nil || why != "" {
		return out, err
	}
	same := maps.Equal(j.lent, now)
	if j.judged != judged {
		// Which files another process had is not known well enough.
		same = len(now) == 0 && len(found.Attestation.Statement.Predicate.Chant.Outside) == 0
	}
	if same {
		out = append(out, result{found.Report, judged})
	}
	return out, nil
}

// difference is what differs between a tree on which criteria ran and a merge.
type difference struct {
	commits touched.Commits
	from    string
	to      gitops.Commit
	id      string // of the spec
	all     bool   // it may affect every criterion
	changes []gitops.Change
	known   map[string]bool // whether inputs differ, by their globs
	report  func(format string, args ...any)
}

// differenceTo compares a tree with a merge. own has the spec as it was when the criteria had run on the tree.
func (j *Judge) differenceTo(ctx context.Context, tree, own string, merge gitops.Commit) (*difference, error) {
	d := &difference{commits: touched.Commits{Repo: j.Repo, Store: j.Store}, from: tree, to: merge, id: j.Job.ID, known: map[string]bool{}, report: j.announceOnce}
	changes, err := j.Repo.Diff(ctx, tree, merge.Tree)
	if errors.Is(err, gitops.ErrNotFound) {
		// Git has removed the tree, which no ref leads to.
		d.all = true
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	d.changes = changes
	d.all = slices.ContainsFunc(changes, affectsAll)
	isOwn := func(c gitops.Change) bool { return c.Path == store.SpecPath(j.Job.ID) }
	if !d.all && slices.ContainsFunc(changes, isOwn) {
		d.all, err = j.isReworded(ctx, own, merge.Tree)
	}
	return d, err
}

// affectsAll reports whether a change may affect every criterion: of a link, of a submodule, of how git writes files, or of what
// is below .chant other than specs. A rename is two changes.
func affectsAll(c gitops.Change) bool {
	name := touched.Fold(path.Base(c.Path))
	return c.Gitlink || c.WasGitlink || c.Link || c.WasLink || name == ".gitmodules" || name == gitops.AttributesFile || touched.KindOf(c.Path, nil) != ""
}

// isReworded reports whether the run's own spec says something else in two trees, apart from its progress.
func (j *Judge) isReworded(ctx context.Context, was, is string) (bool, error) {
	before, err := j.Store.ReadAt(ctx, was, j.Job.ID)
	if errors.Is(err, gitops.ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	after, err := j.Store.ReadAt(ctx, is, j.Job.ID)
	return err == nil && before.ContentHash() != after.ContentHash(), err
}

// affects reports whether the difference may change the result of an item.
func (d *difference) affects(ctx context.Context, item criteria.Item) (bool, error) {
	if d.all || slices.ContainsFunc(d.changes, func(c gitops.Change) bool { return item.Reads(c.Path, d.id) }) {
		return true, nil
	}
	globs, derived, err := d.inputsOf(ctx, item)
	if err != nil || !derived {
		return true, err
	}
	key := strings.Join(globs, "\x00")
	if _, known := d.known[key]; !known {
		// A file that a link leads to counts by each of its names, as for protected files.
		found, err := d.commits.Guarded(ctx, d.from, d.to.Tree, touched.Rules{Protect: globs})
		if err != nil {
			return false, err
		}
		d.known[key] = len(found) > 0
	}
	return d.known[key], nil
}

// inputsOf returns the globs of an item's inputs; those that are derived are inputs in either tree. derived is false if some
// cannot be.
func (d *difference) inputsOf(ctx context.Context, item criteria.Item) (globs []string, derived bool, err error) {
	globs = item.Inputs()
	if !slices.Contains(globs, spec.InputsAuto) {
		return globs, true, nil
	}
	globs = slices.DeleteFunc(globs, func(glob string) bool { return glob == spec.InputsAuto })
	// What is imported from above the project is not in its files.
	if d.commits.Repo.Folder() != "" {
		d.report("every file is an input of criterion %d, since the project is in a folder of its repository", item.Number)
		return nil, false, nil
	}
	for _, tree := range []string{d.from, d.to.Tree} {
		files, err := d.commits.Repo.FS(ctx, tree)
		if err != nil {
			return nil, false, err
		}
		for _, step := range item.Steps {
			found, why := inputs.Derive(files, step.Line, step.Options.Dir, step.Options.Env)
			if why != "" {
				d.report("every file is an input of criterion %d, since %s", item.Number, why)
				return nil, false, nil
			}
			globs = append(globs, found...)
		}
	}
	slices.Sort(globs)
	return slices.Compact(globs), true, nil
}

// announceOnce reports something about inputs that is so for the whole run.
func (j *Judge) announceOnce(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(j.announced, text) {
		j.announced = append(j.announced, text)
		j.Announce(journal.Land, "step", "%s", text)
	}
}

// announceMerged says which criteria run on a merged tree. more says why they do.
func (j *Judge) announceMerged(plan criteria.Plan, known []criteria.Verdict, more string) {
	if len(known) == 0 {
		j.Announce(journal.Land, "step", "running the criteria on the merged tree%s", more)
		return
	}
	var kept []string
	for _, v := range known {
		kept = append(kept, fmt.Sprintf("%d (as on tree %s)", v.Number, attempt.Short(v.Evidence[0].Tree)))
	}
	j.Announce(journal.Land, "step", "not run again on the merged tree, since their inputs are unchanged: criteria %s", strings.Join(kept, ", "))
	if plan.Without(known).Runs() {
		j.Announce(journal.Land, "step", "running the other criteria on the merged tree%s", more)
	}
}
