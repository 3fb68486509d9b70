package speckit

import (
	"regexp"
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
