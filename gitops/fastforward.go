package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/refstore"
	"chant/gitops/revision"
)

// FastForward moves the branch checked out at dir, with index and files, to commit, and
// sets ORIG_HEAD to where it was. No setting of git that chooses how to merge has a say:
// it reads two trees and moves one ref. Local edits of other files stay as they are,
// staged or not. Where local edits, untracked or ignored files or other repositories are in
// the way, where a merge or rebase is in progress, where HEAD is detached or commit is no
// descendant, it changes nothing and returns a *ConflictError. Errors: ErrChanged when the branch moves
// meanwhile (index and files are then put back), ErrNotFound, ErrNotRepository.
func (mr *Merger) FastForward(ctx context.Context, dir, commit string) error {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return err
	}
	hash, err := mr.Revs.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	head, err := mr.Refs.HeadOf(ctx, p)
	if err != nil {
		return err
	}
	if err := mr.forwards(ctx, p, head, commit); err != nil {
		return err
	}
	if err := mr.switchFiles(ctx, p, head.Hash, hash); err != nil {
		return err
	}
	// The files are there: the ref follows, also when we are stopped now.
	calm := context.WithoutCancel(ctx)
	err = mr.Refs.Forward(calm, p, layout.Heads+head.Branch, hash, head.Hash, "chant: fast-forward")
	if err != nil {
		return errors.Join(err, mr.switchFiles(calm, p, hash, head.Hash))
	}
	return mr.afterMerge(calm, p)
}

// PutBack undoes the half of a FastForward to commit that a killed process has done in the
// worktree at dir: index and files are there, the branch is not. Anything else it leaves as
// it is. done reports whether there was something to undo. Errors: ErrNotFound,
// ErrNotRepository.
func (mr *Merger) PutBack(ctx context.Context, dir, commit string) (done bool, err error) {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return false, err
	}
	head, err := mr.Refs.HeadOf(ctx, p)
	if err != nil {
		return false, err
	}
	to, err := mr.Revs.ReadCommit(ctx, commit)
	// Only from the parent of the commit can a FastForward have been killed; anything else is a person's work.
	if err != nil || !slices.Contains(to.Parents, head.Hash) {
		return false, err
	}
	changes, err := mr.Revs.Diff(ctx, head.Hash, to.Hash)
	if err != nil || len(changes) == 0 {
		return false, err
	}
	// A command line has a limit in length.
	for some := range slices.Chunk(changes, perCall) {
		args := []string{"--literal-pathspecs", "diff-index", "--cached", "--quiet", to.Hash, "--"}
		for _, c := range some {
			args = append(args, c.Path)
		}
		_, err := mr.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args})
		if gitexec.ExitCode(err) == 1 {
			// The index is not that of the commit, so nothing of it was begun here.
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, mr.switchFiles(ctx, p, to.Hash, head.Hash)
}

// forwards checks that what a worktree has checked out can move to a commit at all.
func (mr *Merger) forwards(ctx context.Context, p layout.Place, head refstore.Head, commit string) error {
	// A merge or rebase has its own idea of where the branch goes next.
	if doing := inProgress(p.GitDir); doing != "" {
		return notForwarded(fmt.Sprintf("a %s is under way in %q", doing, p.Top))
	}
	if head.Branch == "" {
		return notForwarded(fmt.Sprintf("HEAD is detached in %q", p.Top))
	}
	ahead, err := mr.Revs.IsAncestor(ctx, head.Hash, commit)
	if err != nil || ahead {
		return err
	}
	// Unmerged files are named first: they are what the person has to settle before the branches can be compared at all.
	unmerged, _, err := mr.Unmerged(ctx, p.Top)
	if err != nil {
		return err
	}
	if len(unmerged) > 0 {
		return notForwarded(fmt.Sprintf("files in %q are unmerged", p.Top))
	}
	return notForwarded(fmt.Sprintf("branch %q has commits that %q does not have", head.Branch, commit))
}

// fastForward is the Op of a *ConflictError.
const fastForward = "fast-forward"

func notForwarded(why string) error { return &ConflictError{Op: fastForward, Msg: why} }

