package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops"
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
	gitKept keptGit            // the content of the git folder then
	beside  []*checkTree       // further trees of the same check
	bounds  sandbox.Bounds     // of the commands that run in it
}

// inCheckTree runs do in a new worktree with commit checked out and set up, outside the repository, and removes it
// afterwards. Checks of one spec take turns: they use the same folder, and cleanup leaves it alone while a check is
// under way.
func (p *Places) inCheckTree(ctx context.Context, at Place, do func(Place) error) error {
	turn, err := p.Store.Local(local.Locks, sandbox.CheckLock(p.Job.ID))
	if err != nil {
		return err
	}
	lock, err := lockfile.AcquireWait(ctx, turn, "check "+p.Job.ID)
	if err != nil {
		return err
	}
	// Ports are leased inside the lock: a process that waits must not keep a range from other runs.
	err = p.Trees.WithPorts(func() error { return p.inHeldCheckTree(ctx, at, do) })
	return errors.Join(err, lock.Release())
}

func (p *Places) inHeldCheckTree(ctx context.Context, at Place, do func(Place) error) error {
	// A tree has to go also when the check was stopped.
	calm := context.WithoutCancel(ctx)
	if err := p.dropStaleTrees(calm); err != nil {
		return err
	}
	dir, misleading, err := p.checkDir()
	if err != nil {
		return err
	}
	if misleading != "" {
		p.Announce(journal.Verify, "warning", "criteria run below %q, where tools may find %q; set XDG_CACHE_HOME to a folder elsewhere", dir, misleading)
	}
	// The real path, since git records that, and cleanup finds trees by name below it.
	at.Dir = filepath.Join(disk.RealPath(dir), sandbox.CheckTree+p.Job.ID)
	if err := p.reportUnfaithful(ctx); err != nil {
		return err
	}
	tree, err := p.makeCheckTree(ctx, at)
	if err == nil {
		at.Check = tree
		err = do(at)
	}
	// The result of makeCheckTree is never nil, so that half a tree is dropped as well.
	err = errors.Join(err, tree.drop(calm), sandbox.ClearBeside(at.Dir))
	// It fails if another check has a tree there.
	_ = os.Remove(dir)
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
	return p.Log.Line(text)
}

// dropStaleTrees removes the trees that killed processes have left of earlier checks of this spec.
func (p *Places) dropStaleTrees(ctx context.Context) error {
	old, err := p.TreePath("")
	if err != nil {
		return err
	}
	left := sandbox.CheckTrees(append(sandbox.CheckDirs(p.Repo, p.Environ), old), p.Job.ID)
	if len(left) == 0 {
		return nil
	}
	// A process of the killed check may still write into the tree that is about to be removed.
	if err := sandbox.StopAsked(ctx, p.Store, p.Job.ID); err != nil {
		return err
	}
	for _, path := range left {
		if err := DropTree(ctx, p.Repo, path); err != nil {
			return err
		}
	}
	return nil
}

// makeInSharedFolder makes something in a folder that all runs share. The run that ends the last check there removes the folder, which
// can happen after this run has seen it and before it has made anything in it: then both are made again.
func makeInSharedFolder(dir string, create func() error) error {
	for range 20 {
		err := create()
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// Another run may remove the folder between this step and the next, so both are made again.
		if err := sandbox.MakeUsable(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return create()
}

// makeCheckTree creates one tree. The result is never nil, so that what was created of it can be dropped.
func (p *Places) makeCheckTree(ctx context.Context, at Place) (*checkTree, error) {
	made := &checkTree{r: p, at: at}
	err := makeInSharedFolder(filepath.Dir(at.Dir), func() error { return p.Repo.AddDetached(ctx, at.Dir, at.Commit) })
	if err != nil {
		return made, err
	}
	// The wall is prepared before the first snapshot, which would take its files for those of a command.
	if made.bounds, err = p.Sandbox().ForCriteria(at.Dir); err == nil {
		err = made.bounds.Prepare()
	}
	if err != nil {
		return made, err
	}
	// Times are compared as well, so they are changed before the snapshot.
	if err := p.renewChanged(ctx, at); err != nil {
		return made, err
	}
	if made.tracked, err = p.Repo.Whole().TrackedFiles(ctx, at.Dir); err != nil {
		return made, err
	}
	written, err := p.Repo.Written(at.Dir)
	if err != nil {
		return made, err
	}
	// What git has just written is not read again: its name in git says what it holds.
	if made.clean, err = criteria.TakeSnapshotOfOurs(ctx, at.Dir, written); err != nil {
		return made, err
	}
	return made, made.setUp(ctx)
}

// renewChanged makes the files that a run has changed newer than all others of its tree. Git writes all of them within a
// few milliseconds, which the system may record as one moment: make would then take what was built from the files before for
// what they build now.
func (p *Places) renewChanged(ctx context.Context, at Place) error {
	start := p.Journal.History().Trusted
	if start == nil || start.Commit == "" {
		return nil
	}
	changes, err := p.Repo.Whole().Diff(ctx, start.Commit, at.Commit)
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
			// It was removed, or is a link or a submodule.
			continue
		}
		if err := root.Chtimes(filepath.FromSlash(c.Path), time.Time{}, now); err != nil {
			return err
		}
	}
	return nil
}

