package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// Unmerged lists the paths with unmerged index entries in the worktree at dir, sorted;
// underway is "merge", "rebase", "cherry-pick" or "revert" when one has begun there and not
// ended, also with no path left unmerged, and "" otherwise. Errors: ErrNotRepository.
func (mr *Merger) Unmerged(ctx context.Context, dir string) (paths []string, underway string, err error) {
	p, err := mr.Site.Place(dir)
	if err != nil {
		return nil, "", err
	}
	if paths, err = mr.Index.UnmergedEntries(ctx, p); err != nil {
		return nil, "", err
	}
	slices.Sort(paths)
	return slices.Compact(paths), inProgress(p.GitDir), nil
}

// Rebasing finds the worktree, home or linked, in which a rebase of branch (a short name)
// is under way: its HEAD is detached then, so that no list of worktrees names the branch.
// path is the top of that worktree. It starts no process.
func (mr *Merger) Rebasing(branch string) (path string, found bool, err error) {
	if err := layout.ValidBranch(branch); err != nil {
		return "", false, err
	}
	all, err := mr.Site.Places()
	if err != nil {
		return "", false, err
	}
	for _, p := range all {
		// An agent can write the state of a rebase for any branch into the git folder of its worktree.
		if !mr.Site.MayHave(p, branch) {
			continue
		}
		for _, state := range []string{"rebase-merge", "rebase-apply"} {
			name, err := layout.ReadName(filepath.Join(p.GitDir, state, "head-name"))
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return "", false, fmt.Errorf("rebase in %q: %w", p.Top, err)
			case strings.TrimSpace(string(name)) == layout.Heads+branch:
				return p.Top, true, nil
			}
		}
	}
	return "", false, nil
}

// inProgress names what a worktree is in the middle of, or "". A rebase comes first: while
// it stops at a commit it leaves the marks of the others too.
func inProgress(gitDir string) string {
	for _, state := range []struct{ file, name string }{
		{"rebase-merge", "rebase"}, {"rebase-apply", "rebase"}, {"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"},
	} {
		if _, err := os.Stat(filepath.Join(gitDir, state.file)); err == nil {
			return state.name
		}
	}
	// Between two commits of one series only its list of steps is there.
	switch steps, _ := layout.ReadPlain(filepath.Join(gitDir, "sequencer", "todo")); {
	case strings.HasPrefix(string(steps), "revert "):
		return "revert"
	case strings.HasPrefix(string(steps), "p"): // "pick", or "p" where it is abbreviated
		return "cherry-pick"
	}
	return ""
}
