package e2e

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec/lint"

	"github.com/alecthomas/assert/v2"
)

// The manual's list of rules, and of those that stop work, is what lint does.
func TestGuide_rules(t *testing.T) {
	t.Parallel()
	section := guidePage(t, "lint")
	var want, stop []string
	for _, r := range lint.Rules() {
		want = append(want, r.ID)
		if r.Stops {
			stop = append(stop, r.ID)
		}
	}
	var told []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && !strings.Contains(line, "---") && !strings.Contains(line, "| rules |") {
			told = append(told, words(cells[2])...)
		}
	}
	compare(t, "rules", told, want)
	_, rest, _ := strings.Cut(section, "on errors of ")
	list, _, _ := strings.Cut(rest, ".")
	compare(t, "rules that stop work", slices.DeleteFunc(words(list), func(w string) bool { return w == "and" }), stop)
}

func words(text string) []string { return regexp.MustCompile(`[a-z_]+`).FindAllString(text, -1) }

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	assert.Equal(t, want, got, "%s of the manual", what)
}