// setUp copies and links files into the tree and runs the set-up commands, as the settings ask.
func (t *checkTree) setUp(ctx context.Context) (err error) {
	// Set-up has its own snapshot: what it made may be made again, tracked files may not change.
	if t.ready = t.clean; t.r.Trees.HasSetup() {
		if err := t.r.Trees.Setup(ctx, t.at.Dir); err != nil {
			return err
		}
		// Set-up has cleared the folder for temporary files.
		if err := t.bounds.Prepare(); err != nil {
			return err
		}
		if t.ready, err = criteria.TakeSnapshot(ctx, t.at.Dir, t.clean); err != nil {
			return err
		}
	}
	// Set-up may have changed the index, so git is asked once more.
	t.agreed = false
	return t.rememberGit(ctx)
}

// More creates another tree of the same check.
func (t *checkTree) More(ctx context.Context) (*checkTree, error) {
	at := t.at
	at.Dir = fmt.Sprintf("%s%s%d", t.at.Dir, sandbox.BesideMark, len(t.beside)+2)
	tree, err := t.r.makeCheckTree(ctx, at)
	t.beside = append(t.beside, tree)
	return tree, err
}

// AddTree creates another tree of the same check, for commands that run at the same time. It is made one at a time.
func (p *Places) AddTree(ctx context.Context, at Place) (Place, error) {
	other, err := at.Check.More(ctx)
	return other.place(), err
}

// Switch brings a place to another commit, without set-up: what that has made stays. A place that commands have spoiled is
// made anew.
func (p *Places) Switch(ctx context.Context, at Place, commit string) (Place, error) {
	to, err := p.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return at, err
	}
	t := at.Check
	err = t.restore(ctx)
	if f, ok := errors.AsType[*journal.Failure](err); ok && f.Kind == spec.ReasonSpoiled {
		err = t.remake(ctx, to)
	} else if err == nil {
		err = t.switchTo(ctx, to)
	}
	return t.place(), err
}

// Restore is CheckUntouched for a place alone, without those beside it.
func (p *Places) Restore(ctx context.Context, at Place) error { return at.Check.restore(ctx) }

func (t *checkTree) place() Place {
	at := t.at
	at.Check = t
	return at
}

// remake replaces the tree by a new one of another commit.
func (t *checkTree) remake(ctx context.Context, to gitops.Commit) error {
	if err := errors.Join(DropTree(ctx, t.r.Repo, t.at.Dir), t.bounds.Clear()); err != nil {
		return err
	}
	made, err := t.r.makeCheckTree(ctx, Place{Dir: t.at.Dir, Commit: to.Hash, Tree: to.Tree})
	// Not the trees beside it, to which another goroutine may be adding one.
	t.at, t.tracked, t.clean, t.ready, t.agreed, t.git, t.gitKept, t.bounds = made.at, made.tracked, made.clean, made.ready, made.agreed, made.git, made.gitKept, made.bounds
	return err
}

// switchTo checks out another commit in the tree, which is as it was made.
func (t *checkTree) switchTo(ctx context.Context, to gitops.Commit) error {
	changes, err := t.r.Repo.Whole().Diff(ctx, t.at.Commit, to.Hash)
	if err != nil {
		return err
	}
	if err := t.r.Repo.SwitchDetached(ctx, t.at.Dir, to.Hash); err != nil {
		return err
	}
	t.at.Commit, t.at.Tree, t.agreed = to.Hash, to.Tree, false
	if t.tracked, err = t.r.Repo.Whole().TrackedFiles(ctx, t.at.Dir); err != nil {
		return err
	}
	now, err := criteria.TakeSnapshot(ctx, t.at.Dir, t.ready)
	if err != nil {
		return err
	}
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	t.clean, t.ready = t.clean.With(now, paths), now
	return t.rememberGit(ctx)
}

