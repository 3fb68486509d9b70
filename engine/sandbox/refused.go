package sandbox

import (
	"fmt"
	"slices"
	"strings"
)

// Refused lists the paths that the output of a program names as refused by the wall. Paths that the user cannot write to
// either are left out, since no setting would help.
func (b *Bounds) Refused(output string) []string {
	if b.Wall == nil {
		return nil
	}
	return slices.DeleteFunc(b.Wall.Refused(output, b.tree), func(path string) bool { return !writable(path) })
}

// Explain says what the wall has refused, and the setting that allows it: "sandbox.write" or "sandbox.checks". It is ""
// without a path.
func Explain(paths []string, setting string) string {
	const most = 3
	if len(paths) == 0 {
		return ""
	}
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
	return fmt.Sprintf("EACCES: %s%s %s outside of the run; allow it with %s", strings.Join(quoted, ", "), more, is, setting)
}
