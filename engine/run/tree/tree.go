package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/gitops/lockfile"
	"chant/gitops/rootdir"
)

// Trees creates, finds, prepares and removes the worktrees of a run. The fields are what it has found and done.
type Trees struct {
	*attempt.Attempt
	Tree      string   // the worktree of the run, "" while there is none
	Made      bool     // this process created the worktree
	Collected string   // the commit of what was uncommitted in it, "" for none
	Rescued   []string // refs and folders that keep what a removed tree or branch held

	catching bool // this process has begun to merge or rebase in the worktree
	checked  bool // nothing in the worktree stops git since the agent of the attempt has ended
	ports    *lease
}

// Use takes the worktree that an attempt has left. checked reports whether its agent has ended under a process, which
// then has removed what stops git.
func (t *Trees) Use(tree string, checked bool) { t.Tree, t.checked = tree, checked }

// Worktrees returns the worktrees that an agent could have written to: one in which something runs, and its own.
func (t *Trees) Worktrees(tree string) []string {
	trees := []string{tree}
	if t.Tree != "" {
		trees = append(trees, t.Tree)
	}
	return trees
}

// FindTree finds the run's worktree: the one in its place, on whatever branch an agent has left it; "" if there is
// none. foreign is another worktree, home included, that has the run's branch checked out.
func (t *Trees) FindTree(ctx context.Context) (own, foreign string, err error) {
	want, err := t.TreePath(t.Job.ID)
	if err == nil {
		// A worktree or a repository that was moved is otherwise unknown to git, and would be made a second time.
		err = t.Repo.RepairWorktree(ctx, want, t.Job.Branch)
	}
	if err != nil {
		return "", "", err
	}
	trees, err := t.Repo.Worktrees(ctx)
	if err != nil {
		return "", "", err
	}
	// A link at the last element may lead to a person's worktree, so it is not followed.
	want = filepath.Join(disk.RealPath(filepath.Dir(want)), filepath.Base(want))
	for _, one := range trees {
		switch {
		case !one.Main && one.Path == want:
			own = one.Path
		case one.Branch == t.Job.Branch:
			foreign = one.Path
		}
	}
	return own, foreign, nil
}

// checkedOut refuses what cannot be done while another worktree has the run's branch checked out.
func (t *Trees) checkedOut(foreign string) error {
	if foreign == "" {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonCheckedOut, Next: next.Shell("git -C %q switch --detach", foreign),
		Message: fmt.Sprintf("branch %q is checked out in %q, which chant did not make", t.Job.Branch, foreign),
	}
}

// Worktree gives the run its worktree, and returns its path: a new one, or that of an earlier attempt if an agent may
// have worked in it.
func (t *Trees) Worktree(ctx context.Context) (string, error) {
	own, foreign, err := t.openTree(ctx)
	if err == nil {
		err = t.checkedOut(foreign)
	}
	if err != nil {
		return "", err
	}
	switch {
	// A killed process may have created half of it, or its journal is lost; no agent has worked in it.
	case own != "" && !t.Journal.History().AgentBegan():
		err, own = t.RemoveTree(ctx), ""
	// Git no longer knows what is in it, so nothing can be committed from it, and it is only moved away.
	case own != "" && !t.Whole(own):
		err, own = t.setAsideTree(ctx, own), ""
	}
	if err == nil {
		err = t.needTree(ctx, own, false)
	}
	if err == nil {
		err = t.OnBranch(ctx)
	}
	if err != nil {
		return "", err
	}
	// Nothing was left in a new worktree.
	if t.Made {
		return t.Tree, nil
	}
	return t.Tree, t.Leftovers(ctx)
}

// NeedTree finds the run's worktree, or creates one for its branch and sets it up.
func (t *Trees) NeedTree(ctx context.Context) error {
	own, foreign, err := t.openTree(ctx)
	if err == nil {
		err = t.checkedOut(foreign)
	}
	if err == nil && own != "" && !t.Whole(own) {
		err, own = t.setAsideTree(ctx, own), ""
	}
	if err != nil {
		return err
	}
	return t.needTree(ctx, own, true)
}

