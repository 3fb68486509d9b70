package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/format/adopted"
	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/run/train"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/versions"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
)

// Lander merges a completed branch into its target, with the drivers that it completes.
type Lander struct {
	*attempt.Attempt
	Trees  *tree.Trees
	Places *tree.Places
	Guard  *guard.Guard
	Judge  *Judge

	Landed  bool   // the target has the work
	Landing string // the merge commit, "" if others than this process have merged the work
	LinedUp func() // called when the branch has its place in the queue; may be nil

	derived []string // spec files whose version on the side that lands was made from the target's
	merged  merge    // the last merge computed
	train   train.Train
	stacked *candidate // made while the branch waited; nil = none
}

// maxTries bounds how often a landing starts again because the target moved.
const maxTries = 5

// Land brings branch and status to the target in one merge commit, and returns that. complete is the newest complete
// commit of the branch that chant has made. Meanwhile the branch is a car of its target's train: it is checked behind those
// that land before it.
func (l *Lander) Land(ctx context.Context, complete string) (string, error) {
	car, err := l.car(ctx)
	if err != nil {
		return "", err
	}
	seat, err := l.train.Join(ctx, car)
	if err != nil {
		return "", err
	}
	if l.LinedUp != nil {
		l.LinedUp()
	}
	turn, err := seat.Await(ctx, l.Settings.Landing, &ahead{l})
	if err != nil {
		return "", errors.Join(l.notAwaited(err), seat.Leave())
	}
	again := false
	for range maxTries {
		err = l.landOnce(ctx, complete, seat)
		if git, ok := errors.AsType[*gitops.GitError](err); ok && git.Damaged() && !again {
			// No ref leads to the merge before the target does, so a "git gc --prune=now" may just have removed it.
			again, l.merged, l.stacked = true, merge{}, nil
			continue
		}
		// The target has moved meanwhile, so everything is computed and checked anew.
		if !errors.Is(err, gitops.ErrChanged) {
			break
		}
	}
	if errors.Is(err, gitops.ErrChanged) {
		err = &journal.Failure{Kind: spec.ReasonMoved, Message: fmt.Sprintf("%q kept moving while %q was landing", l.Job.Target, l.Job.ID)}
	}
	// Set even if leaving the train fails: the target has moved, and nothing may be undone any more.
	l.Landed = err == nil
	return l.Landing, errors.Join(err, seat.Leave(), turn.Release())
}

// landOnce lands on the target as it is now. The caller has its turn.
func (l *Lander) landOnce(ctx context.Context, complete string, seat *train.Seat) error {
	target, err := l.TargetTip(ctx)
	if err != nil {
		return err
	}
	tip, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Branch)
	if err != nil {
		return err
	}
	// A process that was killed may have moved the target just before.
	if done, err := l.alreadyLanded(ctx, target, tip); err != nil || done {
		return err
	}
	graph, err := l.Guard.MayLand(ctx, target, tip, complete)
	if err != nil {
		return err
	}
	c, err := l.candidateOn(ctx, target, tip, graph)
	if err != nil {
		return err
	}
	if err := l.show(ctx, seat, c); err != nil {
		return err
	}
	var completed []string
	for _, d := range c.drivers {
		completed = append(completed, d.change.ID)
	}
	if err := l.Guard.CheckLanding(ctx, target, c.merge, completed); err != nil {
		return err
	}
	// The criteria judge the tree before deltas are applied and folders archived, which they do not know.
	if err := l.Judge.Recheck(ctx, target, tip, c.merge); err != nil {
		return err
	}
	for _, a := range c.applied {
		l.announce(a)
	}
	// Before the target moves, so that nothing lands without evidence.
	if err := l.Judge.Note(ctx, c.lands); err != nil {
		return err
	}
	if err := l.noteDrivers(ctx, c.drivers); err != nil {
		return err
	}
	// The journal has the merge before the target does: after a kill, files that git has written so far are put back by it.
	if err := l.Journal.Record(journal.Land, journal.Note, c.lands); err != nil {
		return err
	}
	if err := l.advance(ctx, target, c.lands); err != nil {
		return err
	}
	// Git can report success after a hook of a person has moved the branch elsewhere.
	if err := l.verifyTarget(ctx, c.lands); err != nil {
		return err
	}
	l.Landing = c.lands
	// Only after the landing: no commit carries these, and a failed landing must not complete a driver.
	return l.driversSilently(ctx, c.drivers)
}

