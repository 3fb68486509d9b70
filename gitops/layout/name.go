package layout

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// Heads is what the full names of branches begin with.
const Heads = "refs/heads/"

// ValidPath refuses what git would not check out, or would check out elsewhere.
func ValidPath(path string) error {
	bad := !fs.ValidPath(path) || path == "." || strings.ContainsRune(path, 0)
	for part := range strings.SplitSeq(path, "/") {
		// On file systems without case, ".GIT" is git's own folder.
		bad = bad || strings.EqualFold(part, ".git")
	}
	if bad {
		return fmt.Errorf("%q is not a path inside a repository", path)
	}
	return nil
}

// IsHash reports whether text is a whole object name, SHA-1 or SHA-256.
func IsHash(text string) bool {
	if len(text) != 40 && len(text) != 64 {
		return false
	}
	_, err := hex.DecodeString(text)
	return err == nil
}

// ValidBranch returns what is wrong with name as a branch name, or nil. The rules are those of
// "git check-ref-format --branch", without its shorthands.
func ValidBranch(name string) error {
	// A branch of the name HEAD would hide the real one, and a leading dash reads as an option.
	if name == "" || name == "HEAD" || strings.HasPrefix(name, "-") || !ValidRef(Heads+name) {
		return fmt.Errorf("%q is not a valid branch name", name)
	}
	return nil
}

// ValidRef applies the rules of git-check-ref-format(1) to a full name.
func ValidRef(name string) bool {
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