// needTree takes the existing worktree or creates one.
func (t *Trees) needTree(ctx context.Context, own string, setUp bool) error {
	if own != "" {
		t.Tree = own
		return t.TakeBack(ctx)
	}
	path, err := t.TreePath(t.Job.ID)
	if err != nil {
		return err
	}
	what := "folder"
	entries, err := os.ReadDir(path)
	// ReadDir fails on a file with an error of its own, which would hide what is in the way.
	if info, bad := os.Lstat(path); bad == nil && !info.IsDir() {
		what, err = "file", nil
	}
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	// Never overwritten: it may be the only copy of a run's work.
	case len(entries) > 0 || what == "file":
		return &journal.Failure{
			Kind: spec.ReasonCheckedOut, Next: next.Shell("mv %q %q", path, path+".kept"),
			Message: fmt.Sprintf("%s %q is where the run's worktree belongs, and git knows no worktree there", what, path),
		}
	}
	if err := t.Repo.AddWorktree(ctx, path, t.Job.Branch); err != nil {
		return err
	}
	t.Tree, t.Made = path, true
	if setUp {
		return t.WithPorts(func() error { return t.Setup(ctx, path) })
	}
	return nil
}

// OnBranch checks that the worktree is on the run's branch.
func (t *Trees) OnBranch(ctx context.Context) error {
	head, err := t.Repo.Head(ctx, t.Tree)
	if err != nil || head.Branch == t.Job.Branch {
		return err
	}
	return t.wrongBranchFailure(head)
}

// wrongBranchFailure is the failure of a worktree that is not on the run's branch.
func (t *Trees) wrongBranchFailure(head gitops.Head) *journal.Failure {
	where := fmt.Sprintf("on %q", head.Branch)
	if head.Branch == "" {
		where = "on no branch, at " + attempt.Short(head.Hash)
	}
	return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the run's worktree %q is %s, not on %q", t.Tree, where, t.Job.Branch)}
}

// DropTree removes a worktree that was created for a check.
func DropTree(ctx context.Context, repo *gitops.Repo, path string) error {
	err := repo.RemoveWorktree(ctx, path)
	if _, gone := os.Lstat(path); err == nil || gone != nil {
		return err
	}
	// It was half created or half removed by a process that was killed, or what ran there has made something else of it.
	// Git refuses a folder without its .git, so the files are removed, and then its registration.
	return errors.Join(rootdir.Remove(path), repo.ForgetWorktree(path))
}

// TakeBack ends a merge or rebase of chant that was not finished, by this process or by one that was killed.
// Uncommitted changes in the worktree are kept first; the worktree is then as clean as before.
func (t *Trees) TakeBack(ctx context.Context) error {
	if t.Tree == "" || !t.Whole(t.Tree) || !t.mayBeCatchingUp() {
		return nil
	}
	// A merge or rebase of a person has to stay, so only what chant may have begun is looked at.
	_, underway, err := t.Repo.Unmerged(ctx, t.Tree)
	if err != nil || underway == "" {
		return err
	}
	// Kept before the abort, which throws away conflicts that were resolved so far.
	left, err := t.Repo.Snapshot(ctx, t.Tree, t.Message("rescue", "Conflicts as far as they were resolved."))
	if err == nil && left != "" {
		err = t.rescue(ctx, left)
	}
	if err != nil {
		return err
	}
	if err := t.Repo.Abort(ctx, t.Tree); err != nil {
		return err
	}
	return t.Repo.RemoveUntracked(ctx, t.Tree)
}

// BeginMerge begins to merge a commit of the target in the worktree, and returns the files that conflict.
func (t *Trees) BeginMerge(ctx context.Context, target string) (clashes []string, err error) {
	t.catching = true
	return t.Repo.BeginMerge(ctx, t.Tree, target)
}

// Rebase replays the branch, whose tip is old, from base on a commit of the target. A rescue ref keeps the old tip. If
// files conflict, which it returns, the branch is as it was.
func (t *Trees) Rebase(ctx context.Context, old, base, target string) (clashes []string, err error) {
	// Before git touches the branch: a kill during the rebase must leave a ref to the old tip.
	kept, made, err := RescueNew(ctx, t.Repo, t.Job.ID, old)
	if err != nil {
		return nil, err
	}
	t.catching = true
	clashes, err = t.Repo.Rebase(ctx, t.Tree, base, target)
	// The branch is as it was, so there is nothing to rescue.
	if len(clashes) > 0 && made {
		if err = t.Repo.DeleteRef(ctx, kept, old); err == nil {
			return clashes, nil
		}
	}
	t.Rescued = append(t.Rescued, kept)
	return clashes, err
}