// restore makes the tree what it was before the first command, with permissions and times: it removes what was added, and sets the tree up again if
// a command has changed what set-up had created. Changed tracked files are a *Failure, since the commands would not
// judge what is committed. So are changes of the repository.
func (t *checkTree) restore(ctx context.Context) error {
	// A command can leave files beside the tree, where the next one would find them.
	if err := sandbox.ClearBeside(t.at.Dir); err != nil {
		return err
	}
	// The repository first: if the tree has moved to another commit, comparing its files means nothing.
	index, err := t.restoreGit(ctx)
	if err != nil {
		return err
	}
	now, sinceSetUp, err := t.ready.Retake(ctx)
	if err != nil {
		return err
	}
	sinceCheckout := t.clean.DifferenceTo(now)
	var changed []string
	// Tracked files are compared with the checkout, since set-up may not change them either.
	for _, path := range slices.Concat(sinceCheckout.Changed, sinceCheckout.Removed) {
		if _, tracked := slices.BinarySearch(t.tracked, path); tracked {
			changed = append(changed, path)
		}
	}
	if len(changed) > 0 {
		return notCommitted(changed)
	}
	// Before git is asked: it would wait for ever at a pipe in the place of .gitignore.
	if err := t.remove(sinceSetUp.Added); err != nil {
		return err
	}
	if changed, err = t.askGit(ctx); err != nil {
		return err
	}
	if len(changed) > 0 {
		return notCommitted(changed)
	}
	// After git was asked: what is only staged is in the index that this replaces, and git writes it when it looks at files.
	if err := t.putBackGit(ctx); err != nil {
		return err
	}
	// Git was asked with the index of the command.
	t.agreed = t.agreed && !index
	if lost := slices.Concat(sinceSetUp.Changed, sinceSetUp.Removed); len(lost) > 0 {
		t.r.Announce(journal.Verify, "step", "setting up the tree again: a command changed %s", strings.Join(attempt.ClipList(lost), ", "))
		// Everything since the checkout goes, as set-up does not replace files that are there.
		return errors.Join(t.remove(sinceCheckout.Added), t.setUp(ctx))
	}
	made := t.ready
	t.ready = now.Without(sinceSetUp.Added)
	// Times are put back, or a build would take files for newer than what was built from them.
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
	// The index is unchanged and the files were just compared, so git has nothing else to say.
	if t.agreed && t.r.Whole(t.at.Dir) {
		return nil, nil
	}
	changed, err := t.r.ChangedIn(ctx, t.at, false)
	// Of submodules git knows more than their files, so with one it is always asked.
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
		Tree: t.at.Dir, Folder: t.r.Repo.Folder(), Own: append(t.r.CheckEnv(t.at.Dir), t.bounds.Env...), Restore: t.restore, Wall: t.bounds.Wall,
		Refused: func(output string) string { return t.r.Sandbox().Explain(t.bounds.Refused(output), "sandbox.checks") },
	}
}

