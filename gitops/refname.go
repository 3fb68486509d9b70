package gitops

import (
	"fmt"
	"strings"
)

// ValidBranch tells what is wrong with name as a branch name, or nil. The rules are those
// of "git check-ref-format --branch", without its shorthands; it starts no process.
func (r *Repo) ValidBranch(name string) error { return validBranch(name) }

func validBranch(name string) error {
	if name == "" || name == "HEAD" || strings.HasPrefix(name, "-") || !validRef(heads+name) {
		return fmt.Errorf("%q is not a valid branch name", name)
	}
	return nil
}

// validRef applies the rules of git-check-ref-format(1) to a full name.
func validRef(name string) bool {
	if !strings.HasPrefix(name, "refs/") || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return false
		}
	}
	return true
}
