package speckit

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// numberPatterns are the expressions for names of folders and branches.
var numberPatterns = sync.OnceValue(func() (p struct{ timed, counted *regexp.Regexp }) {
	p.timed = regexp.MustCompile(`^([0-9]{8}-[0-9]{6})(?:-(.+))?$`)
	p.counted = regexp.MustCompile(`^([0-9]+)(?:-(.+))?$`)
	return p
})

// splitName divides the name of a folder or branch; number is "" if it has none.
func splitName(base string) (number, name string, timed bool) {
	if m := numberPatterns().timed.FindStringSubmatch(base); m != nil {
		return m[1], m[2], true
	}
	if m := numberPatterns().counted.FindStringSubmatch(base); m != nil {
		return m[1], m[2], false
	}
	return "", base, false
}

// compare orders features: counted ones by their numbers, then those with a time, then those without a number.
func compare(a, b Feature) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		compareNumbers(a.Number, b.Number),
		cmp.Compare(a.Dir, b.Dir),
	)
}

func rank(f Feature) int {
	switch {
	case f.Number == "":
		return 2
	case f.Timed:
		return 1
	}
	return 0
}

// compareNumbers compares digits of any length by their value.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
