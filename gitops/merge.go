package gitops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/gitindex"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
	"chant/gitops/refstore"
	"chant/gitops/revision"
)

// This file merges: two commits without a working tree, three versions of one file, a commit into a worktree, a branch
// onto another one, and a branch forward to a commit.
//
// It never lets a setting of the user choose how to merge, and never overwrites local changes;
// Abort alone loses what was changed since a merge began.
//
// Rules:
//
//   - Conflicts are data. A *ConflictError says that nothing was changed.
//   - A fast-forward brings index and files first and the ref second; PutBack undoes the half that
//     a killed process has done.

// Merger merges in one repository and its worktrees.
// Its fields are set once, when it is made.
type Merger struct {
	Git    *gitexec.Runner
	Site   *layout.Site
	Refs   *refstore.Store
	Revs   *revision.Reader
	Index  *gitindex.Index
	Config *gitconfig.Settings
}

// Merge is a computed merge: with conflicts, Tree holds files with conflict markers.
type Merge struct {
	Tree      string
	Conflicts []Conflict
}

// Conflict is a path that did not merge; the blobs are hashes, "" where a side has none.
type Conflict struct{ Path, Base, Ours, Theirs string }

// MergeTree merges two commits without any working tree; conflicts are data, not an
// error. Spec files (attribute merge=chant-spec) come out as conflicts rather than run
// the configured driver. *ConflictError where the histories are unrelated.
func (mr *Merger) MergeTree(ctx context.Context, ours, theirs string) (Merge, error) {
	hashes, err := mr.Revs.ResolveBoth(ctx, ours, theirs)
	if err != nil {
		return Merge{}, err
	}
	// Nothing of ours is to be merged.
	if mr.Revs.IsAhead(ctx, hashes[0], hashes[1]) {
		tree, err := mr.Revs.TreeOf(ctx, hashes[1])
		return Merge{Tree: tree}, err
	}
	if err := mr.secure(ctx, hashes[0], hashes[1]); err != nil {
		return Merge{}, err
	}
	// Spec files have to come out as conflicts, which the driver in the settings would solve.
	out, err := mr.Git.Run(ctx, gitexec.Call{Dir: mr.Site.Home, Limit: gitexec.LongLimit, Write: true, Settings: []string{"merge.chant-spec.driver=false"},
		Args: []string{"merge-tree", "--write-tree", "-z", "--no-messages", hashes[0], hashes[1]}})
	var failed *gitexec.Error
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.Stderr, "unrelated histories"):
		return Merge{}, &ConflictError{Op: "merge", Msg: fmt.Sprintf("%q and %q have unrelated histories", ours, theirs)}
	case err != nil && gitexec.ExitCode(err) != 1:
		return Merge{}, err
	}
	m := parseMerge(gitexec.Records(out))
	// A merge with conflicts but no path must not pass for a clean one.
	if err != nil && len(m.Conflicts) == 0 {
		return Merge{}, &ConflictError{Op: "merge", Msg: fmt.Sprintf("%q and %q cannot be merged, and git names no path: %s", ours, theirs, failed)}
	}
	return m, nil
}

// secure has all that a merge of two commits reads in packs.
func (mr *Merger) secure(ctx context.Context, ours, theirs string) error {
	all := map[string]bool{}
	if err := mr.bases(ctx, ours, theirs, all); err != nil {
		return err
	}
	return mr.Revs.Objects.Secure(ctx, append(slices.Sorted(maps.Keys(all)), ours, theirs)...)
}

// bases adds the commits that git merges to find the base of a merge: where two histories part at several commits, it merges
// these first, each two of them with the commits at which they part.
func (mr *Merger) bases(ctx context.Context, ours, theirs string, all map[string]bool) error {
	// First the history between them, by which git finds the bases.
	if err := mr.Revs.Objects.SecureRange(ctx, ours, theirs); err != nil {
		return err
	}
	found, err := mr.Revs.MergeBases(ctx, ours, theirs)
	if err != nil {
		return err
	}
	for i, base := range found {
		known := all[base]
		all[base] = true
		for _, other := range found[:i] {
			if known && all[other] {
				continue
			}
			if err := mr.bases(ctx, other, base, all); err != nil {
				return err
			}
		}
	}
	return nil
}

