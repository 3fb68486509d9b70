package author

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/markdown"
)

// TestValueOf takes from each source what the settings name, and nothing that no one can have meant.
func TestValueOf(t *testing.T) {
	t.Parallel()
	ticket := regexp.MustCompile(`^feature/([A-Z]+-[0-9]+)`)
	long := strings.Repeat("é", derivedLimit)
	v := sourceValues{branch: "feature/ABC-12-more", name: "Ada", mail: "ada@example.com", env: map[string]string{"TEAM": " core ", "LINES": "a\nb", "LONG": long, "LONGER": long + "x", "NUL": "a\x00"}}
	for name, tc := range map[string]struct {
		key  config.DerivedKey
		of   sourceValues
		want string
	}{
		"branch":               {config.DerivedKey{From: config.FromBranchName, Pattern: ticket}, v, "ABC-12"},
		"another branch":       {config.DerivedKey{From: config.FromBranchName, Pattern: ticket}, sourceValues{branch: "main"}, ""},
		"no branch":            {config.DerivedKey{From: config.FromBranchName, Pattern: ticket}, sourceValues{}, ""},
		"a group without text": {config.DerivedKey{From: config.FromBranchName, Pattern: regexp.MustCompile(`^feature(x?)`)}, v, ""},
		"path":                 {config.DerivedKey{From: config.FromPath, Pattern: regexp.MustCompile(`specs/([0-9]{4})-`)}, v, "2026"},
		"variable":             {config.DerivedKey{From: config.FromEnv, Variable: "TEAM"}, v, "core"},
		"unset variable":       {config.DerivedKey{From: config.FromEnv, Variable: "NONE"}, v, ""},
		"two lines":            {config.DerivedKey{From: config.FromEnv, Variable: "LINES"}, v, ""},
		"a control byte":       {config.DerivedKey{From: config.FromEnv, Variable: "NUL"}, v, ""},
		"as long as allowed":   {config.DerivedKey{From: config.FromEnv, Variable: "LONG"}, v, long},
		"too long":             {config.DerivedKey{From: config.FromEnv, Variable: "LONGER"}, v, ""},
		"name":                 {config.DerivedKey{From: config.FromGitUser, Person: "name"}, v, "Ada"},
		"email":                {config.DerivedKey{From: config.FromGitUser, Person: "email"}, v, "ada@example.com"},
		"unknown to git":       {config.DerivedKey{From: config.FromGitUser, Person: "name"}, sourceValues{}, ""},
	} {
		if got := valueOf(tc.key, "2026-01-02-001-abc", tc.of); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// TestWithDerived writes keys in the order of the settings, lists as lists, and adds each name once to derived_fields.
func TestWithDerived(t *testing.T) {
	t.Parallel()
	keys := config.DerivedKeys{{Key: "ticket"}, {Key: "labels"}, {Key: "team", Values: []string{"core", "web"}}}
	doc, err := markdown.Parse("a.md", []byte("---\nstatus: pending\nderived_fields: [team]\n---\n# A\n"))
	if err != nil {
		t.Fatal(err)
	}
	if same, err := withDerived(doc, keys, nil); err != nil || same != doc {
		t.Errorf("nothing derived: %v", err)
	}
	fields := map[string]string{"team": "infra", "ticket": "A: 1", "labels": "x"}
	got, err := withDerived(doc, keys, fields)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.FromDocument("001", got)
	if err != nil || !slices.Equal(s.Fields.Labels, []string{"x"}) || !slices.Equal(s.Fields.Derived, []string{"team", "ticket", "labels"}) {
		t.Errorf("%+v, %v\n%s", s.Fields, err, got.Bytes())
	}
	if at := func(key string) int { return got.KeyLine(key) }; at("ticket") > at("labels") || at("labels") > at("team") {
		t.Errorf("not in the order of the settings:\n%s", got.Bytes())
	}
	outside := outsideOf(keys, "001", fields)
	if len(outside) != 1 || outside[0] != `spec "001": team is "infra", which is none of [core web]` {
		t.Errorf("%q", outside)
	}
	if outside := outsideOf(keys, "001", map[string]string{"team": "web", "ticket": "x"}); len(outside) > 0 {
		t.Errorf("%q", outside)
	}
}

// TestInherit passes on the keys that the project requires of every spec, and none that chant gives a meaning.
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
		"nobody has it":    {[]string{"cost_center"}, "", "---\ntype: code\n---\n# B\n"},
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

// TestMemberOf: the member for a criterion has its text as title without the commands, and all by which the whole is
// worked.
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

// TestMergeDriver merges a spec by its fields: what only one side changed is taken, and what both changed is left to a
// person, with the conflict marked in the file.
func TestMergeDriver(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	base := "---\nstatus: pending\nlabels: [a]\n---\n# A\n\nText.\n"
	for name, tc := range map[string]struct {
		ours, theirs string
		want         string // of the file, "" where it has marks
		code         engine.Code
	}{
		"one side each": {strings.Replace(base, "labels: [a]", "labels: [b]", 1), strings.Replace(base, "Text.", "More.", 1), "---\nstatus: pending\nlabels: [b]\n---\n# A\n\nMore.\n", ""},
		"the same":      {strings.Replace(base, "Text.", "More.", 1), strings.Replace(base, "Text.", "More.", 1), strings.Replace(base, "Text.", "More.", 1), ""},
		"nothing":       {base, base, base, ""},
		"the same line": {strings.Replace(base, "Text.", "Ours.", 1), strings.Replace(base, "Text.", "Theirs.", 1), "", engine.Conflict},
		"only one side changed an unreadable front matter": {strings.Replace(base, "pending", "[", 1), strings.Replace(base, "Text.", "More.", 1), "---\nstatus: [\nlabels: [a]\n---\n# A\n\nMore.\n", ""},
		"unreadable": {strings.Replace(base, "pending", "[", 1), strings.Replace(base, "[a]", "[b]", 1), "", engine.Conflict},
	} {
		at := t.TempDir()
		for file, text := range map[string]string{"base": base, "ours": tc.ours, "theirs": tc.theirs} {
			enginetest.Write(t, at, file, text)
		}
		in := MergeDriverInput{Base: filepath.Join(at, "base"), Ours: filepath.Join(at, "ours"), Theirs: filepath.Join(at, "theirs"), Path: ".chant/specs/001.md"}
		err := MergeDriver(t.Context(), dir, in)
		got := enginetest.Read(t, at, "ours")
		if enginetest.CodeOf(t, err) != tc.code || tc.want != "" && got != tc.want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
		if name == "the same line" && !(strings.Contains(got, "<<<<<<<") && strings.Contains(got, "Ours.") && strings.Contains(got, "Theirs.")) {
			t.Errorf("%s: both sides have to be there:\n%s", name, got)
		}
		if err := os.Remove(in.Theirs); err != nil {
			t.Fatal(err)
		}
		if err := MergeDriver(t.Context(), dir, in); enginetest.CodeOf(t, err) != engine.Internal || enginetest.Read(t, at, "ours") != got {
			t.Errorf("%s, with a file missing: %v", name, err)
		}
	}
}

// TestPrompts lists the project's prompts in front of the shipped ones of the same name, and says what is wrong with one
// that cannot be used.
func TestPrompts(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	for name, text := range map[string]string{
		"mine": "---\npurpose: Mine\n---\nDo {{spec.title}}.\n", "standard": "---\npurpose: Ours\n---\nDo it.\n", "child": "---\nextends: nothing\n---\n{{> parent}}\n\nMore.\n", "empty": "---\npurpose: x\n---\n",
	} {
		enginetest.Write(t, dir, ".chant/prompts/"+name+".md", text)
	}
	r, err := Prompts(t.Context(), p, PromptsInput{})
	if err != nil || !slices.IsSortedFunc(r.Prompts, func(a, b PromptInfo) int { return strings.Compare(a.Name, b.Name) }) {
		t.Fatalf("%+v, %v", r, err)
	}
	seen := map[string]PromptInfo{}
	for _, info := range r.Prompts {
		if _, twice := seen[info.Name]; twice {
			t.Errorf("%s is listed twice", info.Name)
		}
		seen[info.Name] = info
	}
	if got := seen["mine"]; got.Shipped || got.Purpose != "Mine" || got.Invalid != "" {
		t.Errorf("%+v", got)
	}
	if got := seen["standard"]; got.Shipped || got.Purpose != "Ours" {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(seen["child"].Invalid, "nothing") || !strings.Contains(seen["empty"].Invalid, `prompt "empty" is empty`) || !seen["documentation"].Shipped {
		t.Errorf("%+v, %+v, %+v", seen["child"], seen["empty"], seen["documentation"])
	}
	for name, want := range map[string]string{"none": "not_found | chant prompt list", "../config": "not_found | chant prompt list", "child": "invalid | vi .chant/prompts/child.md |", "": "not_found |"} {
		if _, err := Prompt(t.Context(), p, PromptInput{Name: name}); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%q: %q, want %q", name, enginetest.Refusal(err), want)
		}
	}
	if got, err := Prompt(t.Context(), p, PromptInput{Name: "standard"}); err != nil || strings.TrimSpace(got.Text) != "Do it." || got.Source != "---\npurpose: Ours\n---\nDo it.\n" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRenderPrompt fills in the prompt that work would use, and starts nothing.
func TestRenderPrompt(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.SpecAt(t, "pending", enginetest.StrictBody)
	enginetest.Write(t, dir, ".chant/prompts/mine.md", "---\npurpose: Mine\n---\nTitle: {{spec.title}} on {{project.name}}.\n")
	before := enginetest.StateOf(t, dir)
	r, err := RenderPrompt(t.Context(), p, RenderPromptInput{ID: "001", Prompt: "mine"})
	if err != nil || r.ID != enginetest.StrictID || r.Name != "mine" || !strings.Contains(r.Text, "Title: Strict on test.") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := RenderPrompt(t.Context(), p, RenderPromptInput{ID: "001"}); err != nil || r.Name != "standard" || !strings.Contains(r.Text, "Strict") {
		t.Errorf("%+v, %v", r, err)
	}
	for want, in := range map[string]RenderPromptInput{"not_found | chant list": {ID: "zzz"}, "not_found | chant prompt list": {ID: "001", Prompt: "none"}} {
		if _, err := RenderPrompt(t.Context(), p, in); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%+v: %q", in, enginetest.Refusal(err))
		}
	}
	if after := enginetest.StateOf(t, dir); after != before {
		t.Errorf("it changed\n%s\nto\n%s", before, after)
	}
}
