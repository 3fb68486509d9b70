package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/verify"
	"chant/gitops"
	"chant/markdown"
)

// tries bounds how often a landing begins anew because the target moved.
const tries = 5

// land brings branch and status to the target in one merge commit. One landing
// at a time per repository; the others wait.
func (r *Run) land(ctx context.Context) (any, error) {
	path, err := r.Store.Local(store.Locks, "landing.lock")
	if err != nil {
		return nil, err
	}
	lock, err := gitops.AcquireWait(ctx, path, "land "+r.Job.ID)
	if err != nil {
		return nil, err
	}
	for range tries {
		err = r.landOnce(ctx)
		if !errors.Is(err, gitops.ErrChanged) {
			break
		}
	}
	if errors.Is(err, gitops.ErrChanged) {
		err = &Failure{Kind: Moved, Message: fmt.Sprintf("%q kept moving while %q was landing", r.Job.Target, r.Job.ID)}
	}
	r.Landed = err == nil
	return r.Landing, errors.Join(err, lock.Release())
}

func (r *Run) landOnce(ctx context.Context) error {
	target, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target)
	if err != nil {
		return err
	}
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return err
	}
	if done, err := r.alreadyLanded(ctx, target, tip); err != nil || done {
		return err
	}
	side, drivers, err := r.withDrivers(ctx, target, tip)
	if err != nil {
		return err
	}
	tree, err := r.mergedTree(ctx, target, side)
	if err != nil {
		return err
	}
	merge, err := r.Repo.CommitTree(ctx, tree, []string{target, side}, r.landingMessage())
	if err != nil {
		return err
	}
	if err := r.recheck(ctx, target, tip, merge); err != nil {
		return err
	}
	if err := r.record(Land, Note, merge); err != nil {
		return err
	}
	if err := r.advance(ctx, target, merge); err != nil {
		return err
	}
	r.Landing = merge
	return r.driversSilently(ctx, drivers)
}

// alreadyLanded sees a landing that a killed process had finished, or that a
// person made by hand, as a merge or squashed.
func (r *Run) alreadyLanded(ctx context.Context, target, tip string) (bool, error) {
	if ok, err := r.Repo.IsAncestor(ctx, tip, target); err != nil || ok {
		return ok, err
	}
	m, err := r.Repo.MergeTree(ctx, target, tip)
	if err != nil || len(m.Conflicts) > 0 {
		return false, err
	}
	at, err := r.Repo.ReadCommit(ctx, target)
	return err == nil && at.Tree == m.Tree, err
}

func (r *Run) landingMessage() string {
	return store.Message{
		ID: r.Job.ID, Event: "land", Attempt: r.Job.Attempt,
		Subject: cmp.Or(strings.TrimSpace(r.Job.Title), r.Job.Branch),
	}.String()
}

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
		store.Message{ID: due[0], Event: string(spec.Complete), Why: "Its last member " + r.Job.ID + " is done."}.String())
	return side, due, err
}

func (r *Run) completedDriver(id string, src []byte) (*markdown.Document, error) {
	s, err := spec.Parse(id, store.SpecPath(id), src)
	if err != nil {
		return nil, err
	}
	s.Status = spec.InProgress // a container is under way from its first member on
	return s.Apply(spec.Complete, r.driverFields()...)
}

func (r *Run) driverFields() []markdown.Edit {
	return []markdown.Edit{markdown.Set("completed_at", r.Now().UTC().Format("2006-01-02T15:04:05Z"))}
}

func (r *Run) driversSilently(ctx context.Context, due []string) error {
	if !r.Job.Silent {
		return nil
	}
	for _, id := range due {
		change := store.Change{ID: id, Event: spec.Complete, Force: statusIs(spec.InProgress), Edits: r.driverFields()}
		if _, err := r.Store.Transition(ctx, change); err != nil {
			return err
		}
	}
	return nil
}

// mergedTree computes the merge without touching any tree. Conflicts in spec
// files are joined field by field; all others stop the landing.
func (r *Run) mergedTree(ctx context.Context, target, side string) (string, error) {
	m, err := r.Repo.MergeTree(ctx, target, side)
	if err != nil {
		return "", err
	}
	joined := map[string][]byte{}
	clashes := map[string]bool{}
	for _, c := range m.Conflicts {
		merged, ok, err := r.joinSpec(ctx, c)
		if err != nil {
			return "", err
		}
		if !ok {
			clashes[c.Path] = true
			continue
		}
		joined[c.Path] = merged
	}
	if len(clashes) > 0 {
		names := slices.Sorted(maps.Keys(clashes))
		return "", &Failure{
			Kind: Conflicted, Details: names,
			Message: fmt.Sprintf("%q does not merge with %q: conflict in %s", r.Job.Branch, r.Job.Target, strings.Join(names, ", ")),
		}
	}
	if len(joined) == 0 {
		return m.Tree, nil
	}
	var files []gitops.File
	for _, path := range slices.Sorted(maps.Keys(joined)) {
		files = append(files, gitops.File{Path: path, Content: joined[path]})
	}
	return r.Repo.WriteTree(ctx, m.Tree, files)
}

