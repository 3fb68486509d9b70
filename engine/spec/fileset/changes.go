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

// DriftedEntries lists the entries whose content differs both from that at completion of the spec and from that after
// its landing. An entry without a digest in completed or landed is compared with the other one only.
func DriftedEntries(completed, landed, now Digests) []string {
	var out []string
	for _, one := range now {
		// A landing merges changes made by others in the meantime, and these are not drift.
		if one.Sum != completed.Find(one.Entry) && one.Sum != landed.Find(one.Entry) {
			out = append(out, one.Entry)
		}
	}
	return out
}

// Changes lists, in the order of their paths, the files that match one of the entries and differ between two trees.
func Changes(id string, entries []string, was, now Tree) []FileChange {
	before, after := matchingAny(id, entries, was), matchingAny(id, entries, now)
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

func matchingAny(id string, entries []string, t Tree) map[string]string {
	out := map[string]string{}
	for _, entry := range entries {
		for _, f := range t.Matching(id, entry) {
			out[f.Path] = f.Hash
		}
	}
	return out
}