// drop removes the trees of a check; nothing in them is kept.
func (t *checkTree) drop(ctx context.Context) error {
	var all error
	for _, other := range t.beside {
		all = errors.Join(all, other.drop(ctx))
	}
	// The tree before its bounds: while it exists, a process in it needs the wall.
	return errors.Join(all, DropTree(ctx, t.r.Repo, t.at.Dir), t.bounds.Clear())
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

// checkGit is what a command in a check tree can change without changing a file of the tree: branches, tags and
// settings of the repository, and the tree's own git folder.
type checkGit struct {
	folder   string
	held     *criteria.Snapshot // the content of the tree's git folder
	refs     Reading
	settings map[string]string
}

func (t *checkTree) readGit(ctx context.Context) (g checkGit, err error) {
	if g.folder, err = t.r.Repo.GitDir(t.at.Dir); err != nil {
		return g, err
	}
	can, err := t.r.Sandbox().ReachOfChecks()
	if err != nil {
		return g, err
	}
	var settings error
	asked := make(chan struct{})
	// Reading the settings starts git, which takes as long as the snapshot beside it.
	go func() {
		defer close(asked)
		// Settings in files that no check can write change only by a person.
		g.settings, settings = t.r.Repo.OtherSettings(ctx, func(file string) bool { return file != "" && !can.Covers(file) })
	}()
	if g.held, err = criteria.TakeSnapshot(ctx, g.folder, t.git.held); err == nil {
		g.refs, err = t.watch().Read(ctx)
	}
	<-asked
	return g, errors.Join(err, settings)
}

// rememberGit remembers what restoreGit and putBackGit put back.
func (t *checkTree) rememberGit(ctx context.Context) (err error) {
	if t.git, err = t.readGit(ctx); err == nil {
		t.gitKept, err = keepGit(t.git.folder)
	}
	return err
}

// watch compares the refs of the repository. Anything that nothing explains is held against the criteria.
func (t *checkTree) watch() Watch { return Watch{Attempt: t.r.Attempt, Strict: true} }

// restoreGit removes what commands have added to the git folder of the tree. A change of the target, of settings or of
// git's own files is a *Failure, since it would outlive the check. A change of another branch or of a tag is a warning,
// since a person, or a fetch in the background, may have made it. index is whether the index was changed, which putBackGit undoes.
func (t *checkTree) restoreGit(ctx context.Context) (index bool, err error) {
	// Asked without git's help first: with another git folder, git would answer about another repository.
	head, err := t.movedHead(ctx)
	if err != nil {
		return false, err
	}
	if head != "" {
		return false, &journal.Failure{
			Kind: spec.ReasonSpoiled, Details: []string{head},
			Message: "the criteria changed what their tree has checked out, so they did not judge what is committed: " + head,
		}
	}
	now, err := t.readGit(ctx)
	if err != nil {
		return false, err
	}
	moved, err := t.watch().FindMoved(ctx, t.git.refs, now.refs)
	if err != nil {
		return false, err
	}
	for _, what := range moved.Seen {
		t.r.Announce(journal.Verify, "warning", "while the criteria ran, %s; if you did not do that, a criterion did", what)
	}
	found := append(moved.Stops, attempt.Differences(t.git.settings, now.settings)...)
	inside := t.git.held.DifferenceTo(now.held)
	// A changed index may hold what no file of the tree shows.
	index = slices.ContainsFunc(slices.Concat(inside.Changed, inside.Removed, inside.Added), isIndex)
	t.agreed = t.agreed && !index
	for _, name := range slices.Concat(inside.Changed, inside.Removed) {
		if !writtenByGit(name) {
			found = append(found, fmt.Sprintf("%q in the git folder of the tree was changed", name))
		}
	}
	if len(found) > 0 {
		return false, &journal.Failure{
			Kind: spec.ReasonRepository, Details: found,
			Message: "criteria must leave the repository as it is, but while they ran, " + strings.Join(attempt.ClipList(found), ", "),
		}
	}
	return index, t.clearGit(now, inside.Added)
}

// KeepChanged turns a failure of the kind ReasonRepository into one of tampering, and records it: the change remains,
// so the next check would not see one.
func (p *Places) KeepChanged(err error) error {
	f, ok := errors.AsType[*journal.Failure](err)
	if !ok || p.Accepted || f.Kind != spec.ReasonRepository {
		return err
	}
	// A question of a person leaves the journal as it was.
	if !p.Asked {
		if err := p.Journal.Record(journal.Guard, journal.Failed, f.Details); err != nil {
			return err
		}
	}
	return attempt.TamperFailure(f.Details)
}

// clearGit removes what was added to the git folder of the tree but for what git needs to answer once more.
func (t *checkTree) clearGit(now checkGit, added []string) error {
	for _, name := range added {
		// Without a shared index, or its daemon's socket, git's next command fails.
		if neededByGit(name) {
			continue
		}
		if err := rootdir.RemoveEach(now.folder, name); err != nil {
			return err
		}
		if !writtenByGit(name) {
			t.r.Announce(journal.Verify, "step", "removed %q, which a command left in the git folder of the tree", name)
		}
	}
	t.git.refs, t.git.settings = now.refs, now.settings
	return nil
}

// isIndex reports whether a file in a worktree's git folder is its index, or a part of that.
func isIndex(name string) bool { return name == "index" || strings.HasPrefix(name, "sharedindex.") }

// writtenByGit reports whether git itself writes a file in a worktree's git folder during its work there.
func writtenByGit(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"index", "logs", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "modules"}, top) || neededByGit(name)
}

