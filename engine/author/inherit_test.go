package author

import (
	"slices"
	"testing"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// TestInherit copies the keys that the project requires of every spec, but none that chant itself uses.
func TestInherit(t *testing.T) {
	t.Parallel()
	from, err := spec.Parse("001", "001.md", []byte("---\nstatus: completed\nticket: T-1\nowner: {name: Ada}\nmore: x\n---\n# A\n"))
	assert.NoError(t, err)
	for name, tc := range map[string]struct {
		required []string
		front    string
		want     string
	}{
		"none required":    {nil, "", "---\ntype: code\n---\n# B\n"},
		"required":         {[]string{"ticket", "owner"}, "", "---\ntype: code\nticket: T-1\nowner:\n  name: Ada\n---\n# B\n"},
		"has its own":      {[]string{"ticket"}, "ticket: T-2\n", "---\ntype: code\nticket: T-2\n---\n# B\n"},
		"no spec has it":   {[]string{"cost_center"}, "", "---\ntype: code\n---\n# B\n"},
		"a key of chant's": {[]string{"status"}, "", "---\ntype: code\n---\n# B\n"},
	} {
		p := &engine.Project{Config: &config.Config{}}
		p.Config.Enterprise.Required = tc.required
		doc, err := markdown.Parse("b.md", []byte("---\ntype: code\n"+tc.front+"---\n# B\n"))
		assert.NoError(t, err)
		got, err := Inherit(p, doc, from)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, tc.want, string(got.Bytes()), "%s", name)
	}
}

// TestMemberOf: the member for a criterion has its text without the commands as title, and the keys with which the
// whole spec is worked.
func TestMemberOf(t *testing.T) {
	t.Parallel()
	src := "---\nstatus: pending\nlabels: [a]\ntarget_files: [x.go]\nprompt: tdd\nprovider: claude\ncontext: [notes.md]\napproval: {required: true, status: pending}\n---\n# Whole\n\n" +
		"## Acceptance Criteria\n\n- [ ] It is done `$ test -f x` `$ test -f y`\n- [ ] `$ true`\n- [x] A `word` inside\n"
	whole, err := spec.Parse("001", "001.md", []byte(src))
	assert.NoError(t, err)
	titles := []string{"It is done", "Criterion 2 of Whole", "A `word` inside"}
	for i, c := range spec.Criteria(whole.Doc) {
		doc, err := MemberOf(whole, c, "001.1")
		assert.NoError(t, err)
		m, err := spec.FromDocument("001.1", doc)
		assert.NoError(t, err)
		f, own := m.Fields, spec.Criteria(m.Doc)
		assert.Equal(t, titles[i], m.Title, "%d", i)
		assert.Equal(t, spec.Pending, m.Status, "%d", i)
		assert.Equal(t, 1, len(own), "%d", i)
		assert.False(t, own[0].Checked, "%d: %q, %s, %+v", i, m.Title, m.Status, own)
		assert.Equal(t, c.Commands, own[0].Commands, "%d", i)
		assert.True(t, slices.Equal(f.Labels, []string{"a"}), "%d: %+v", i, f)
		assert.True(t, slices.Equal(f.TargetFiles, []string{"x.go"}), "%d: %+v", i, f)
		assert.Equal(t, "tdd", f.Prompt, "%d", i)
		assert.Equal(t, "claude", f.Provider, "%d", i)
		assert.True(t, slices.Equal(f.Context, []string{"notes.md", ".chant/specs/001.md"}), "%d: %+v", i, f)
		assert.True(t, f.Approval != nil, "%d: %+v", i, f)
		assert.True(t, f.Approval.Required, "%d: %+v", i, f)
	}
}
