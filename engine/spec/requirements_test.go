package spec

import (
	"strings"
	"testing"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestLoosenedRequirements(t *testing.T) {
	t.Parallel()
	const text = "---\nstatus: pending\nlabels: [security, extra]\nmembers: [a]\noutput_schema: o.json\nsource: specs/001-a\npart: [US1]\nowner: Ada\n---\n# A\n"
	rule := ApprovalRule{Label: "security", Count: 1}
	for name, tt := range map[string]struct {
		change [2]string
		want   string
	}{
		"nothing":         {[2]string{"# A", "# B"}, ""},
		"label of a rule": {[2]string{"security, ", ""}, `the label "security", which asks for approval, was taken off the spec`},
		"other label":     {[2]string{", extra", ", more"}, ""},
		"type":            {[2]string{"status: pending", "status: pending\ntype: driver"}, "the type of the spec was changed from code to driver"},
		"members":         {[2]string{"[a]", "[]"}, "the members of the spec were changed"},
		"output schema":   {[2]string{"output_schema: o.json\n", ""}, "the output_schema of the spec was changed"},
		"source":          {[2]string{"001-a", "002-b"}, `the folder that the spec adopts (source) was changed from "specs/001-a" to "specs/002-b"`},
		"part":            {[2]string{"US1", "tasks"}, "the part of the folder that the spec is about was changed"},
		"required key":    {[2]string{"owner: Ada", "owner:"}, `the key "owner", which the project requires, was emptied`},
		"empty before":    {[2]string{"status", "status"}, ""},
	} {
		was, now := parsed(t, text), parsed(t, strings.Replace(text, tt.change[0], tt.change[1], 1))
		was.Rules, now.Rules = []ApprovalRule{rule}, []ApprovalRule{rule}
		assert.Equal(t, tt.want, strings.Join(LoosenedRequirements(was, now, []string{"owner", "ticket"}), "; "), "%s", name)
	}
}

func TestMissingKeys(t *testing.T) {
	t.Parallel()
	const src = "---\nteam: core\nnull_key: ~\nbare:\nquoted: \"\"\nlist: []\nmap: {}\nzero: 0\nfalse_key: false\nitems: [a]\nbase: &b x\nsame: *b\n---\n# A\n"
	doc, err := markdown.Parse("a.md", []byte(src))
	assert.NoError(t, err)
	got := MissingKeys(doc, []string{"team", "owner", "null_key", "bare", "quoted", "list", "map", "zero", "false_key", "items", "same", "owner"})
	assert.Equal(t, []string{"owner", "null_key", "bare", "quoted", "list", "map"}, got)
	got = MissingKeys(doc, nil)
	assert.True(t, got == nil, "nothing is required: %q", got)
	plain, err := markdown.Parse("b.md", []byte("# B\n"))
	assert.NoError(t, err, "without front matter")
	assert.Equal(t, []string{"a"}, MissingKeys(plain, []string{"a"}), "without front matter")
}
