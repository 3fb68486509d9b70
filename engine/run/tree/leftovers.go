package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// Leftovers commits to the branch what is uncommitted in the worktree, so that an agent's work is only in a working
// tree while it runs. What git cannot commit as it is (FindUnfinished) stays where it is.
func (t *Trees) Leftovers(ctx context.Context) error {
	if t.Tree == "" || !t.Whole(t.Tree) {
		return nil
	}
	// Committing would conclude a merge of the agent, or add to a branch that is not the run's.
	if stuck, err := t.FindUnfinished(ctx); err != nil || stuck != nil {
		return err
	}
	return t.CommitLeftovers(ctx)
}

// CommitLeftovers commits what is uncommitted in a worktree that can be committed.
func (t *Trees) CommitLeftovers(ctx context.Context) error {
	commit, err := t.commitAll(ctx)
	if err == nil && commit != "" {
		t.Collected = commit
		t.Announce(journal.Collect, "step", "committed what was left uncommitted as %s", attempt.Short(commit))
		// A warning and no failure: the work must not stay uncommitted because of it.
		err = warnOfSecrets(ctx, t, commit)
	}
	return err
}

// warnOfSecrets reports the secrets that a commit of chant's own has. The guard keeps them from landing, but the branch may
// be pushed.
func warnOfSecrets(ctx context.Context, t *Trees, commit string) error {
	c, err := t.Repo.ReadCommit(ctx, commit)
	if err != nil || len(c.Parents) == 0 {
		return err
	}
	found, err := t.SecretsIn(ctx, c.Parents[0], commit)
	for _, what := range found {
		t.Announce(journal.Collect, "warning", "in commit %s, %s", attempt.Short(commit), what)
	}
	return err
}

// commitAll commits the worktree. A lock that outlives every retry was left by one of the agent's git
// processes, since all processes of the run have ended.
func (t *Trees) commitAll(ctx context.Context) (string, error) {
	text := t.Message(message.Leftovers, "What the agent left uncommitted.")
	// Git passes over a folder that it cannot list, and reports success: it would be lost with the worktree.
	if err := rootdir.GrantRead(t.Tree); err != nil {
		return "", err
	}
	commit, err := t.Repo.CommitAll(ctx, t.Tree, text)
	if err == nil || ctx.Err() != nil {
		return commit, err
	}
	// All processes of the run have ended, so a lock that outlives the retries has no owner.
	broken, lockErr := t.Repo.BreakLock(t.Tree)
	if lockErr != nil || !broken {
		return commit, errors.Join(err, lockErr)
	}
	t.Announce(journal.Collect, "warning", "removed the lock that a killed git had left in the worktree")
	return t.Repo.CommitAll(ctx, t.Tree, text)
}

// FindUnfinished returns the failure of a worktree that cannot be committed as it is, else nil: it is on another branch, where what
// is uncommitted would be committed, a merge is under way, or repositories inside it would be lost.
func (t *Trees) FindUnfinished(ctx context.Context) (*journal.Failure, error) {
	// Uncommitted work would be committed to whatever branch an agent has switched to.
	if head, err := t.Repo.Head(ctx, t.Tree); (err == nil || errors.Is(err, gitops.ErrUnborn)) && head.Branch != "" && head.Branch != t.Job.Branch {
		return t.wrongBranchFailure(head), nil
	}
	why, step, err := t.whyUncommittable(ctx)
	if err != nil {
		return nil, err
	}
	if why == "" {
		return t.unsavedSubmodules(ctx, t.Tree)
	}
	return &journal.Failure{Kind: spec.ReasonStrayed, Message: fmt.Sprintf("the worktree has %s (%q)", why, t.Tree), Next: step}, nil
}

func (t *Trees) whyUncommittable(ctx context.Context) (why string, step next.Step, err error) {
	step = next.Shell("git -C %q status", t.Tree)
	unmerged, underway, err := t.Repo.Unmerged(ctx, t.Tree)
	if err != nil {
		return "", step, err
	}
	if len(unmerged) > 0 {
		return fmt.Sprintf("unresolved conflicts in %s", strings.Join(unmerged, ", ")), step, nil
	}
	if underway != "" {
		if ended, err := endPick(ctx, t, underway); err != nil || !ended {
			return "an unfinished " + underway, step, err
		}
	}
	nested, err := t.Repo.NestedRepositories(ctx, t.Tree)
	if err != nil || len(nested) == 0 {
		return "", step, err
	}
	why = fmt.Sprintf("a repository of its own in %s, whose content would be lost", strings.Join(nested, ", "))
	return why, saveNested(filepath.Join(t.Tree, filepath.FromSlash(nested[0]))), nil
}

