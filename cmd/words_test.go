package cmd

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"

	"github.com/alecthomas/assert/v2"
)

// TestWords: a flag that several commands have means the same in all of them, has one type and one short form, and is in the
// table of words; what differs has a reason there.
func TestWords(t *testing.T) {
	t.Parallel()
	uses := flagUses(newRoot(&console.App{}))
	known := map[string]word{}
	for _, w := range vocabulary() {
		known[w.name] = w
	}
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		w, listed := known[name]
		count, kinds := 0, map[string]string{}
		for _, use := range uses[name] {
			count += len(use.commands)
			for _, c := range use.commands {
				first, _, _ := strings.Cut(c, " ")
				if w.except[first] == "" {
					kinds[use.kind] = c
					assert.True(t, !listed || use.short == w.short, "%s --%s has the short form %q, and the table %q", c, name, use.short, w.short)
				}
			}
		}
		assert.True(t, listed || count == 1, "%d commands have --%s, which the table of words lacks", count, name)
		assert.True(t, len(kinds) <= 1, "--%s has several types: %v", name, kinds)
	}
	for name, w := range known {
		assert.True(t, len(uses[name]) > 0, "no command has --%s, which is in the table of words", name)
		for first := range w.except {
			assert.True(t, slices.ContainsFunc(uses[name], func(u flagUse) bool {
				return slices.ContainsFunc(u.commands, func(c string) bool { return c == first || strings.HasPrefix(c, first+" ") })
			}), "--%s: no command %q has it", name, first)
		}
	}
	// A short form means one thing in the commands that have it, but for those of log, which are those of tail.
	short := map[string]string{}
	for _, w := range vocabulary() {
		if w.short != "" && w.short != "f" {
			assert.Equal(t, "", short[w.short], "-%s of --%s", w.short, w.name)
			short[w.short] = w.name
		}
	}
}