// parseMerge reads the tree and the lines "mode hash stage<TAB>path", sorted by path.
func parseMerge(fields []string) Merge {
	var m Merge
	for i, field := range fields {
		if i == 0 {
			m.Tree = field
			continue
		}
		info, path, ok := strings.Cut(field, "\t")
		parts := strings.Fields(info)
		if !ok || len(parts) != 3 {
			continue
		}
		// The stages of one path follow each other.
		if n := len(m.Conflicts); n == 0 || m.Conflicts[n-1].Path != path {
			m.Conflicts = append(m.Conflicts, Conflict{Path: path})
		}
		c := &m.Conflicts[len(m.Conflicts)-1]
		switch parts[2] {
		case "1":
			c.Base = parts[1]
		case "2":
			c.Ours = parts[1]
		case "3":
			c.Theirs = parts[1]
		}
	}
	return m
}

// blockingPaths collects the paths that git lists, each on a line of its own after a tab.
func blockingPaths(stderr string) []string {
	var files []string
	for line := range strings.Lines(stderr) {
		if path, ok := strings.CutPrefix(line, "\t"); ok {
			files = append(files, strings.TrimRight(path, "\r\n"))
		}
	}
	return files
}

// ConflictError says that a merge was refused or cannot be made, and nothing was changed.
// Files are the paths with local changes, untracked and ignored files among them, that
// stand in the way; without any, Msg says what does. Op is "merge", "rebase" or
// "fast-forward". Aside is the command that moves the first of Files out of the way, ""
// where "git stash" does; then Msg says what they are.
type ConflictError struct {
	Op    string
	Files []string
	Msg   string
	Aside string
}

// shownFiles is how many paths a message names before it only counts.
const shownFiles = 8

// Error is one sentence, which does not name Op.
func (e *ConflictError) Error() string {
	if len(e.Files) == 0 || e.Aside != "" {
		return e.Msg
	}
	var names []string
	for _, file := range e.Files[:min(len(e.Files), shownFiles)] {
		names = append(names, strconv.Quote(file))
	}
	text := "local changes to " + strings.Join(names, ", ")
	if more := len(e.Files) - shownFiles; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + " are in the way"
}

// MergeFile merges three versions of one file line by line. conflict reports that the
// result holds conflict markers.
func (mr *Merger) MergeFile(ctx context.Context, base, ours, theirs []byte) (merged []byte, conflict bool, err error) {
	return mr.mergeFile(ctx, base, ours, theirs)
}

// MergeFileOurs is MergeFile with the lines of ours wherever both sides changed the same ones.
func (mr *Merger) MergeFileOurs(ctx context.Context, base, ours, theirs []byte) (merged []byte, err error) {
	merged, _, err = mr.mergeFile(ctx, base, ours, theirs, "--ours")
	return merged, err
}

func (mr *Merger) mergeFile(ctx context.Context, base, ours, theirs []byte, options ...string) (merged []byte, conflict bool, err error) {
	dir, err := os.MkdirTemp("", "chant-merge-")
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := append([]string{"merge-file", "-p", "-L", "ours", "-L", "base", "-L", "theirs"}, options...)
	for _, v := range []struct {
		name string
		text []byte
	}{{"ours", ours}, {"base", base}, {"theirs", theirs}} {
		path := filepath.Join(dir, v.name)
		if err := os.WriteFile(path, v.text, 0o600); err != nil {
			return nil, false, err
		}
		args = append(args, path)
	}
	out, err := mr.Git.Run(ctx, gitexec.Call{Dir: mr.Site.Home, Args: args})
	// Below 128, the exit code is the number of conflicts.
	if code := gitexec.ExitCode(err); code > 0 && code < 128 {
		return out, true, nil
	}
	return out, false, err
}

