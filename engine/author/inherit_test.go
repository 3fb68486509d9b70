package author

import (
	"slices"
	"testing"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/markdown"
)

// TestInherit copies the keys that the project requires of every spec, but none that chant itself uses.
func TestInherit(t *testing.T) {
	t.Parallel()
	from, err := spec.Parse("001", "001.md", []byte("---\nstatus: completed\nticket: T-1\nowner: {name: Ada}\nmore: x\n---\n# A\n"))
	if err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Inherit(p, doc, from); err != nil || string(got.Bytes()) != tc.want {
			t.Errorf("%s: %v\n%s", name, err, got.Bytes())
		}
	}
}

// TestMemberOf: the member for a criterion has its text without the commands as title, and the keys with which the
// whole spec is worked.
func TestMemberOf(t *testing.T) {
	t.Parallel()
	src := "---\nstatus: pending\nlabels: [a]\ntarget_files: [x.go]\nprompt: tdd\nprovider: claude\ncontext: [notes.md]\napproval: {required: true, status: pending}\n---\n# Whole\n\n" +
		"## Acceptance Criteria\n\n- [ ] It is done `$ test -f x` `$ test -f y`\n- [ ] `$ true`\n- [x] A `word` inside\n"
	whole, err := spec.Parse("001", "001.md", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	titles := []string{"It is done", "Criterion 2 of Whole", "A `word` inside"}
	for i, c := range spec.Criteria(whole.Doc) {
		doc, err := MemberOf(whole, c, "001.1")
		if err != nil {
			t.Fatal(err)
		}
		m, err := spec.FromDocument("001.1", doc)
		if err != nil {
			t.Fatal(err)
		}
		f, own := m.Fields, spec.Criteria(m.Doc)
		if m.Title != titles[i] || m.Status != spec.Pending || len(own) != 1 || own[0].Checked || !slices.Equal(own[0].Commands, c.Commands) {
			t.Errorf("%d: %q, %s, %+v", i, m.Title, m.Status, own)
		}
		if !slices.Equal(f.Labels, []string{"a"}) || !slices.Equal(f.TargetFiles, []string{"x.go"}) || f.Prompt != "tdd" || f.Provider != "claude" ||
			!slices.Equal(f.Context, []string{"notes.md", ".chant/specs/001.md"}) || f.Approval == nil || !f.Approval.Required {
			t.Errorf("%d: %+v", i, f)
		}
	}
}
