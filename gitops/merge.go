package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

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
func (r *Repo) MergeTree(ctx context.Context, ours, theirs string) (Merge, error) {
	hashes, err := r.resolveBoth(ctx, ours, theirs)
	if err != nil {
		return Merge{}, err
	}
	out, err := r.git.run(ctx, call{dir: r.home, limit: longLimit, write: true, settings: []string{"merge.chant-spec.driver=false"},
		args: []string{"merge-tree", "--write-tree", "-z", "--no-messages", hashes[0], hashes[1]}})
	var failed *GitError
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.Stderr, "unrelated histories"):
		return Merge{}, &ConflictError{Op: "merge", Msg: fmt.Sprintf("%q and %q have unrelated histories", ours, theirs)}
	case err != nil && exitCode(err) != 1:
		return Merge{}, err
	}
	m := parseMerge(records(out))
	if err != nil && len(m.Conflicts) == 0 {
		return Merge{}, &ConflictError{Op: "merge", Msg: fmt.Sprintf("%q and %q cannot be merged, and git names no path: %s", ours, theirs, failed)}
	}
	return m, nil
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

// FastForward moves the branch checked out at dir, with index and files, to commit. Where
// local edits, untracked or ignored files stand in the way, where a merge or rebase is in
// progress, where HEAD is detached or commit is no descendant, it changes nothing and
// returns a *ConflictError. Errors: ErrNotFound, ErrNotRepository.
func (r *Repo) FastForward(ctx context.Context, dir, commit string) error {
	p, err := r.place(dir)
	if err != nil {
		return err
	}
	hash, err := r.Resolve(ctx, commit)
	if err != nil {
		return err
	}
	head, err := r.headOf(ctx, p)
	if err != nil {
		return err
	}
	const op = "fast-forward"
	if doing := inProgress(p.gitDir); doing != "" {
		return &ConflictError{Op: op, Msg: fmt.Sprintf("a %s is under way in %q", doing, p.top)}
	}
	if head.Branch == "" {
		return &ConflictError{Op: op, Msg: fmt.Sprintf("HEAD is detached in %q", p.top)}
	}
	_, err = r.git.retry(ctx, call{dir: p.top, limit: longLimit, args: []string{"merge", "-q", "--ff-only", "--no-squash",
		"--no-autostash", "--no-verify-signatures", "--no-overwrite-ignore", "--no-stat", hash}})
	var failed *GitError
	if errors.As(err, &failed) && refused(failed) {
		return &ConflictError{Op: op, Files: inTheWay(failed.Stderr), Msg: obstacle(failed, head.Branch, commit, p.top)}
	}
	return err
}

// obstacle says in one sentence why git refuses to move branch to commit.
func obstacle(failed *GitError, branch, commit, top string) string {
	switch {
	case len(inTheWay(failed.Stderr)) > 0:
		return fmt.Sprintf("local changes in %q are in the way", top)
	case strings.Contains(failed.Stderr, "Not possible to fast-forward"):
		return fmt.Sprintf("branch %q has commits that %q has not", branch, commit)
	case strings.Contains(failed.Stderr, "unmerged files"):
		return fmt.Sprintf("files in %q are unmerged", top)
	}
	return failed.Error()
}

// refused tells a refusal to merge from a git that could not work at all.
func refused(failed *GitError) bool {
	return !contended(failed) && (failed.ExitCode == 1 ||
		strings.Contains(failed.Stderr, "Not possible to fast-forward") || strings.Contains(failed.Stderr, "unmerged files"))
}

// inTheWay collects the paths that git lists, each on a line of its own after a tab.
func inTheWay(stderr string) []string {
	var files []string
	for line := range strings.Lines(stderr) {
		if path, ok := strings.CutPrefix(line, "\t"); ok {
			files = append(files, strings.TrimRight(path, "\r\n"))
		}
	}
	return files
}
