package fileset

import (
	"path"
	"strings"
	"unicode"
)

// Overlap reports whether one file could match entries of both lists of target files. Entries are paths from the top of
// the repository, folders, which match all files below them, and globs with *, ?, [...], {...} and **. An empty list
// overlaps with nothing. Case is ignored, because some file systems ignore it.
func Overlap(a, b []string) bool { return overlap(a, b, func(string) bool { return true }) }

// OverlapNamed is Overlap for lists that need not be safe from each other: what ends in an extension, such as docs/a.md, is a
// file. In a folder of that name there could be any, so that it would overlap with each glob that begins with **.
func OverlapNamed(a, b []string) bool { return overlap(a, b, mayBeFolder) }

// overlap is Overlap; folder reports whether an entry that ends in a segment may be a folder.
func overlap(a, b []string, folder func(last string) bool) bool {
	for _, x := range a {
		for _, y := range b {
			if segmentsMeet(segments(x), segments(y), folder) {
				return true
			}
		}
	}
	return false
}

// mayBeFolder reports whether a segment has no extension, which begins with a letter: .github and v1.2 have none.
func mayBeFolder(last string) bool {
	ext := strings.TrimPrefix(path.Ext(strings.TrimPrefix(last, ".")), ".")
	return ext == "" || strings.IndexFunc(ext, unicode.IsLetter) != 0
}

// segments splits an entry at its slashes. It returns nil for the top of the repository and for entries with braces
// that are too complex to compare; both overlap with everything.
func segments(entry string) []string {
	// Some file systems ignore case, and on Windows people write backslashes.
	entry = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(entry), `\`, "/"))
	entry = strings.TrimPrefix(path.Clean("/"+entry), "/")
	// Such an entry cannot be compared segment by segment.
	if entry == "" || strings.Count(entry, "{") > 1 || bracesSplit(entry) {
		return nil
	}
	return strings.Split(entry, "/")
}

// bracesSplit reports whether an alternative in braces contains a slash.
func bracesSplit(entry string) bool {
	_, rest, open := strings.Cut(entry, "{")
	inside, _, _ := strings.Cut(rest, "}")
	return open && strings.Contains(inside, "/")
}

// segmentsMeet reports whether a path could match both, or be below one that does. An entry that ends matches all below
// it.
func segmentsMeet(a, b []string, folder func(last string) bool) bool {
	switch {
	case len(a) == 0 || len(b) == 0:
		// An entry that ends is a folder, which matches all below it.
		return true
	case a[0] == "**":
		return segmentsMeetAfter(a[1:], b, folder)
	case b[0] == "**":
		return segmentsMeetAfter(b[1:], a, folder)
	}
	return patternsMeet(pattern(a[0]), pattern(b[0])) && segmentsMeet(a[1:], b[1:], folder)
}

// segmentsMeetAfter reports whether rest, the segments after a **, meets other from any of its segments on.
func segmentsMeetAfter(rest, other []string, folder func(last string) bool) bool {
	for i := range len(other) {
		if segmentsMeet(rest, other[i:], folder) {
			return true
		}
	}
	// What is left may only be below the end of other.
	return len(rest) == 0 || len(other) == 0 || folder(other[len(other)-1])
}

// pattern reduces a segment to characters, ? and *: a class in brackets becomes ?, and alternatives in braces become *.
func pattern(segment string) []rune {
	var out []rune
	closing := rune(0)
	for _, r := range segment {
		switch {
		case closing != 0:
			if r == closing {
				closing = 0
			}
		case r == '[':
			// The class is reduced to any character: two specs that wait without need are better than two that collide.
			out, closing = append(out, '?'), ']'
		case r == '{':
			out, closing = append(out, '*'), '}'
		default:
			out = append(out, r)
		}
	}
	return out
}

// patternsMeet reports whether a text could match both patterns. reach[i][j] reports whether a text could match both
// the rest of a from i and the rest of b from j.
func patternsMeet(a, b []rune) bool {
	reach := make([][]bool, len(a)+1)
	for i := len(a); i >= 0; i-- {
		reach[i] = make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			reach[i][j] = canMeet(a, b, i, j, reach)
		}
	}
	return reach[0][0]
}

func canMeet(a, b []rune, i, j int, reach [][]bool) bool {
	switch {
	case i == len(a) && j == len(b):
		return true
	case i < len(a) && a[i] == '*':
		// The star matches nothing, or one more character of the other pattern.
		return reach[i+1][j] || j < len(b) && reach[i][j+1]
	case j < len(b) && b[j] == '*':
		return reach[i][j+1] || i < len(a) && reach[i+1][j]
	case i == len(a) || j == len(b):
		return false
	}
	return (a[i] == b[j] || a[i] == '?' || b[j] == '?') && reach[i+1][j+1]
}
