package format

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestBlock: only Markdown that leaves the rest of a document alone stays as it is.
func TestBlock(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"":                         "",
		"a\r\n\r\n- *b*\r\n":       "a\n\n- *b*",
		"```sh\n# x\n- [ ] y\n```": "```sh\n# x\n- [ ] y\n```",
		"```sh\n# x":               "``````text\n```sh\n# x\n``````",
		"<!-- x":                   "```text\n<!-- x\n```",
		"a\n===":                   "```text\na\n===\n```",
		"- [ ] a":                  "```text\n- [ ] a\n```",
	} {
		assert.Equal(t, want, Block(src), "%q", src)
	}
}

// TestCriterion_line: the command of a criterion is the only one that its text has, whatever is in both.
func TestCriterion_line(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]Criterion{
		"It runs `$ go test`":             {"It runs", "go test"},
		"`$ go test`":                     {"", " go test\r\n"},
		"a b":                             {"a\r\nb", " "},
		"``$ echo `pwd` x``":              {"", "echo `pwd` x"},
		"`` $ echo `pwd` ``":              {"", "echo `pwd`"},
		"open \\` `$ true`":               {"open `", "true"},
		"\\`$ rm x\\` `$ true`":           {"`$ rm x`", "true"},
		"the `name` and \\<!-- x `$ a|b`": {"the `name` and <!-- x", "a|b"},
	} {
		assert.Equal(t, want, c.Line())
	}
}

// TestBesideOthers: members can be worked on at the same time if they wait for nothing and share no file.
func TestBesideOthers(t *testing.T) {
	t.Parallel()
	p := Planned{Members: []Member{
		{Files: []string{"a", "b"}}, {Files: []string{"c"}}, {Files: []string{"b"}}, {Files: []string{"d"}, After: []int{0}}, {},
	}}
	var got []bool
	for i := range p.Members {
		got = append(got, p.BesideOthers(i))
	}
	assert.Equal(t, []bool{false, true, false, false, false}, got)
	assert.False(t, Planned{Members: p.Members[:1]}.BesideOthers(0), "a member alone")
}
