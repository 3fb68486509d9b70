package fileset

import (
	"slices"
	"strings"
)

// FileChange is a file that differs between two trees: added, changed or removed.
type FileChange struct {
	Path   string `json:"path"`
	Change string `json:"change"`
}

// Drifted lists the entries whose content is neither what it was when the spec was
// completed nor what it was when it landed: a landing merges what others have changed
// meanwhile, and that is no drift. Digests that are missing on one side do not excuse.
func Drifted(completed, landed, now Digests) []string {
	var out []string
	for _, one := range now {
		if one.Sum != completed.Of(one.Entry) && one.Sum != landed.Of(one.Entry) {
			out = append(out, one.Entry)
		}
	}
	return out
}

// Changes lists, in order of their paths, the files that the entries mean and that
// differ between two trees.
func Changes(id string, entries []string, was, now Tree) []FileChange {
	before, after := meantByAny(id, entries, was), meantByAny(id, entries, now)
	var out []FileChange
	for path, hash := range before {
		switch other, still := after[path]; {
		case !still:
			out = append(out, FileChange{path, "removed"})
		case other != hash:
			out = append(out, FileChange{path, "changed"})
		}
	}
	for path := range after {
		if _, known := before[path]; !known {
			out = append(out, FileChange{path, "added"})
		}
	}
	slices.SortFunc(out, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func meantByAny(id string, entries []string, t Tree) map[string]string {
	out := map[string]string{}
	for _, entry := range entries {
		for _, f := range t.Meant(id, entry) {
			out[f.Path] = f.Hash
		}
	}
	return out
}
