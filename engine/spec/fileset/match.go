package fileset

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match reports whether an entry of target_files, tracks, origin or informed_by
// means a path. Both are seen from the top of the repository, with slashes. An entry
// is the path itself, a folder, which means all below it, or a glob with *, ?, [...],
// {...} and **; case counts. What is written out wins over what it would mean as a
// glob: "app/[id]/page.tsx" means that file. An entry that leads out of the
// repository, that is no glob or that has more than eight braces means nothing else.
func Match(pattern, name string) bool {
	if strings.TrimSpace(pattern) == "" {
		return false
	}
	pattern = cleanEntry(pattern)
	if pattern == "." || name == pattern || strings.HasPrefix(name, pattern+"/") {
		return true
	}
	if strings.Count(pattern, "{") > mostBraces {
		return false
	}
	found, err := doublestar.Match(pattern, name)
	return err == nil && found
}

// Fault says why an entry means nothing, "" for one that can mean a path.
func Fault(entry string) string {
	switch clean := cleanEntry(entry); {
	case strings.TrimSpace(entry) == "":
		return "is empty"
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
		return "leaves the repository"
	case strings.Count(clean, "{") > mostBraces:
		return fmt.Sprintf("has more than %d braces", mostBraces)
	case !doublestar.ValidatePattern(clean):
		return "is not a glob: a bracket, a brace or an escape is not closed"
	}
	return ""
}

// mostBraces bounds the alternatives of a glob: each pair doubles the ways to try.
const mostBraces = 8

// cleanEntry spells an entry as git spells paths. Backslashes are separators in an
// entry without a slash, as people write it on Windows; beside a slash they escape.
func cleanEntry(entry string) string {
	entry = strings.TrimSpace(entry)
	if !strings.Contains(entry, "/") {
		entry = strings.ReplaceAll(entry, `\`, "/")
	}
	return path.Clean(strings.TrimPrefix(entry, "./"))
}
