package view

import (
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
)

// invalid is the status of a row whose file cannot be read.
const invalid = "invalid"

// computed lists the words for states that are computed from the graph and not stored.
func computed() []string { return []string{"ready", "blocked"} }

// checkListed refuses a status filter that no row of a list can match; nil filters nothing.
func checkListed(status *string) error {
	if status == nil {
		return nil
	}
	return checkStatus(*status, slices.Concat(spec.StatusWords(), computed(), []string{invalid}), next.List.On())
}

// checkStatus refuses a word that is not among the known ones.
func checkStatus(word string, known []string, step next.Step) error {
	if slices.Contains(known, word) {
		return nil
	}
	return engine.Fail(engine.Usage, step, "unknown status %q (one of %s)", spec.Echo(word), strings.Join(known, ", "))
}

// hasStatus reports whether a word of a filter matches a spec: its status, or what the graph says of it.
func hasStatus(word, status string, ready, blocked bool) bool {
	switch word {
	case "ready":
		return ready
	case "blocked":
		return blocked
	}
	return word == status
}
