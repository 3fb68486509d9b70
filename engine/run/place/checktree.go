package place

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
	"chant/gitops/rootdir"
	"chant/providers"
)

// checkTree is a worktree in which criteria run, with its content before the first of them.
type checkTree struct {
	r       *Places
	at      Place
	tracked []string           // paths that the commit has
	clean   *criteria.Snapshot // after the checkout
	ready   *criteria.Snapshot // after set-up
	agreed  bool               // git has found no change with this index
	git     checkGit           // after set-up
	beside  []*checkTree       // further trees of the same check
	bounds  sandbox.Bounds     // of the commands that run in it
}

// inTree runs do in a new worktree with commit checked out and set up, outside the repository, and removes it
// afterwards. Checks of one spec take turns: they use the same folder, and cleanup leaves it alone while a check is
// under way.
func (p *Places) inTree(ctx context.Context, at Place, do func(Place) error) error {
	turn, err := p.Store.Local(local.Locks, sandbox.CheckLock(p.Job.ID))
	if err != nil {
		return err
	}
	lock, err := lockfile.AcquireWait(ctx, turn, "check "+p.Job.ID)
	if err != nil {
		return err
	}
	err = p.Trees.WithPorts(func() error { return p.inTreeHeld(ctx, at, do) })
	return errors.Join(err, lock.Release())
}

func (p *Places) inTreeHeld(ctx context.Context, at Place, do func(Place) error) error {
	calm := context.WithoutCancel(ctx)
	if err := p.dropLeft(calm); err != nil {
		return err
	}
	dir, misleading, err := p.checkDir()
	if err != nil {
		return err
	}
	if misleading != "" {
		p.Announce(journal.Verify, "warning", "criteria run below %q, where tools may find %q; set XDG_CACHE_HOME to a folder elsewhere", dir, misleading)
	}
	at.Dir = filepath.Join(disk.RealPath(dir), sandbox.CheckTree+p.Job.ID)
	if err := p.reportUnfaithful(ctx); err != nil {
		return err
	}
	tree, err := p.makeCheckTree(ctx, at)
	if err == nil {
		at.Check = tree
		err = do(at)
	}
	err = errors.Join(err, tree.drop(calm), sandbox.ClearBeside(at.Dir))
	_ = os.Remove(dir) // fails if another check has a tree there
	return err
}

// reportUnfaithful reports the settings that do not apply to the tree.
func (p *Places) reportUnfaithful(ctx context.Context) error {
	unlike, err := p.Repo.Unfaithful(ctx)
	if err != nil || len(unlike) == 0 {
		return err
	}
	text := "the tree in which criteria run is made from the commit alone, without " + strings.Join(unlike, ", ")
	p.Announce(journal.Verify, "step", "%s", text)
	return p.LogLine(text)
}

// dropLeft removes the trees that killed processes have left of earlier checks of this spec.
func (p *Places) dropLeft(ctx context.Context) error {
	old, err := p.TreePath("")
	if err != nil {
		return err
	}
	left := sandbox.CheckTrees(append(sandbox.CheckDirs(p.Repo, p.Environ), old), p.Job.ID)
	if len(left) == 0 {
		return nil
	}
	if err := sandbox.StopAsked(ctx, p.Store, p.Job.ID); err != nil {
		return err
	}
	for _, path := range left {
		if err := tree.DropTree(ctx, p.Repo, path); err != nil {
			return err
		}
	}
	return nil
}

// makeCheckTree creates one tree. The result is never nil, so that what was created of it can be dropped.
func (p *Places) makeCheckTree(ctx context.Context, at Place) (*checkTree, error) {
	made := &checkTree{r: p, at: at}
	if err := p.Repo.AddDetached(ctx, at.Dir, at.Commit); err != nil {
		return made, err
	}
	var err error
	if made.bounds, err = p.Sandbox().ForCriteria(at.Dir); err == nil {
		err = made.bounds.Prepare()
	}
	if err != nil {
		return made, err
	}
	if err := p.renewChanged(ctx, at); err != nil {
		return made, err
	}
	if made.tracked, err = p.Repo.TrackedFiles(ctx, at.Dir); err != nil {
		return made, err
	}
	written, err := p.Repo.Written(at.Dir)
	if err != nil {
		return made, err
	}
	if made.clean, err = criteria.TakeSnapshotOfOurs(ctx, at.Dir, written); err != nil {
		return made, err
	}
	return made, made.setUp(ctx)
}

