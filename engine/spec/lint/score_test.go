package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// grades returns a score as "light complexity confidence splittability criteria isolation".
func grades(s Score) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s%s%s%s%s", s.Light, s.Complexity, s.Confidence, s.Splittability, s.Criteria, s.Isolation))
}

func boxes(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- [ ] %s %d\n", text, i)
	}
	return b.String()
}

func TestScore(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ front, body, want string }{
		"clear":                     {"", "# T\n" + criteria + boxes(4, "Add the part"), "green AACA"},
		"statements":                {"", "# T\n" + criteria + boxes(4, "the part is there"), "green ABCA"},
		"commands count twice":      {"", "# T\n" + criteria + "- [ ] Run it `$ true`\n- [ ] Test it `$ true`\n", "green AACA"},
		"one command":               {"", "# T\n" + criteria + "- [ ] Run it `$ true`\n", "green AACB"},
		"one criterion":             {"", "# T\n" + criteria + "- [ ] Run it\n", "yellow AACC"},
		"nothing but a title":       {"", "# Add a flag\n", "yellow ACCC"},
		"nothing at all":            {"", "", "red ADCC"},
		"things, no statements":     {"", "# T\n" + criteria + "- [ ] Documentation\n- [ ] Icons\n", "yellow ABCC"},
		"a command of nothing":      {"", "# T\n" + criteria + boxes(4, "Add the part") + "- [ ] Run it `$ `\n", "red AACD"},
		"more than anyone finished": {"", "# T\n" + criteria + boxes(40, "Add the part"), "red DACA"},
		"a lot":                     {"", "# T\n" + criteria + boxes(12, "Add the part"), "yellow CACA"},
		"many files":                {"target_files: [a, b, c, d, e, f, g]", "# T\n" + criteria + boxes(2, "Add"), "yellow CACB"},
		"long":                      {"", "# T\n" + strings.Repeat("word ", 1500) + criteria + boxes(2, "Add"), "red DACB"},
		"long in code":              {"", "# T\n```\n" + strings.Repeat("word ", 1500) + "\n```\n" + criteria + boxes(2, "Add"), "green AACB"},
		"long in output":            {"", "# T\n" + criteria + boxes(2, "Add") + "\n## Agent Output\n\n" + strings.Repeat("word ", 1500), "green AACB"},
		"vague throughout":          {"", "# Improve things\n" + strings.Repeat("Improve various things somehow etc. ", 3) + criteria + boxes(2, "Add"), "red ADCB"},
		"a vague word or two":       {"", "# T\n" + criteria + boxes(3, "Improve the part"), "yellow ACCB"},
		"no vague words":            {"", "# Fetch sketch\n" + criteria + boxes(3, "Fetch the sketch as stated"), "green AACB"},
		"several parts":             {"target_files: [a, b, c]", "# T\n## A\n## B\n## C\n" + criteria + boxes(2, "Add"), "green AAAB"},
		"two parts":                 {"target_files: [a, b]", "# T\n## A\n" + criteria + boxes(2, "Add"), "green AABB"},
		"parts that cannot part":    {"target_files: [a, b]", "# T\n## A\nThey are Tightly coupled.\n" + criteria + boxes(2, "Add"), "green AADB"},
	} {
		s := read(t, "x", c.front, c.body)
		score := among(t, s).Score(s)
		if grades(score) != c.want {
			t.Errorf("%s: %s, want %s\n%q", name, grades(score), c.want, score.Suggestions)
		}
		assert.True(t, score.Suggestions != nil, "%s: suggestions %q", name, score.Suggestions)
		assert.True(t, slices.IsSorted(score.Suggestions), "%s: suggestions %q", name, score.Suggestions)
		assert.Equal(t, len(score.Suggestions), len(slices.Compact(slices.Clone(score.Suggestions))), "%s: suggestions", name)
		assert.False(t, score.Light == Red && len(score.Suggestions) == 0 && c.body != "", "%s is red, and nothing is suggested", name)
	}
}

func TestScore_isolation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		members []string // front matter and body of each, parted by "|"
		want    Grade
	}{
		"no members":     {nil, ""},
		"one":            {[]string{"|# T\nAs member 2 does"}, A},
		"on their own":   {[]string{"target_files: [a]|# A", "target_files: [b]|# B"}, A},
		"a third shared": {[]string{"target_files: [a, b]|# A", "target_files: [b, c]|# B"}, B},
		"all shared":     {[]string{"target_files: [a]|# A", "target_files: [a]|# B"}, D},
		"all mention":    {[]string{"|# A\nAfter Member 2.", "|# B\nAs d.1 says."}, D},
		"one mentions":   {[]string{"|# A", "|# B", "|# C\nBefore Member 1."}, C},
		"only in code":   {[]string{"|# A\nremember 12 members", "|# B"}, A},
	} {
		d := read(t, "d", "type: driver", titled)
		all := []*spec.File{d}
		for i, m := range c.members {
			front, body, _ := strings.Cut(m, "|")
			all = append(all, read(t, fmt.Sprintf("d.%d", i+1), front, body))
		}
		p := &Project{Graph: spec.GraphOf(all, nil), Settings: Defaults()}
		assert.Equal(t, c.want, p.Score(d).Isolation, "%s", name)
	}
}

func TestLacksVerb(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Documentation": true, "Good icons": true, "`foo()`": true, "Error messages": true, "123": true, "": false,
		"Tests pass": false, "Updated docs": false, "Errors are told": false, "applies": false, "stopped": false, "Running": false,
		"It doesn't crash": false, "No warnings": false, "Übersetzung": false, "one two three four five six": false,
	} {
		assert.Equal(t, want, lacksVerb(text), "verbless(%q)", text)
	}
}