// BeginMerge merges commit into what the worktree at dir has checked out and stops before
// it commits, so that ConcludeMerge or Abort has to follow. conflicts lists the paths
// that hold both sides now, sorted. Local changes in the way are a *ConflictError, with
// nothing changed. Errors: ErrNotFound, ErrNotRepository.
func (mr *Merger) BeginMerge(ctx context.Context, dir, commit string) (conflicts []string, err error) {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	hash, err := mr.Revs.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	head, err := mr.Refs.HeadOf(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := mr.secure(ctx, head.Hash, hash); err != nil {
		return nil, err
	}
	if err := mr.mergeable(ctx, p, head.Hash, hash); err != nil {
		return nil, err
	}
	// Settings of the person must not change the result: a strategy of theirs could drop what is merged, and a squash has no
	// second parent.
	_, err = mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Limit: gitexec.LongLimit, Config: plainMerge(head.Branch), Args: []string{"merge", "-q", "--strategy=ort", "--no-ff", "--no-commit",
		"--no-squash", "--no-autostash", "--no-verify-signatures", "--no-overwrite-ignore", "--no-stat", hash}})
	if err == nil {
		return nil, nil
	}
	// The exit code alone does not show whether a merge has begun; its marks do.
	if gitexec.ExitCode(err) != 1 && inProgress(p.GitDir) != "merge" {
		return nil, refusal("merge", p, err)
	}
	conflicts, underway, lookErr := mr.Unmerged(ctx, dir)
	switch {
	case lookErr != nil:
		return nil, lookErr
	case underway != "merge":
		return nil, refusal("merge", p, err)
	}
	return conflicts, nil
}

// mergeable returns a *ConflictError if a merge of two commits in a worktree, which has the first checked out, would write into
// other repositories there.
func (mr *Merger) mergeable(ctx context.Context, p layout.Place, ours, theirs string) error {
	// Only the result has what a merge moves along with a folder that was renamed.
	m, err := mr.MergeTree(ctx, ours, theirs)
	if err != nil {
		return err
	}
	changes, err := mr.Revs.Diff(ctx, ours, m.Tree)
	if err != nil {
		return err
	}
	return mr.unobstructed(ctx, "merge", p, ours, changes)
}

// plainMerge are the settings with which the options that a user has set for merging into
// a branch have no effect: "-s ours" among them would drop what is merged.
func plainMerge(branch string) [][2]string {
	return [][2]string{{"branch." + branch + ".mergeOptions", ""}}
}

// ConcludeMerge commits the merge under way in the worktree at dir with all that lies
// there, whatever git still takes for unmerged, and returns the commit; "" when no merge is
// under way. Errors: ErrNotRepository.
func (mr *Merger) ConcludeMerge(ctx context.Context, dir, message string) (string, error) {
	p, err := mr.Site.Place(dir)
	if err != nil || inProgress(p.GitDir) != "merge" {
		return "", err
	}
	// Files with conflict markers count as solved, since the caller has looked at what lies there.
	if _, err := mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"add", "-A", "--sparse"}, Limit: gitexec.LongLimit}); err != nil {
		return "", err
	}
	text := strings.TrimRight(message, "\n") + "\n"
	// Only white space is cleaned up: with the default, lines that begin with "#" would be lost.
	commit := gitexec.Call{Dir: p.Top, Args: []string{"commit", "-q", "--no-verify", "--cleanup=whitespace", "-F", "-"}, Stdin: []byte(text), Limit: gitexec.LongLimit}
	if _, err := mr.Git.Retry(ctx, commit); err != nil {
		return "", err
	}
	head, err := mr.Refs.HeadOf(ctx, p)
	if err != nil {
		return "", fmt.Errorf("commit in %q: %w", dir, err)
	}
	return head.Hash, nil
}

// Abort puts the worktree at dir back to where it was before the merge or rebase under way
// there; what was changed since is lost. Without one it does nothing. Errors:
// ErrNotRepository.
func (mr *Merger) Abort(ctx context.Context, dir string) error {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return err
	}
	doing := inProgress(p.GitDir)
	if doing != "merge" && doing != "rebase" {
		return nil
	}
	_, err = mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{doing, "--abort"}, Limit: gitexec.LongLimit})
	return err
}

