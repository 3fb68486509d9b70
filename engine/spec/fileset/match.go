package fileset

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match reports whether an entry of target_files, tracks, origin or informed_by matches a path. Both are relative to
// the top of the repository, with slashes. An entry is the path itself, a folder, which matches all files below it, or
// a glob with *, ?, [...], {...} and **. Case matters. An entry that is equal to the path always matches. An entry that
// leaves the repository
// matches no file; an invalid glob, or one with more than eight braces, matches only a path equal to it and files below
// that.
func Match(pattern, name string) bool {
	if strings.TrimSpace(pattern) == "" {
		return false
	}
	pattern = cleanEntry(pattern)
	// An entry that is equal to the path matches, even if it would mean something else as a glob: "app/[id]/page.tsx".
	if pattern == "." || name == pattern || strings.HasPrefix(name, pattern+"/") {
		return true
	}
	// Matching would take too long.
	if strings.Count(pattern, "{") > maxBraces {
		return false
	}
	found, err := doublestar.Match(pattern, name)
	return err == nil && found
}

// Fault describes why an entry is invalid, "" if it is valid.
func Fault(entry string) string {
	switch clean := cleanEntry(entry); {
	case strings.TrimSpace(entry) == "":
		return "is empty"
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
		return "leaves the repository"
	case strings.Count(clean, "{") > maxBraces:
		return fmt.Sprintf("has more than %d braces", maxBraces)
	case !doublestar.ValidatePattern(clean):
		return "is not a glob: a bracket, a brace or an escape is not closed"
	}
	return ""
}

// maxBraces limits the braces in a glob: each pair at least doubles the alternatives to try.
const maxBraces = 8

// cleanEntry writes an entry in the form of git's paths. In an entry without a slash, backslashes are separators, as on
// Windows; in an entry with a slash, they escape.
func cleanEntry(entry string) string {
	entry = strings.TrimSpace(entry)
	if !strings.Contains(entry, "/") {
		entry = strings.ReplaceAll(entry, `\`, "/")
	}
	return path.Clean(strings.TrimPrefix(entry, "./"))
}