// HasBegunCatchUp reports whether this process has begun to bring the branch up to date.
func (t *Trees) HasBegunCatchUp() bool { return t.catching }

// mayBeCatchingUp reports whether the operation that is under way in the worktree may be chant's.
func (t *Trees) mayBeCatchingUp() bool {
	if t.catching {
		return true
	}
	last := t.Journal.History().Last()
	return last != nil && (last.IsHalfDone(journal.Rebase) || last.IsHalfDone(journal.Resolve))
}

const (
	portsEnd    = 1 << 16
	portsPrefix = "ports " // begins the label of the lock of a range
)

// lease is a range of ports that no other run of this repository uses while the lock is held.
type lease struct {
	first int
	lock  *lockfile.Lock
}

// WithPorts calls do while the run has ports.
func (t *Trees) WithPorts(do func() error) error {
	giveBack, err := t.LeasePorts()
	if err != nil {
		return err
	}
	return errors.Join(do(), giveBack())
}

// LeasePorts reserves the first free range, unless the run has one already. giveBack releases it; so does the kernel
// when the process dies.
func (t *Trees) LeasePorts() (giveBack func() error, err error) {
	if t.ports != nil || t.inRun() {
		return func() error { return nil }, nil
	}
	p := t.Settings.Ports
	for first := p.Start; p.Count > 0 && first+p.Count <= portsEnd; first += p.Count {
		l, err := t.tryPorts(first)
		if err != nil {
			return nil, err
		}
		if l != nil {
			t.ports = l
			return func() error { t.ports = nil; return l.lock.Release() }, nil
		}
	}
	return nil, &journal.Failure{Kind: spec.ReasonSetup, Message: fmt.Sprintf("no %d ports are left above %d for another run", p.Count, p.Start)}
}

// tryPorts reserves one range; nil if another run has it.
func (t *Trees) tryPorts(first int) (*lease, error) {
	path, err := t.Store.Local(local.Locks, fmt.Sprintf(".ports-%d.lock", first))
	if err != nil {
		return nil, err
	}
	// Asked first, since acquiring the lock would replace the record of its last holder.
	if _, held := lockfile.HeldBy(path); held || t.portsOfKilled(path) {
		return nil, nil
	}
	lock, err := lockfile.AcquireFor(path, lockfile.Purpose{What: portsPrefix + t.Job.ID, Role: lockfile.Lasting, About: t.Job.ID})
	var taken *lockfile.HeldError
	if errors.As(err, &taken) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &lease{first, lock}, nil
}

// portsOfKilled reports whether a range belongs to another run whose process was killed and that has not been resumed
// yet: its agent may still be alive and listen.
func (t *Trees) portsOfKilled(path string) bool {
	last, ok := lockfile.LastHolder(path)
	id := last.About
	// An older version names the run only in the label.
	if text, ours := strings.CutPrefix(last.What, portsPrefix); id == "" && ours {
		id = text
	}
	if !ok || id == "" || id == t.Job.ID {
		return false
	}
	h, err := journal.ReadHistory(t.Store, id)
	// A journal that cannot be read counts as open: two runs on one port would be worse than one range less.
	return err != nil || h.Open() != nil
}

// inRun reports whether the run itself started this process, as when its agent asks for a check: then the ports are
// those of the agent.
func (t *Trees) inRun() bool {
	has := func(name string) bool {
		return slices.ContainsFunc(t.Environ, func(kv string) bool { return strings.HasPrefix(kv, name) })
	}
	// Both are asked for, since a person may have either in a shell.
	return slices.Contains(t.Environ, "CHANT_SPEC_ID="+t.Job.ID) && has(attempt.PortBase+"=")
}

// NamePorts makes the environment of a planned run name a port, without reserving it.
func (t *Trees) NamePorts() { t.ports = &lease{first: t.Settings.Ports.Start} }

// PortEnv returns the variable with the ports for the run's environment.
func (t *Trees) PortEnv() []string {
	if t.ports == nil {
		return nil
	}
	return []string{attempt.PortBase + "=" + strconv.Itoa(t.ports.first)}
}