// candidate is a merge of the branch into a commit, ready to land where that is the target.
type candidate struct {
	on, tip string
	drivers []settledDriver
	merge   string          // the commit whose tree the criteria judge
	lands   string          // the commit that lands: with deltas applied and folders archived
	applied []appliedChange // of OpenSpec
}

// candidateOn merges the branch into a commit, with the drivers that it completes. One that was stacked there while the
// branch waited is taken as it is, so that those behind it are stacked on what lands.
func (l *Lander) candidateOn(ctx context.Context, on, tip string, graph *spec.Graph) (*candidate, error) {
	if c := l.stacked; c != nil && c.on == on && c.tip == tip && len(graph.DueDrivers(l.Job.ID)) == 0 {
		return c, nil
	}
	side, drivers, err := l.addDrivers(ctx, graph, on, tip)
	if err != nil {
		return nil, err
	}
	return l.mergeOn(ctx, on, tip, side, drivers)
}

func (l *Lander) mergeOn(ctx context.Context, on, tip, side string, drivers []settledDriver) (*candidate, error) {
	c := &candidate{on: on, tip: tip, drivers: drivers}
	tree, err := l.mergedTree(ctx, on, side)
	if err == nil {
		c.merge, err = l.Repo.CommitTree(ctx, tree, []string{on, side}, l.landingMessage())
	}
	if err != nil {
		return nil, err
	}
	final, applied, err := l.addDeltas(ctx, tree, side, drivers)
	c.lands, c.applied = c.merge, applied
	if err == nil && final != tree {
		c.lands, err = l.Repo.CommitTree(ctx, final, []string{on, side}, l.landingMessage())
	}
	return c, err
}

// alreadyLanded finds a landing that a killed process had finished, or that a person made by a merge or a squash.
func (l *Lander) alreadyLanded(ctx context.Context, target, tip string) (bool, error) {
	ok, err := l.Repo.IsAncestor(ctx, tip, target)
	if err != nil {
		return false, err
	}
	if ok {
		there, err := l.SpecAt(ctx, target)
		// Merged and taken back: landing again would not bring the changes back, since git has the commits.
		if err == nil && there.Status != spec.Completed && !l.Job.Silent {
			err = &journal.Failure{Kind: spec.ReasonWithdrawn, Next: next.Reset.On(l.Job.ID), Message: fmt.Sprintf("%q was merged into %q and taken back there", l.Job.Branch, l.Job.Target)}
		}
		return true, err
	}
	// After a squash the commits are not on the target, but merging changes nothing.
	m, err := l.mergeTree(ctx, target, tip)
	if err != nil || len(m.Conflicts) > 0 {
		return false, err
	}
	at, err := l.Repo.ReadCommit(ctx, target)
	return err == nil && at.Tree == m.Tree, err
}

// PutBack removes what a process that was killed while it landed has left in a checkout of the target: files of a merge
// commit that the target never got. The caller holds the run's lock.
func (l *Lander) PutBack(ctx context.Context) error {
	open := l.Journal.History().Open()
	if open == nil || open.Landing == "" {
		return nil
	}
	trees, err := l.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	// As in advance: a checkout shows the branch that a symbolic ref leads to.
	real, err := l.Repo.RealBranch(ctx, l.Job.Target)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if t.Branch != l.Job.Target && t.Branch != real || t.Prunable {
			continue
		}
		// Git has removed a merge commit that no ref leads to; then there is nothing to compare files with.
		if _, err := l.Repo.PutBack(ctx, t.Path, open.Landing); err != nil && !errors.Is(err, gitops.ErrNotFound) {
			return err
		}
	}
	return nil
}

// HasLanded reports whether the target contains what chant has completed on the branch, with the newest complete commit:
// the process that landed it was killed before it cleaned up, or a person has merged it.
func (l *Lander) HasLanded(ctx context.Context, complete string) (bool, error) {
	target, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Target)
	if errors.Is(err, gitops.ErrNotFound) || complete == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	tip, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Branch)
	if err != nil {
		return false, err
	}
	return l.alreadyLanded(ctx, target, tip)
}

func (l *Lander) landingMessage() string {
	return message.Commit{
		ID: l.Job.ID, Event: attempt.LandWord, Attempt: l.Job.Attempt,
		Subject: cmp.Or(strings.TrimSpace(l.Job.Title), l.Job.Branch),
	}.String()
}