// hasGit reports whether a folder is the top of a repository or of a submodule that is checked out.
func hasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// saveNested is the step by which a person keeps what is in a repository inside the worktree. Its settings are the agent's and
// can name programs, which status and push would run; fetching from it runs none of them.
func saveNested(dir string) next.Step {
	const words = "keep what you need (`git fetch %q HEAD` in a repository of yours, or copy the files), then remove that folder; other git commands there can run programs of the agent"
	return next.ByHand(fmt.Sprintf(words, dir)).See(next.Guide.On("trust"))
}

// endPick removes the mark of a cherry-pick or revert that has ended. Behind the wall git cannot do that, since it locks
// the refs of the whole repository for it. One that is under way has steps left, conflicts, or something staged.
func endPick(ctx context.Context, t *Trees, underway string) (ended bool, err error) {
	marks := map[string]string{"cherry-pick": "CHERRY_PICK_HEAD", "revert": "REVERT_HEAD"}
	// Without the wall git removes its mark itself, so a mark says that the operation is not over.
	if marks[underway] == "" || !t.Sandbox().State().InForce {
		return false, nil
	}
	own, err := t.Repo.GitDir(t.Tree)
	if err != nil {
		return false, err
	}
	if _, err := os.Lstat(filepath.Join(own, "sequencer")); err == nil {
		return false, nil
	}
	changes, err := t.Repo.Status(ctx, t.Tree)
	if err != nil {
		return false, err
	}
	for _, c := range changes {
		if c.Code[0] != ' ' && c.Code[0] != '?' {
			// Something is staged.
			return false, nil
		}
	}
	return true, rootdir.RemoveEach(own, marks[underway])
}

// unsavedSubmodules returns the failure of a worktree with submodules whose content would be lost with it, nil if there is none.
// Neither a commit nor a rescue ref of this repository can keep such content, and git would not find it in a folder
// that was set aside.
func (t *Trees) unsavedSubmodules(ctx context.Context, tree string) (*journal.Failure, error) {
	subs, err := t.Repo.UnsavedSubmodules(ctx, tree)
	if err != nil || len(subs) == 0 {
		return nil, err
	}
	f := &journal.Failure{Kind: spec.ReasonStrayed}
	for _, sub := range subs {
		dir := filepath.Join(tree, filepath.FromSlash(sub.Path))
		what, step := "commits that none of its remotes has", saveNested(dir)
		// Fetching brings commits alone, and only into a repository that is not the agent's.
		if sub.Uncommitted {
			what = "uncommitted files"
		} else if own := filepath.Join(t.Repo.Whole().Home(), filepath.FromSlash(sub.Path)); hasGit(own) {
			step = next.Shell("git -C %q fetch %q HEAD:refs/heads/%s", own, dir, t.Job.Branch)
		}
		if f.Next.IsZero() {
			f.Next = step
			f.Message = fmt.Sprintf("submodule %q has %s, which would be lost with the worktree (%q)", sub.Path, what, tree)
		}
		f.Details = append(f.Details, fmt.Sprintf("submodule %s: %s", sub.Path, what))
	}
	return f, nil
}

// notFiles are the kinds of entries that hold no content and can block their reader for ever.
const notFiles = fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice

// gitsSocket is the socket of git's own daemon that watches a worktree for changes.
const gitsSocket = "fsmonitor--daemon.ipc"