// joinSpec resolves a conflict in a spec file; ok is false for anything else.
func (r *Run) joinSpec(ctx context.Context, c gitops.Conflict) ([]byte, bool, error) {
	if !strings.HasPrefix(c.Path, store.SpecsDir+"/") || c.Base == "" || c.Ours == "" || c.Theirs == "" {
		return nil, false, nil
	}
	var blobs [3][]byte
	for i, hash := range []string{c.Base, c.Ours, c.Theirs} {
		var err error
		if blobs[i], err = r.Repo.ReadBlob(ctx, hash); err != nil {
			return nil, false, err
		}
	}
	merged, conflicts, err := spec.Merge(c.Path, blobs[0], blobs[1], blobs[2], func(b, o, t []byte) ([]byte, bool, error) {
		return r.Repo.MergeFile(ctx, b, o, t)
	})
	return merged, err == nil && len(conflicts) == 0, nil
}

// recheck runs the criteria again on the merged tree, unless that tree is the
// one they already ran on: the target has not moved and this process or its
// journal vouches for the complete commit.
func (r *Run) recheck(ctx context.Context, target, tip, merge string) error {
	base, err := r.base(ctx)
	if err != nil {
		return err
	}
	if base == target && (r.Commit == tip || r.vouched(tip)) {
		return nil
	}
	why := fmt.Sprintf("%q has moved since", r.Job.Target)
	if base == target {
		why = "no journal tells of them for this commit"
	}
	r.emit(Land, "step", "running the criteria on the merged tree: %s", why)
	return r.InTree(ctx, merge, func(tree string) error {
		verdicts, err := r.check(ctx, tree)
		if err != nil {
			return err
		}
		r.Verdicts = verdicts
		if !verify.Holds(verdicts) {
			f := Unmet(verdicts)
			f.Message = "on the merged tree " + f.Message
			return f
		}
		return r.note(ctx, merge)
	})
}

func (r *Run) vouched(tip string) bool {
	for _, a := range r.History.Attempts {
		if a.Commit == tip {
			return true
		}
	}
	return false
}

// InTree runs do in a worktree of its own that has commit checked out and set
// up, and removes it afterwards.
func (r *Run) InTree(ctx context.Context, commit string, do func(tree string) error) error {
	path, err := r.treePath(".check-" + r.Job.ID + "-" + short(commit))
	if err != nil {
		return err
	}
	calm := context.WithoutCancel(ctx)
	if err := r.dropTree(calm, path); err != nil { // left by a process that was killed
		return err
	}
	if err := r.Repo.AddDetached(ctx, path, commit); err != nil {
		return errors.Join(err, r.dropTree(calm, path))
	}
	if err = r.setup(ctx, path); err == nil {
		err = do(path)
	}
	return errors.Join(err, r.dropTree(calm, path))
}

func (r *Run) dropTree(ctx context.Context, path string) error {
	trees, err := r.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if samePath(t.Path, path) {
			return r.Repo.RemoveWorktree(ctx, t.Path, true)
		}
	}
	return nil
}

// advance moves the target to the merge commit: with index and files where it
// is checked out, by its ref alone where it is not.
func (r *Run) advance(ctx context.Context, target, merge string) error {
	trees, err := r.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if t.Branch != r.Job.Target || t.Prunable {
			continue
		}
		err := r.Repo.FastForward(ctx, t.Path, merge)
		var blocked *gitops.ConflictError
		if !errors.As(err, &blocked) {
			return err
		}
		if now, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Target); err == nil && now != target {
			return gitops.ErrChanged
		}
		return &Failure{
			Kind: InTheWay, Details: blocked.Files,
			Message: fmt.Sprintf("%q is completed on %q but could not land: %s", r.Job.ID, r.Job.Branch, blocked.Error()),
		}
	}
	return r.Repo.UpdateRef(ctx, "refs/heads/"+r.Job.Target, merge, target, "chant: land "+r.Job.ID)
}