// switchFiles brings index and files of a worktree from one commit to another, as a
// checkout does. A process that was killed in between may have done it already.
func (mr *Merger) switchFiles(ctx context.Context, p layout.Place, from, to string) error {
	if err := mr.Revs.Objects.Secure(ctx, from, to); err != nil {
		return err
	}
	changes, err := mr.Revs.Diff(ctx, from, to)
	if err != nil {
		return err
	}
	// read-tree removes them, or writes into them.
	if err := mr.unobstructed(ctx, fastForward, p, from, changes); err != nil {
		return err
	}
	// read-tree keeps untracked files, but overwrites those that git ignores.
	files, err := mr.untrackedAmong(ctx, p, changes)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return mr.blocked(ctx, p, changes, files)
	}
	run := func(args ...string) error {
		_, err := mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Limit: gitexec.LongLimit, Args: args})
		return err
	}
	err = run("read-tree", "-m", "-u", from, to)
	if failed, ok := errors.AsType[*gitexec.Error](err); ok && len(refusedPaths(failed.Stderr)) > 0 {
		// It also takes a file that was only touched for an edited one. That some file is not up to date is what the
		// refresh then reports.
		if err := run("update-index", "--refresh"); err != nil && gitexec.ExitCode(err) != 1 {
			return err
		}
		err = run("read-tree", "-m", "-u", from, to)
	}
	var failed *gitexec.Error
	// A lock of another process means that read-tree has written nothing, so there is nothing to take back.
	if !errors.As(err, &failed) || gitexec.Contended(failed) {
		return err
	}
	if named := refusedPaths(failed.Stderr); len(named) > 0 {
		return mr.blocked(ctx, p, changes, named)
	}
	if strings.Contains(failed.Stderr, "unmerged") || strings.Contains(failed.Stderr, "resolve your current index") {
		return notForwarded(fmt.Sprintf("files in %q are unmerged", p.Top))
	}
	// Any other failure, such as a full disk, can have come after some of the files were written.
	return errors.Join(err, mr.takeBack(context.WithoutCancel(ctx), p, changes, to))
}

// blocked is the error of a worktree whose own content is in the way: of those paths, and
// of what else is not clean among the changes.
func (mr *Merger) blocked(ctx context.Context, p layout.Place, changes []revision.Change, paths []string) error {
	status, err := mr.Index.Status(ctx, p.Top)
	if err != nil {
		return err
	}
	for _, s := range status {
		// Git names only the first kind of obstacle that it finds, but the person should see all of them at once.
		if s.Code != "??" && slices.ContainsFunc(changes, func(c revision.Change) bool { return c.Path == s.Path }) {
			paths = append(paths, s.Path)
		}
	}
	slices.Sort(paths)
	return &ConflictError{Op: fastForward, Files: slices.Compact(paths), Msg: fmt.Sprintf("local changes in %q are in the way", p.Top)}
}

// perCall bounds how many paths one command line gets.
const perCall = 200

// untrackedAmong lists the files of the worktree, ignored ones included, that are in
// no index and lie where the changes add something.
func (mr *Merger) untrackedAmong(ctx context.Context, p layout.Place, changes []revision.Change) ([]string, error) {
	var there []string
	for _, c := range changes {
		// Where a tracked file is changed or removed, read-tree itself refuses to lose local edits.
		if c.Status != 'A' {
			continue
		}
		path, found := firstOnDisk(p.Top, c.Path)
		// Git takes a folder that is there for a new submodule as it is. The ones before may have left it.
		if found && !(c.Gitlink && path == c.Path && isRepository(filepath.Join(p.Top, filepath.FromSlash(path)))) {
			there = append(there, path)
		}
	}
	slices.Sort(there)
	var found []string
	for paths := range slices.Chunk(slices.Compact(there), perCall) {
		// Without --exclude-standard, ignored files are listed too: read-tree would overwrite them without asking.
		args := append([]string{"--literal-pathspecs", "ls-files", "-z", "--others", "--"}, paths...)
		out, err := mr.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args})
		if err != nil {
			return nil, err
		}
		found = append(found, gitexec.Records(out)...)
	}
	return found, nil
}

// firstOnDisk is path if something is there, or the folder above it that is a file.
func firstOnDisk(top, path string) (string, bool) {
	parts := strings.Split(path, "/")
	for i := range parts {
		part := strings.Join(parts[:i+1], "/")
		info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(part)))
		if err != nil {
			return "", false
		}
		// A file where a folder has to be made is in the way as well.
		if !info.IsDir() || i == len(parts)-1 {
			return part, true
		}
	}
	return "", false
}

// isRepository reports whether a folder is the working tree of a repository.
func isRepository(dir string) bool { return !isMissing(filepath.Join(dir, ".git")) }

// refusedPaths collects the paths that read-tree names when it refuses.
func refusedPaths(stderr string) []string {
	var paths []string
	for _, m := range regexp.MustCompile(`(?m)^error: (?:Entry|Untracked working tree file|Updating) '(.*)' (?:not uptodate|would)`).FindAllStringSubmatch(stderr, -1) {
		paths = append(paths, m[1])
	}
	return paths
}

// postMerge is the hook that git runs after a merge.
const postMerge = "post-merge"

// afterMerge runs the hook of the repository, as git does after a merge. Its failure undoes nothing.
func (mr *Merger) afterMerge(ctx context.Context, p layout.Place) error {
	// Most repositories have no such hook, and finding that out here saves two processes.
	if how, err := mr.Config.Summary(ctx); err == nil && !how.HooksElsewhere {
		found, err := filepath.Glob(filepath.Join(mr.Site.Common, "hooks", postMerge+"*"))
		found = slices.DeleteFunc(found, func(path string) bool { return strings.HasSuffix(path, ".sample") })
		if err == nil && len(found) == 0 {
			return nil
		}
	}
	return mr.Git.After(ctx, postMerge, gitexec.Call{Dir: p.Top, Args: []string{"0"}})
}
