package merging

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/gitindex"
	"chant/gitops/layout"
	"chant/gitops/refstore"
	"chant/gitops/revision"
)

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
	if mr.Revs.IsAhead(ctx, hashes[0], hashes[1]) { // nothing of ours is to be merged
		tree, err := mr.Revs.TreeOf(ctx, hashes[1])
		return Merge{Tree: tree}, err
	}
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
