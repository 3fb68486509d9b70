package versions

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestMerge_keepsWhatPeopleWrite: comments and spellings that one side adds are kept or are a conflict, whatever the
// other side changes.
func TestMerge_keepsWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, ours, theirs, want, conflicts string }{
		"a comment above a key":      {"a: 1\npriority: 1\nb: 1", "a: 1\npriority: 1\nb: 2", "a: 1\n# agreed\npriority: 1\nb: 1", "a: 1\n# agreed\npriority: 1\nb: 2", ""},
		"behind a value":             {"a: 1\nb: 1", "a: 1\nb: 2", "a: 1 # agreed\nb: 1", "a: 1 # agreed\nb: 2", ""},
		"below the last key":         {"a: 1\nb: 1", "a: 2\nb: 1", "a: 1\nb: 1\n# the end", "a: 2\nb: 1\n# the end", ""},
		"inside a mapping":           {"a: 1\nm:\n  x: 1\n  y: 1", "a: 2\nm:\n  x: 1\n  y: 1", "a: 1\nm:\n  # why\n  x: 1\n  y: 1", "a: 2\nm:\n  # why\n  x: 1\n  y: 1", ""},
		"quotes":                     {"a: 1\nb: x", "a: 2\nb: x", "a: 1\nb: 'x'", "a: 2\nb: 'x'", ""},
		"blank lines":                {"a: 1\nb: x", "a: 2\nb: x", "a: 1\n\n\nb: x", "a: 2\n\n\nb: x", ""},
		"a block of text":            {"a: 1\nb: x", "a: 2\nb: x", "a: 1\nb: |\n  one\n  # two\n\n  three", "a: 2\nb: |\n  one\n  # two\n\n  three", ""},
		"a comment gone":             {"# old\na: 1\nb: 1", "# old\na: 1\nb: 2", "a: 1\nb: 1", "a: 1\nb: 2", ""},
		"an order":                   {"a: 1\nb: 1", "a: 2\nb: 1", "b: 1\na: 1", "b: 1\na: 2", ""},
		"a new key at its place":     {"a: 1\nb: 1", "a: 1\nb: 2", "a: 1\nn: 1\nb: 1", "a: 1\nn: 1\nb: 2", ""},
		"comment here, value there":  {"a: 1\nb: 1", "a: 1\nb: 2", "a: 1\n# why\nb: 1", "a: 1\nb: 2", "b"},
		"value here, comment there":  {"b: 1", "# why\nb: 1", "b: 2", "# why\nb: 2", ""},
		"comments of both":           {"a: 1\nb: 1", "a: 1\n# ours\nb: 1", "a: 1\n# theirs\nb: 1", "a: 1\n# ours\nb: 1", "b"},
		"comments of both at an end": {"a: 1", "a: 1\n# ours", "a: 1\n# theirs", "a: 1\n# ours", "front matter"},
		"the same comment of both":   {"b: 1\na: 1", "# why\nb: 1\na: 2", "# why\nb: 1\na: 1", "# why\nb: 1\na: 2", ""},
		"quotes here, value there":   {"b: x", "b: 'x'", "b: y", "b: 'x'", "b"},
		"value here, number there":   {"b: 16", "b: 17", "b: 0x10", "b: 17", "b"},
		"a key gone with a comment":  {"a: 1\nb: 1", "a: 1", "a: 1\n# why\nb: 1", "a: 1", "b"},
		"a list with a comment":      {"labels:\n  - a", "labels:\n  - a\n  - b", "labels:\n  # why\n  - a\n  - c", "labels:\n  - a\n  - b", "labels"},
		"a status and a comment":     {"status: pending", "status: in_progress", "status: completed # at last", "status: completed # at last", ""},
		"in one line":                {"{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 1, b: 2}", "{a: 2, b: 2}", ""},
		"in one line, a comment":     {"{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 1, b: 2} # why", "{a: 2, b: 2}", "front matter"},
		"a number sign in a text":    {"a: 1\nb: x", "a: 1\nb: 'y # no comment'", "a: 2\nb: x", "a: 2\nb: 'y # no comment'", ""},
	} {
		got, conflicts, err := Merge("x.md", file(c.base, titled), file(c.ours, titled), file(c.theirs, titled), sides)
		assert.NoError(t, err, "%v", name)
		assert.Equal(t, file(c.want, titled), got, "%v", name)
		assert.Equal(t, c.conflicts, strings.Join(conflicts, " "), "%v", name)
	}
}