// renewChanged makes the files that a run has changed newer than all others of its tree. Git writes all of them within a
// few milliseconds, which the system may record as one moment: make would then take what was built from the files before for
// what they build now.
func (p *Places) renewChanged(ctx context.Context, at Place) error {
	start := p.History.Trusted
	if start == nil || start.Commit == "" {
		return nil
	}
	changes, err := p.Repo.Diff(ctx, start.Commit, at.Commit)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(at.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	now := time.Now()
	for _, c := range changes {
		if info, err := root.Lstat(filepath.FromSlash(c.Path)); err != nil || !info.Mode().IsRegular() {
			continue // removed, or a link or a submodule
		}
		if err := root.Chtimes(filepath.FromSlash(c.Path), time.Time{}, now); err != nil {
			return err
		}
	}
	return nil
}

// setUp copies and links files into the tree and runs the set-up commands, as the settings ask.
func (t *checkTree) setUp(ctx context.Context) (err error) {
	if t.ready = t.clean; t.r.Trees.SetsUp() {
		if err := t.r.Trees.Setup(ctx, t.at.Dir); err != nil {
			return err
		}
		if err := t.bounds.Prepare(); err != nil { // set-up has cleared the folder for temporary files
			return err
		}
		if t.ready, err = criteria.TakeSnapshot(ctx, t.at.Dir, t.clean); err != nil {
			return err
		}
	}
	t.agreed = false
	t.git, err = t.lookAtGit(ctx)
	return err
}

// More creates another tree of the same check.
func (t *checkTree) More(ctx context.Context) (*checkTree, error) {
	at := t.at
	at.Dir = fmt.Sprintf("%s%s%d", t.at.Dir, sandbox.BesideMark, len(t.beside)+2)
	tree, err := t.r.makeCheckTree(ctx, at)
	t.beside = append(t.beside, tree)
	return tree, err
}

// restore makes the tree what it was before the first command, with permissions and times: it removes what was added, and sets the tree up again if
// a command has changed what set-up had created. Changed tracked files are a *Failure, since the commands would not
// judge what is committed. So are changes of the repository.
func (t *checkTree) restore(ctx context.Context) error {
	if err := sandbox.ClearBeside(t.at.Dir); err != nil {
		return err
	}
	if err := t.restoreGit(ctx); err != nil {
		return err
	}
	now, sinceSetUp, err := t.ready.Since(ctx)
	if err != nil {
		return err
	}
	sinceCheckout := t.clean.To(now)
	var changed []string
	for _, path := range slices.Concat(sinceCheckout.Changed, sinceCheckout.Removed) {
		if _, tracked := slices.BinarySearch(t.tracked, path); tracked {
			changed = append(changed, path)
		}
	}
	if len(changed) > 0 {
		return notCommitted(changed)
	}
	// Before git is asked, which would read a pipe in the place of .gitignore.
	if err := t.remove(sinceSetUp.Added); err != nil {
		return err
	}
	if changed, err = t.askGit(ctx); err != nil {
		return err
	}
	if len(changed) > 0 {
		return notCommitted(changed)
	}
	if lost := slices.Concat(sinceSetUp.Changed, sinceSetUp.Removed); len(lost) > 0 {
		t.r.Announce(journal.Verify, "step", "setting up the tree again: a command changed %s", strings.Join(attempt.Limited(lost), ", "))
		return errors.Join(t.remove(sinceCheckout.Added), t.setUp(ctx))
	}
	made := t.ready
	t.ready = now.Without(sinceSetUp.Added)
	if err := made.Reset(t.ready); err != nil {
		return err
	}
	// Nothing passes from one command to the next beside the tree either: temporary files, settings of tools.
	return errors.Join(t.bounds.Clear(), t.bounds.Prepare())
}

// askGit lists what git finds changed in the tree. It is asked once, and again whenever its index has changed: otherwise
// it would compare once more the files that have just been compared with those in which it has found no change. Of
// submodules it knows more than their files.
func (t *checkTree) askGit(ctx context.Context) ([]string, error) {
	if t.agreed && t.r.Whole(t.at.Dir) {
		return nil, nil
	}
	changed, err := t.r.ChangedIn(ctx, t.at, false)
	t.agreed = err == nil && len(changed) == 0 && !slices.ContainsFunc(t.tracked, t.clean.IsFolder)
	return changed, err
}

func (t *checkTree) remove(paths []string) error {
	return rootdir.RemoveEach(t.at.Dir, paths...)
}

func notCommitted(changed []string) *journal.Failure {
	slices.Sort(changed)
	changed = slices.Compact(changed)
	return &journal.Failure{
		Kind: spec.ReasonSpoiled, Details: changed,
		Message: "the criteria changed tracked files, so they did not judge what is committed: " + strings.Join(changed, ", "),
	}
}

// Spot returns the tree as a place for the commands of a check.
func (t *checkTree) Spot() criteria.Spot {
	return criteria.Spot{
		Tree: t.at.Dir, Own: append(t.r.CheckEnv(t.at.Dir), t.bounds.Env...), Restore: t.restore, Wall: t.bounds.Wall,
		Refused: func(output string) string { return t.r.Sandbox().Explain(t.bounds.Refused(output), "sandbox.checks") },
	}
}

// drop removes the trees of a check; nothing in them is kept.
func (t *checkTree) drop(ctx context.Context) error {
	var all error
	for _, other := range t.beside {
		all = errors.Join(all, other.drop(ctx))
	}
	return errors.Join(all, tree.DropTree(ctx, t.r.Repo, t.at.Dir), t.bounds.Clear())
}

// CheckEnv returns the variables that belong to one check alone.
func (p *Places) CheckEnv(tree string) []string {
	return append(slices.Concat(providers.Unattended(), p.Trees.PortEnv()),
		"CHANT_WORKTREE=1",
		"CHANT_WORKTREE_PATH="+tree,
		"CHANT_PROJECT="+p.Settings.Project,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(tree),
	)
}

// checkDir returns the folder for a new check tree: the first that is writable and below which tools find nothing of
// other projects. If there is none, it is the first that is writable, and misleading names what tools may find.
func (p *Places) checkDir() (dir, misleading string, err error) {
	return sandbox.ChooseDir(sandbox.CheckDirs(p.Repo, p.Environ))
}