// advance moves the target to the merge commit, together with index and files if it is checked out.
func (l *Lander) advance(ctx context.Context, target, merge string) error {
	// A rebase ends by moving the branch, which would drop the landing.
	if where, found, err := l.Repo.Rebasing(l.Job.Target); err != nil {
		return err
	} else if found {
		return &journal.Failure{Kind: spec.ReasonInTheWay, Next: next.Shell("git -C %q status", where), Message: fmt.Sprintf("%q is completed on %q but could not land: %q is being rebased in %q", l.Job.ID, l.Job.Branch, l.Job.Target, where)}
	}
	trees, err := l.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	// The target may be a symbolic ref, and a checkout shows the branch that it leads to.
	real, err := l.Repo.RealBranch(ctx, l.Job.Target)
	if err != nil {
		return err
	}
	for _, t := range trees {
		if t.Branch != l.Job.Target && t.Branch != real || t.Prunable {
			continue
		}
		// In a checkout, git moves branch, index and files together; a bare ref update would show as changes there.
		err := l.Repo.FastForward(ctx, t.Path, merge)
		var blocked *gitops.ConflictError
		if !errors.As(err, &blocked) {
			return err
		}
		// Files that another landing has just written conflict as well, and the person is not to blame for them.
		if now, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Target); err == nil && now != target {
			return gitops.ErrChanged
		}
		hidden, err := l.Repo.Hidden(ctx, t.Path)
		if err != nil {
			return err
		}
		return &journal.Failure{
			Kind: spec.ReasonInTheWay, Details: blocked.Files, Next: clearTheWay(l.Job.ID, blocked, hidden),
			Message: fmt.Sprintf("%q is completed on %q but could not land: %s", l.Job.ID, l.Job.Branch, blocked.Error()),
		}
	}
	// Compared with the target that was judged.
	return l.Repo.UpdateRef(ctx, "refs/heads/"+l.Job.Target, merge, target, "chant: land "+l.Job.ID)
}

// verifyTarget checks that the target is at the merge commit, or beyond it. Only then has the work landed, whatever git
// reported, and only then may its branch be removed.
func (l *Lander) verifyTarget(ctx context.Context, merge string) error {
	now, err := l.TargetTip(ctx)
	if err != nil || now == merge {
		return err
	}
	beyond, err := l.Repo.IsAncestor(ctx, merge, now)
	if err != nil || beyond {
		return err
	}
	return fmt.Errorf("%q is at %s instead of the merge commit %s: %w", l.Job.Target, attempt.Short(now), attempt.Short(merge), gitops.ErrChanged)
}

// clearTheWay is the next step if a person's checkout keeps work from landing: files that are in the way are set aside,
// also those that git was set not to look at (hidden); an operation that is under way must be finished by the person.
func clearTheWay(id string, blocked *gitops.ConflictError, hidden []string) next.Step {
	if len(blocked.Files) == 0 {
		return next.Shell("git status")
	}
	if blocked.Aside != "" {
		return next.Merge.On(id).After(blocked.Aside)
	}
	var unseen strings.Builder
	for _, file := range blocked.Files {
		if slices.Contains(hidden, file) {
			fmt.Fprintf(&unseen, " %q", file)
		}
	}
	if unseen.Len() > 0 {
		return next.Merge.On(id).After(fmt.Sprintf("git update-index --no-skip-worktree --%s && git update-index --no-assume-unchanged --%s && git stash --include-untracked", unseen.String(), unseen.String()))
	}
	return next.Merge.On(id).After("git stash --include-untracked")
}

// mergedTree computes the merge without touching any worktree. Conflicts in spec files are resolved field by field; any
// other conflict stops the landing.
func (l *Lander) mergedTree(ctx context.Context, target, side string) (string, error) {
	m, err := l.mergeTree(ctx, target, side)
	if err != nil {
		return "", err
	}
	joined := map[string][]byte{}
	clashes := map[string]bool{}
	for _, c := range m.Conflicts {
		merged, ok, err := l.JoinSpec(ctx, c)
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
		return "", l.Clash(names, NoMerge)
	}
	if err := l.keepsSpec(ctx, target, m.Tree); err != nil {
		return "", err
	}
	if len(joined) == 0 {
		return m.Tree, nil
	}
	var files []gitops.File
	for _, path := range slices.Sorted(maps.Keys(joined)) {
		files = append(files, gitops.File{Path: path, Content: joined[path]})
	}
	return l.Repo.WriteTree(ctx, m.Tree, files)
}