// Rebase replays the commits since base of the branch that is checked out at dir on top of
// onto, without the hooks that may refuse it. Where one does not apply, branch and worktree are
// put back as they were, and conflicts lists the paths, sorted. Local changes in the way
// are a *ConflictError. Errors: ErrNotFound, ErrNotRepository.
func (mr *Merger) Rebase(ctx context.Context, dir, base, onto string) (conflicts []string, err error) {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	hashes, err := mr.Revs.ResolveBoth(ctx, base, onto)
	if err != nil {
		return nil, err
	}
	head, err := mr.Refs.HeadOf(ctx, p)
	if err != nil {
		return nil, err
	}
	// Each commit is replayed, so git reads what all of them have.
	replayed, err := mr.Revs.Log(ctx, hashes[0], head.Hash)
	if err != nil {
		return nil, err
	}
	all := []string{hashes[0], hashes[1]}
	for _, c := range replayed {
		all = append(all, c.Hash)
	}
	if err := mr.Revs.Objects.Secure(ctx, all...); err != nil {
		return nil, err
	}
	if err := mr.replayable(ctx, p, head.Hash, hashes[1], replayed); err != nil {
		return nil, err
	}
	// Nothing may wait for an editor, and settings of the person must neither move other branches nor melt commits together.
	settings := []string{"core.editor=true", "sequence.editor=true", "rebase.updateRefs=false", "rebase.autoSquash=false"}
	_, err = mr.Git.Retry(ctx, gitexec.Call{Dir: p.Top, Settings: settings, Limit: gitexec.LongLimit, Args: []string{"rebase", "-q",
		"--no-autostash", "--no-verify", "--empty=keep", "--reapply-cherry-picks", "--onto", hashes[1], hashes[0]}})
	if err == nil {
		return nil, nil
	}
	// A canceled rebase leaves the worktree in the middle, so it is put back all the same.
	calm := context.WithoutCancel(ctx)
	conflicts, underway, lookErr := mr.Unmerged(calm, dir)
	if lookErr != nil || underway != "rebase" {
		return nil, errors.Join(refusal("rebase", p, err), lookErr)
	}
	// Without a path that conflicts, git's own error says more than an empty list.
	if abortErr := mr.Abort(calm, dir); abortErr != nil || ctx.Err() != nil || len(conflicts) == 0 {
		return nil, errors.Join(err, abortErr)
	}
	return conflicts, nil
}

// replayable returns a *ConflictError if a rebase in a worktree would write into other repositories there: where it checks out
// what the commits go onto, or where it replays one of them.
func (mr *Merger) replayable(ctx context.Context, p layout.Place, from, onto string, commits []objectstore.Commit) error {
	changes, err := mr.Revs.Diff(ctx, from, onto)
	if err != nil {
		return err
	}
	if err := mr.unobstructed(ctx, "rebase", p, from, changes); err != nil {
		return err
	}
	for _, c := range commits {
		// Merges are not replayed.
		if len(c.Parents) != 1 {
			continue
		}
		if changes, err = mr.Revs.Diff(ctx, c.Parents[0], c.Hash); err != nil {
			return err
		}
		if err := mr.unobstructed(ctx, "rebase", p, from, changes); err != nil {
			return err
		}
	}
	return nil
}

// refusal is the error of a git that did not even begin.
func refusal(op string, p layout.Place, err error) error {
	var failed *gitexec.Error
	if !errors.As(err, &failed) {
		return err
	}
	files := blockingPaths(failed.Stderr)
	if len(files) == 0 && !strings.Contains(failed.Stderr, "unstaged changes") && !strings.Contains(failed.Stderr, "uncommitted changes") {
		return err
	}
	return &ConflictError{Op: op, Files: files, Msg: fmt.Sprintf("local changes in %q are in the way", p.Top)}
}
