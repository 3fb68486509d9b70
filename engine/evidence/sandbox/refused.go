package sandbox

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/store/disk"
	"chant/engine/store/local"
)

// Refused lists the paths that the output of a program names as refused by the wall. Paths that the user cannot write to
// either are left out, since no setting would help.
func (b *Bounds) Refused(output string) []string {
	if b.Wall == nil {
		return nil
	}
	// A path that the user may not write either would not become writable by a setting.
	return slices.DeleteFunc(b.Wall.Refused(output, b.tree), func(path string) bool { return !writable(path) })
}

// Explain says what the wall has refused, and what allows it: the setting "sandbox.write" or "sandbox.checks", but none
// for what is git's, chant's or a key, with which an agent could escape. It is "" without a path.
func (s *Sandbox) Explain(paths []string, setting string) string {
	var free, kept []string
	for _, path := range paths {
		// A setting for one of these would let an agent out of the sandbox.
		if s.isKept(path) {
			kept = append(kept, path)
		} else {
			free = append(free, path)
		}
	}
	var said []string
	if len(free) > 0 {
		said = append(said, "EACCES: "+listPaths(free)+" outside of the run; allow it with "+setting)
	}
	if len(kept) > 0 {
		said = append(said, "EACCES: "+listPaths(kept)+" not for agents and criteria, and no setting should allow it")
	}
	return strings.Join(said, "; ")
}

// isKept reports whether a path is one of git, of chant, or of a key.
func (s *Sandbox) isKept(path string) bool {
	// The folder of git counts as a whole: settings there decide what git runs.
	kept := append(s.secrets(), s.Repo.CommonDir(), filepath.Join(s.Store.Home(), local.Dir))
	return slices.ContainsFunc(kept, func(top string) bool { return disk.Within(disk.RealPath(top), path) })
}

// listPaths lists paths, with the verb for their number.
func listPaths(paths []string) string {
	const most = 3
	quoted := make([]string, 0, most)
	for _, path := range paths[:min(len(paths), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", path))
	}
	more, is := "", "is"
	if len(paths) > most {
		more = fmt.Sprintf(" and %d more", len(paths)-most)
	}
	if len(paths) > 1 {
		is = "are"
	}
	return fmt.Sprintf("%s%s %s", strings.Join(quoted, ", "), more, is)
}
