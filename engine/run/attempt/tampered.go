package attempt

import (
	"maps"
	"slices"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
)

// Tampered returns the *journal.Failure for forbidden changes, nil if there are none.
func Tampered(found []string) error {
	if len(found) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonTampered, Details: found,
		Message: "forbidden changes during the run: " + strings.Join(found, "; "),
	}
}

// Limited cuts a list to what a message names.
func Limited(paths []string) []string { return paths[:min(len(paths), MaxNamed)] }

// Differences lists what was added, changed and removed between two readings.
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

// MaxNamed bounds how many things a message names; the details of the failure have all.
const MaxNamed = 10