// neededByGit reports whether git, or its daemon, may need a file that was added to a worktree's git folder.
func neededByGit(name string) bool {
	return strings.HasPrefix(name, "sharedindex.") || strings.HasPrefix(name, "fsmonitor--daemon") || strings.HasPrefix(name, "modules/")
}

// movedHead describes what the tree has checked out instead of its commit, "" if it still has that.
func (t *checkTree) movedHead(ctx context.Context) (string, error) {
	folder, err := t.r.Repo.GitDir(t.at.Dir)
	// Compared with the folder at the start, since a .git file can be made to lead to any repository.
	if err != nil || folder != t.git.folder {
		return "the folder is no longer a worktree of this repository", nil
	}
	head, err := t.r.Repo.Head(ctx, t.at.Dir)
	switch {
	case errors.Is(err, gitops.ErrUnborn):
		return fmt.Sprintf("HEAD moved to branch %q, which has no commit", head.Branch), nil
	case errors.Is(err, gitops.ErrNotRepository):
		return "the folder is no longer a worktree of this repository", nil
	case err != nil:
		return "", err
	case head.Branch != "":
		return fmt.Sprintf("HEAD moved to branch %q", head.Branch), nil
	case head.Hash != t.at.Commit:
		return "HEAD moved to " + attempt.Short(head.Hash), nil
	}
	return "", nil
}

// This file creates the folders in which criteria run: a clean checkout of one commit, outside the repository and
// every worktree, set up like a worktree, compared after each command with what it was before, and removed at the end.
//
// Rules:
//
//   - Criteria see what is committed and what set-up creates from it. Uncommitted files of the person's checkout are
//     there only if the settings copy or link them; an agent that changes those is reported.
//   - A place in which criteria have changed tracked files, or what is checked out, proves nothing: nothing found there
//     is kept, and no other spec is judged there.
//
// Decisions:
//
// 2026-11-30: the git folder of a check tree is put back as a whole after each command: what git writes there (index, logs,
// ORIG_HEAD, modules) gets the content that it had after set-up, and what is new is removed, with the parts of an index and what a
// monitor of files has made. Before, what git writes was left, and one criterion could leave another a mark in it. Rejected: to
// let only more of these names go, since git adds names.
//
// 2026-11-26: git compares a check tree once, and again only after a command has changed the index: its answer depends
// on nothing else that is not compared here after each command. Rejected: asking it after each command, which was a
// third of the time of a check of short commands; and never, since a change that is only staged would not be seen.
//
// 2026-11-26: check trees are written, and compared, by settings of their own: links as links, no conversion of line ends
// and no attributes but those of the commit and of info/attributes, which git cannot ignore and the guard watches.
// Rejected: the settings of the user, since they make other files of the commit than a CI job gets, and an agent can
// change them; and on Windows links, which many people there may not make.
//
// 2026-11-26: what one command leaves is removed before the next one runs, and changed tracked files fail the check.
// Commands that need what others have built belong into one criterion, or into verify. Rejected: sharing build outputs,
// since code of an agent that runs in one criterion could then make the next one hold.
//
// 2026-11-23: a commit in the reflog of a worktree that chant has created never explains why a branch moved, also if
// HEAD there is on no branch. Rejected: asking only for the branch, which an agent can leave.
//
// 2026-11-22: check trees are in the user's cache folder. Rejected: .chant/worktrees, as before, where tools that
// search upward find node_modules, go.work or package.json of the person's checkout or of an agent. The folder for
// temporary files is only the second choice, since any user can put a go.work there, above the tree: it is used if the
// cache folder is inside the repository, is not writable, or has a project above it.
//
// 2026-11-22: the check tree is compared by what the kernel records of each file (size, inode, time of the last change)
// and then by content. Rejected: asking git, since settings and "git update-index" can mislead its own cache of files.
// If commands have changed what set-up created, the tree is set up again. Rejected: reporting such changes, since
// builds update what earlier builds created.
//
// 2026-11-22: local branches, tags and settings are compared before and after each command of a criterion. A change of
// the target or of a setting is tampering; one of another branch or of a tag is a warning, since a person or a fetch in
// the background may have made it. Changes that the reflog of a person's checkout shows, and landings of other runs,
// are left out. Rejected: undoing a change, which could delete what a person has just made; and a clone for each check,
// in which criteria that read the history would find another repository.
//
// 2026-11-22: links and copies of uncommitted files stay in check trees, and changes that an agent or a criterion makes
// in them are reported. Rejected: leaving them out, so that "npm test" finds no dependencies; and ignoring changes, so
// that an agent could replace the tool that checks its work.
//
// 2026-11-27: a file that git has just written to a check tree is not read before something writes to it: its name in git
// says what it holds, unless attributes convert it. Rejected: reading every file first, a tenth of the time of a run in a
// project of 2,000 files.