// openTree is FindTree, and makes sure that nothing in the run's own worktree blocks git: an agent of an earlier
// process, killed before its worktree was checked, may have left pipes there.
func (t *Trees) openTree(ctx context.Context) (own, foreign string, err error) {
	// A process that has run the agent has already checked the worktree after it.
	if !t.checked {
		tree, err := t.TreePath(t.Job.ID)
		if err != nil {
			return "", "", err
		}
		// Before anything else looks at the path, which would follow the link.
		if err := removeLink(ctx, t, tree); err != nil {
			return "", "", err
		}
		if err := t.Repo.RepairWorktree(ctx, tree, t.Job.Branch); err != nil {
			return "", "", err
		}
		// FindTree starts git, which would wait at a pipe for ever.
		taken, err := t.OpenPipes(ctx, tree)
		for _, text := range taken {
			t.Announce(journal.Worktree, "warning", "%s", text)
		}
		if err != nil {
			return "", "", err
		}
	}
	return t.FindTree(ctx)
}

// removeLink removes a link that an agent has put in the place of the run's worktree. What it leads to stays as it is.
func removeLink(ctx context.Context, t *Trees, tree string) error {
	if info, err := os.Lstat(tree); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil //nolint:nilerr // there is no worktree
	}
	// Only the link goes, since it may lead to a worktree of a person.
	if err := rootdir.Remove(tree); err != nil {
		return err
	}
	t.Announce(journal.Worktree, "warning", "removed a link that was in the place of the worktree")
	if err := t.rescueHead(ctx, tree); err != nil {
		return err
	}
	return t.Repo.ForgetWorktree(tree)
}

// OpenAfterAgent is OpenPipes for the run's own worktree when its agent has ended.
func (t *Trees) OpenAfterAgent(ctx context.Context) (taken []string, err error) {
	t.checked = true
	return t.OpenPipes(ctx, t.Tree)
}

// OpenPipes removes what would block or stop git in a worktree: pipes, sockets and devices that an agent has created
// where git reads its rules, or instead of ".git", of its spec, of a tracked file, or of a file in the worktree's git
// folder. Such a file has no content that could be lost. It returns what it removed, for people.
func (t *Trees) OpenPipes(ctx context.Context, tree string) (taken []string, err error) {
	take := func(top, file, name string) error {
		taken = append(taken, name+" was replaced by something that is not a file and would block its readers")
		return rootdir.RemoveEach(top, file)
	}
	folder := t.Repo.AdminDir(tree)
	found, err := pipes(ctx, folder)
	if err != nil {
		return nil, err
	}
	// First those in git's folder, which every git command reads.
	for _, file := range found {
		if err := take(folder, file, "git's "+file+" of the worktree"); err != nil {
			return taken, err
		}
	}
	// Before git is asked below which files it tracks.
	links, err := dropGitLinks(ctx, t, tree)
	if taken = append(taken, links...); err != nil {
		return taken, err
	}
	if found, err = pipes(ctx, tree); err != nil {
		return taken, err
	}
	for _, file := range found {
		full := filepath.Join(tree, filepath.FromSlash(file))
		stops := t.isReadByGit(file)
		if !stops && t.Whole(tree) {
			if stops, err = t.Repo.Tracked(ctx, tree, full); err != nil {
				return taken, err
			}
		}
		if !stops {
			// Git does not open what it does not track.
			continue
		}
		if err := take(tree, file, file); err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// pipes lists what is neither file, folder nor link in a worktree, by paths as git writes them. Git's own folder and
// the socket of its daemon are left out, and so is what cannot be read: git reports that.
func pipes(ctx context.Context, tree string) ([]string, error) {
	var found []string
	err := rootdir.In(tree, func(root *os.Root) error {
		return rootdir.Walk(root, func(name string, kind fs.FileMode) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case kind.IsDir() && path.Base(name) == ".git":
				return fs.SkipDir
			// The socket of git's own daemon blocks no reader.
			case kind&notFiles == 0 || kind == fs.ModeSocket && path.Base(name) == gitsSocket:
				return nil
			}
			found = append(found, name)
			return nil
		})
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, rootdir.ErrNotFolder) {
		return nil, nil
	}
	return found, err
}

// isReadByGit reports whether git or chant opens a file of this name without being asked.
func (t *Trees) isReadByGit(file string) bool {
	return slices.Contains([]string{".gitignore", ".gitattributes", ".gitmodules", ".mailmap"}, path.Base(file)) ||
		file == ".git" || file == t.Repo.FromTop(store.SpecPath(t.Job.ID))
}