// keepsSpec returns the failure of a merged tree without the spec: git follows a file that was renamed or archived on the
// target, and nothing there could be judged or completed.
func (l *Lander) keepsSpec(ctx context.Context, target, merged string) error {
	if l.Job.Silent {
		return nil
	}
	own := store.SpecPath(l.Job.ID)
	_, err := l.Repo.ReadFile(ctx, merged, own)
	if !errors.Is(err, gitops.ErrNotFound) {
		return err
	}
	by := ""
	if commits, err := l.Repo.Touching(ctx, target, own); err != nil {
		return err
	} else if len(commits) > 0 {
		by = fmt.Sprintf(" (commit %s)", attempt.Short(commits[0].Hash))
	}
	what, step := "renamed or removed", next.Reset.On(l.Job.ID)
	if path, _, err := l.Store.RawArchived(l.Job.ID); err == nil {
		// No command acts on an archived spec.
		what, step = "archived", next.Shell("git mv %q %q && git commit", path, own)
	}
	return &journal.Failure{
		Kind: spec.ReasonWithdrawn, Next: step,
		Message: fmt.Sprintf("%q has %s the spec while it was being worked%s; its work is on %q", l.Job.Target, what, by, l.Job.Branch),
	}
}

// merge is the merge of two commits, which never changes.
type merge struct {
	ours, theirs string
	gitops.Merge
}

// mergeTree merges two commits, and remembers the last answer: a landing asks twice, while all other landings wait.
func (l *Lander) mergeTree(ctx context.Context, ours, theirs string) (gitops.Merge, error) {
	// A landing asks twice, while all others wait for it.
	if l.merged.ours == ours && l.merged.theirs == theirs {
		return l.merged.Merge, nil
	}
	m, err := l.Repo.MergeTree(ctx, ours, theirs)
	if err == nil {
		l.merged = merge{ours, theirs, m}
	}
	return m, err
}

// JoinSpec resolves a conflict in a spec file, or one about boxes alone in the folder that the spec adopts; ok is false
// for any other file.
func (l *Lander) JoinSpec(ctx context.Context, c gitops.Conflict) ([]byte, bool, error) {
	if c.Base == "" && c.Ours != "" && c.Theirs != "" && slices.Contains(l.derived, c.Path) {
		// The side has what becomes of the target's version.
		src, err := l.Repo.ReadBlob(ctx, c.Theirs)
		return src, err == nil, err
	}
	// A file that one side has added or removed has no fields to merge.
	if c.Base == "" || c.Ours == "" || c.Theirs == "" {
		return nil, false, nil
	}
	isSpec := strings.HasPrefix(c.Path, store.SpecsDir+"/")
	if !isSpec {
		if own, err := l.OwnSpec(ctx); err != nil || !own.Adopted().Has(c.Path) {
			return nil, false, err
		}
	}
	var blobs [3][]byte
	for i, hash := range []string{c.Base, c.Ours, c.Theirs} {
		var err error
		if blobs[i], err = l.Repo.ReadBlob(ctx, hash); err != nil {
			return nil, false, err
		}
	}
	// Members of one folder tick neighbouring lines, which git takes for a conflict.
	if !isSpec {
		merged, ok := adopted.MergeBoxes(blobs[0], blobs[1], blobs[2])
		return merged, ok, nil
	}
	merged, conflicts, err := versions.Merge(c.Path, blobs[0], blobs[1], blobs[2], versions.MergeRemarks(versions.MergeBoxes(func(b, o, t []byte) ([]byte, bool, error) {
		return l.Repo.MergeFile(ctx, b, o, t)
	})))
	if err == nil && c.Path == store.SpecPath(l.Job.ID) {
		merged, conflicts, err = guard.OwnApproval(c.Path, merged, blobs[2], conflicts)
	}
	return merged, err == nil && len(conflicts) == 0, nil
}

// The ways in which a branch conflicts with its target.
const (
	NoMerge  = "does not merge with"
	NoReplay = "cannot be replayed on"
)

// Clash is the failure of a branch that conflicts with the target.
func (l *Lander) Clash(files []string, how string) *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonConflict, Details: files, Next: l.WayOut(),
		Message: fmt.Sprintf("%q %s %q: conflict in %s", l.Job.Branch, how, l.Job.Target, strings.Join(files, ", ")),
	}
}

// Merges checks, without changing anything, whether the run's branch merges with the target as both are now. Errors:
// *Failure with the files, of the kind ReasonConflict, if it does not.
func (l *Lander) Merges(ctx context.Context) error {
	target, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Target)
	if err != nil {
		return err
	}
	tip, err := l.Repo.Resolve(ctx, "refs/heads/"+l.Job.Branch)
	if err != nil {
		return err
	}
	_, err = l.mergedTree(ctx, target, tip)
	return err
}