// TestMerge_frontMatterOfOneSide: a front matter that only one side changed is taken from that side byte for byte,
// whatever the other side changes in the body.
func TestMerge_frontMatterOfOneSide(t *testing.T) {
	t.Parallel()
	odd := "# agreed\nstatus:   'pending'   # still\n\n\nlabels: [ a,b ]\n"
	for name, c := range map[string]struct{ ours, theirs []byte }{
		"ours":   {file(odd, titled), file("status: pending\nlabels: [a, b]", "# U\n")},
		"theirs": {file("status: pending\nlabels: [a, b]", "# U\n"), file(odd, titled)},
	} {
		got, conflicts, err := Merge("x.md", file("status: pending\nlabels: [a, b]", titled), c.ours, c.theirs, sides)
		want := file(odd, "# U\n")
		assert.NoError(t, err, "%s", name)
		assert.True(t, conflicts == nil, "%s: %v, %q\n%s", name, err, conflicts, got)
		assert.Equal(t, want, got, "%s", name)
	}
}

// TestMerge_linesOfGit: the merge of the lines is used only if it has the same values as the merge of the keys.
func TestMerge_linesOfGit(t *testing.T) {
	t.Parallel()
	base, ours, theirs := "a: 1\n\nb: 1", "a: 2\n\nb: 1", "a: 1\n\nb: 2"
	for name, c := range map[string]struct{ lines, want string }{
		"the same":       {"# of both\na: 2\n\nb: 2\n", "# of both\na: 2\n\nb: 2"},
		"something else": {"a: 3\n\nb: 2\n", "a: 2\n\nb: 2"},
		"no YAML":        {"a: [\n", "a: 2\n\nb: 2"},
	} {
		lines := func(_, _, _ []byte) ([]byte, bool, error) { return []byte(c.lines), false, nil }
		got, conflicts, err := Merge("x.md", file(base, titled), file(ours, titled), file(theirs, titled), lines)
		assert.NoError(t, err, "%s", name)
		assert.True(t, conflicts == nil, "%s: %v, %q\n%s", name, err, conflicts, got)
		assert.Equal(t, file(c.want, titled), got, "%s", name)
	}
}

// TestMerge_ordered: in lists that are not sets, order and repetitions matter.
func TestMerge_ordered(t *testing.T) {
	t.Parallel()
	base, ours, theirs := "verify:\n  commands: [make, test]", "verify:\n  commands: [make, test, make]", "verify:\n  commands: [build, make]"
	_, conflicts, err := Merge("x.md", file(base, titled), file(ours, titled), file(theirs, titled), sides)
	assert.NoError(t, err)
	assert.Equal(t, "verify", strings.Join(conflicts, " "))
	lines := func(_, _, _ []byte) ([]byte, bool, error) { return []byte("steps:\n- z\n- a\n- b\n- a\n"), false, nil }
	got, conflicts, err := Merge("x.md", file("steps:\n- a\n- b", titled), file("steps:\n- a\n- b\n- a", titled), file("steps:\n- z\n- a\n- b", titled), lines)
	assert.NoError(t, err, "what git makes of them")
	assert.True(t, conflicts == nil, "what git makes of them: %v, %q\n%s", err, conflicts, got)
	assert.Equal(t, file("steps:\n- z\n- a\n- b\n- a", titled), got, "what git makes of them")
}

// TestMergeMarked: the file has both sides of each conflict, between git's conflict marks; everything else is merged.
func TestMergeMarked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, ours, theirs, want, conflicts string }{
		"a key":             {"a: 1\nprompt: x\nb: 1", "a: 1\nprompt: y\nb: 1", "a: 1\nprompt: z\nb: 2", "a: 1\n<<<<<<< ours\nprompt: y\n=======\nprompt: z\n>>>>>>> theirs\nb: 2", "prompt"},
		"gone on one side":  {"a: 1\nprompt: x", "a: 2", "a: 1\nprompt: z", "a: 2\n<<<<<<< ours\n=======\nprompt: z\n>>>>>>> theirs", "prompt"},
		"comments of both":  {"a: 1", "# o\na: 1", "# t\na: 1", "<<<<<<< ours\n# o\na: 1\n=======\n# t\na: 1\n>>>>>>> theirs", "a"},
		"below":             {"a: 1", "a: 1\n# o", "a: 1\n# t", "a: 1\n<<<<<<< ours\n# o\n=======\n# t\n>>>>>>> theirs", "front matter"},
		"in one line":       {"{a: 1}", "{a: 2}", "{a: 3}", "<<<<<<< ours\n{a: 2}\n=======\n{a: 3}\n>>>>>>> theirs", "a"},
		"without conflicts": {"a: 1\nb: 1", "a: 2\nb: 1", "a: 1\nb: 2", "a: 2\nb: 2", ""},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			in := func(front, body string) []byte { return bytes.ReplaceAll(file(front, body), []byte("\n"), []byte(eol)) }
			got, conflicts, err := MergeMarked("x.md", in(c.base, titled), in(c.ours, titled), in(c.theirs, "# U\n"), sides)
			want := in(c.want, "# U\n")
			assert.NoError(t, err, "%s", name)
			assert.Equal(t, want, got, "%s", name)
			assert.Equal(t, c.conflicts, strings.Join(conflicts, " "), "%s", name)
		}
	}
}
