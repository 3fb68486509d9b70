package fileset

import (
	"path"
	"strings"
)

// Overlap reports whether two lists of target files could mean one file. Entries
// are paths from the top of the repository, folders (which mean all below them) and
// globs with *, ?, [...], {...} and **. No entry means no claim. Case is ignored,
// as some file systems do.
func Overlap(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if meet(segments(x), segments(y)) {
				return true
			}
		}
	}
	return false
}

// segments splits an entry; none is the top, which holds everything.
func segments(entry string) []string {
	entry = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(entry), `\`, "/"))
	entry = strings.TrimPrefix(path.Clean("/"+entry), "/")
	if entry == "" || strings.Count(entry, "{") > 1 || bracesSplit(entry) {
		return nil // the top, or what is not taken apart here
	}
	return strings.Split(entry, "/")
}

// bracesSplit reports whether alternatives of an entry span folders.
func bracesSplit(entry string) bool {
	_, rest, open := strings.Cut(entry, "{")
	inside, _, _ := strings.Cut(rest, "}")
	return open && strings.Contains(inside, "/")
}

// meet reports whether a path exists that lies at or below both. Where one ends,
// the other lies below it.
func meet(a, b []string) bool {
	switch {
	case len(a) == 0 || len(b) == 0:
		return true
	case a[0] == "**":
		return meetAny(a[1:], b)
	case b[0] == "**":
		return meetAny(b[1:], a)
	}
	return match(pattern(a[0]), pattern(b[0])) && meet(a[1:], b[1:])
}

// meetAny lets rest, what follows a **, begin at any segment of the other.
func meetAny(rest, other []string) bool {
	for i := range len(other) + 1 {
		if meet(rest, other[i:]) {
			return true
		}
	}
	return false
}

// pattern reduces a segment to characters, ? and *: a class is one character, and
// alternatives are anything.
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
			out, closing = append(out, '?'), ']'
		case r == '{':
			out, closing = append(out, '*'), '}'
		default:
			out = append(out, r)
		}
	}
	return out
}

// match reports whether some text fits both patterns. reach[i][j] reports whether the
// rest of a from i and the rest of b from j can be the same.
func match(a, b []rune) bool {
	reach := make([][]bool, len(a)+1)
	for i := len(a); i >= 0; i-- {
		reach[i] = make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			reach[i][j] = step(a, b, i, j, reach)
		}
	}
	return reach[0][0]
}

func step(a, b []rune, i, j int, reach [][]bool) bool {
	switch {
	case i == len(a) && j == len(b):
		return true
	case i < len(a) && a[i] == '*':
		return reach[i+1][j] || j < len(b) && reach[i][j+1]
	case j < len(b) && b[j] == '*':
		return reach[i][j+1] || i < len(a) && reach[i+1][j]
	case i == len(a) || j == len(b):
		return false
	}
	return (a[i] == b[j] || a[i] == '?' || b[j] == '?') && reach[i+1][j+1]
}
