package view

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/typo"
)

// invalid is the status of a row whose file cannot be read.
const invalid = "invalid"

// computedStatuses lists the statuses that are computed from the graph and not stored.
func computedStatuses() []string { return []string{"ready", "blocked"} }

// checkListed refuses a status that no row of a list can have; nil means no filter.
func checkListed(status *string) error {
	if status == nil {
		return nil
	}
	return checkStatus(*status, slices.Concat(spec.StatusWords(), computedStatuses(), []string{invalid}), next.List.On())
}

// checkStatus refuses an unknown status.
func checkStatus(word string, known []string, step next.Step) error {
	if slices.Contains(known, word) {
		return nil
	}
	meant := ""
	if near := typo.Nearest(word, known); near != "" {
		meant = fmt.Sprintf("; did you mean %q?", near)
	}
	return engine.Fail(engine.Usage, step, "unknown status %q (one of %s)%s", spec.Echo(word), strings.Join(known, ", "), meant)
}

// hasStatus reports whether a word of a filter matches a spec: its status, or what the graph says about it.
func hasStatus(word, status string, ready, blocked bool) bool {
	switch word {
	case "ready":
		return ready
	case "blocked":
		return blocked
	}
	return word == status
}
