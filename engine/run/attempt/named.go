package attempt

import (
	"maps"
	"slices"
)

// Limited is the beginning of a long list.
func Limited(paths []string) []string { return paths[:min(len(paths), MaxNamed)] }

// Differences names what one of two lists has otherwise than the other.
func Differences(was, now map[string]string) []string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(now)) {
		if before, there := was[what]; !there {
			out = append(out, what+" was added")
		} else if before != now[what] {
			out = append(out, what+" was changed")
		}
	}
	for _, what := range slices.Sorted(maps.Keys(was)) {
		if _, there := now[what]; !there {
			out = append(out, what+" was removed")
		}
	}
	return out
}

// MaxNamed bounds how many criteria a message names; the details have all.
const MaxNamed = 10