// Places creates the folders in which criteria run, restores them and removes them.
type Places struct {
	*attempt.Attempt
	Trees *Trees
}

// Place is where criteria are checked.
type Place struct {
	Dir    string // the top of a worktree
	Commit string // what it has checked out, "" if unknown
	Tree   string // of that commit

	Check *checkTree // nil if the worktree was not created for a check
}

// InPlace runs do in a clean worktree of a commit, which it creates and removes; or without one if no command runs.
func (p *Places) InPlace(ctx context.Context, commit string, runs bool, do func(Place) error) error {
	at, err := p.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	// Before the checkout, which would write what an agent has put in the place of an object.
	if err := p.checkObjects(ctx, at.Hash); err != nil {
		return err
	}
	if !runs {
		return do(Place{Commit: at.Hash, Tree: at.Tree})
	}
	place := Place{Commit: at.Hash, Tree: at.Tree}
	// On the base nothing of an agent runs, and what an agent takes away meanwhile is found and reported when that has ended.
	if strings.HasSuffix(p.Job.ID, journal.BaseMark) {
		return p.inCheckTree(ctx, place, do)
	}
	// What criteria run is an agent's work, which can take permissions away as the agent can.
	putBack := GuardPermissions(p.Trees, journal.Verify)
	return p.inCheckTree(ctx, place, func(at Place) error { return errors.Join(do(at), putBack()) })
}

// CheckUntouched checks that the commands in a place have changed no tracked file and not what is checked out: they would
// not have judged what is committed. Anything else that they left is removed.
func (p *Places) CheckUntouched(ctx context.Context, at Place) error {
	if at.Check == nil {
		return nil
	}
	for _, t := range append([]*checkTree{at.Check}, at.Check.beside...) {
		if err := t.restore(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Clean restores a place and reports whether it then is as it was created: only then may it serve another spec.
func (p *Places) Clean(ctx context.Context, at Place) (bool, error) {
	err := p.CheckUntouched(ctx, at)
	var f *journal.Failure
	if errors.As(err, &f) && f.Kind.FailsVerification() {
		return false, nil
	}
	return err == nil, err
}

// ChangedIn lists how a place differs from its commit: what is checked out, and changed files; with fresh also
// untracked files.
func (p *Places) ChangedIn(ctx context.Context, at Place, fresh bool) ([]string, error) {
	head, err := p.Repo.Head(ctx, at.Dir)
	if !p.Whole(at.Dir) || errors.Is(err, gitops.ErrNotRepository) {
		return []string{"the folder is no longer a worktree of this repository"}, nil
	}
	if err != nil {
		return nil, err
	}
	var changes []gitops.StatusEntry
	var statusErr error
	asked := make(chan struct{})
	// Both start git and take about as long.
	go func() {
		defer close(asked)
		changes, statusErr = p.Repo.FaithfulStatus(ctx, at.Dir)
	}()
	// Files marked as unchanged in the index do not show in the status.
	out, err := p.Repo.Hidden(ctx, at.Dir)
	<-asked
	if err := errors.Join(statusErr, err); err != nil {
		return nil, err
	}
	if head.Hash != at.Commit {
		out = append(out, "HEAD moved to "+attempt.Short(head.Hash))
	}
	for _, c := range changes {
		if fresh || c.Code != "??" {
			out = append(out, c.Path)
		}
	}
	return out, nil
}

// checkObjects checks that the objects of a commit, and of the commit with which the run began, have the content of their
// names, and has them in packs from then on: an agent can write to the files of objects that are in no pack.
func (p *Places) checkObjects(ctx context.Context, commit string) error {
	commits := []string{commit}
	if start := p.Journal.History().Trusted; start != nil && start.Commit != "" {
		commits = append(commits, start.Commit)
	}
	err := p.Repo.Secure(ctx, commits...)
	if replaced, ok := errors.AsType[*gitops.ReplacedError](err); ok {
		return attempt.TamperFailure([]string{fmt.Sprintf("git's object %s, which commit %s or the start of its run has, was replaced by other content", replaced.Object, attempt.Short(commit))})
	}
	return err
}
