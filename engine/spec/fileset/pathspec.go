package fileset

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// MatchPathspec reports whether git's pathspec ":(glob)" of this pattern matches a file: the file itself, a folder above it, or
// a glob with *, ?, [...] and **. Braces are text. Of [[:digit:]] and the like only git knows what it matches.
func MatchPathspec(pattern, file string) bool {
	pattern = path.Clean(pattern)
	if pattern == "." || file == pattern || strings.HasPrefix(file, pattern+"/") {
		return true
	}
	found, err := doublestar.Match(bracesAsText(pattern), file)
	return err == nil && found
}

// PathspecFault describes why a pattern is no glob of git's pathspecs, "" if it is one.
func PathspecFault(pattern string) string {
	if !doublestar.ValidatePattern(bracesAsText(pattern)) {
		return "is not a glob: a bracket or an escape is not closed"
	}
	return ""
}

// bracesAsText escapes the braces of a pattern.
func bracesAsText(pattern string) string {
	var b strings.Builder
	escaped := false
	for _, c := range pattern {
		if !escaped && (c == '{' || c == '}') {
			b.WriteByte('\\')
		}
		escaped = c == '\\' && !escaped
		b.WriteRune(c)
	}
	return b.String()
}
