package engine

import (
	"slices"
	"strings"
	"testing"
)

const (
	strictID   = "2026-01-02-001-abc"
	strictBody = "# Strict\n\n## Acceptance Criteria\n\n- [x] a claim\n- [ ] a result `$ test -f never`\n"
)

// specAt makes a project with one spec of this status and body, committed.
func specAt(t *testing.T, status, body string) (*Engine, string) {
	t.Helper()
	e, dir := project(t)
	commit(t, dir, map[string]string{".chant/specs/" + strictID + ".md": "---\nstatus: " + status + "\n---\n" + body})
	return e, dir
}

// refusedUpdate expects an update to be refused and to change nothing.
func refusedUpdate(t *testing.T, e *Engine, dir string, in UpdateInput, code Code, words ...string) {
	t.Helper()
	before := stateOf(t, dir)
	in.ID = strictID
	_, err := e.Update(t.Context(), in)
	if codeOf(t, err) != code {
		t.Errorf("%+v: %v, want code %q", in, err, code)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%+v: %q does not say %q", in, err, w)
		}
	}
	if after := stateOf(t, dir); after != before {
		t.Errorf("%+v has changed\n%s\nto\n%s", in, before, after)
	}
}

// stateOf is all that a refusal leaves as it was: branches and what home has.
func stateOf(t *testing.T, dir string) string {
	t.Helper()
	return git(t, dir, "for-each-ref") + "\n" + git(t, dir, "status", "--porcelain") + "\n" + read(t, dir, ".chant/specs/"+strictID+".md")
}

func TestUpdate_criteriaAreNotWeakened(t *testing.T) {
	t.Parallel()
	weak := map[string]struct{ body, names string }{
		"removed":    {"# Strict\n\n## Acceptance Criteria\n\n- [x] a claim\n", "a result"},
		"reworded":   {strings.Replace(strictBody, "a claim", "another claim", 1), "a claim"},
		"re-command": {strings.Replace(strictBody, "test -f never", "true", 1), "a result"},
		"all gone":   {"# Strict\n", "a claim"},
	}
	for _, status := range []string{"in_progress", "paused", "failed", "needs_attention", "completed", "cancelled"} {
		e, dir := specAt(t, status, strictBody)
		for name, tt := range weak {
			t.Log(status, name)
			refusedUpdate(t, e, dir, UpdateInput{Output: tt.body, ReplaceBody: true}, Unverified, tt.names)
		}
	}
	e, _ := specAt(t, "pending", strictBody)
	if _, err := e.Update(t.Context(), UpdateInput{ID: strictID, Output: weak["all gone"].body, ReplaceBody: true}); err != nil {
		t.Errorf("a pending spec: %v", err)
	}
	e, _ = specAt(t, "in_progress", strictBody)
	if _, err := e.Update(t.Context(), UpdateInput{ID: strictID, Output: strictBody + "- [ ] more\n\nText.\n", ReplaceBody: true}); err != nil {
		t.Errorf("a criterion more: %v", err)
	}
}

// TestUpdate_completedIsJudgedByWhatStood asks for completion together with a body
// that would make it easy.
func TestUpdate_completedIsJudgedByWhatStood(t *testing.T) {
	t.Parallel()
	open := strings.ReplaceAll(strings.Replace(strictBody, "[x]", "[ ]", 1), "test -f never", "true")
	e, dir := specAt(t, "in_progress", open)
	for name, body := range map[string]string{
		"ticked":  strings.Replace(open, "- [ ] a claim", "- [x] a claim", 1),
		"removed": "# Strict\n",
		"added":   open + "- [x] easy\n",
	} {
		t.Log(name)
		refusedUpdate(t, e, dir, UpdateInput{Output: body, ReplaceBody: true, Status: "completed"}, Unverified)
	}
	refusedUpdate(t, e, dir, UpdateInput{Output: "All done.", Status: "completed"}, Unverified, "a claim")
	refusedUpdate(t, e, dir, UpdateInput{Output: "All done.", Labels: []string{"x"}, Status: "completed"}, Unverified, "a claim")

	if _, err := e.Check(t.Context(), CheckInput{ID: strictID, Criterion: "1"}); err != nil {
		t.Fatal(err)
	}
	held := strings.Replace(open, "[ ] a claim", "[x] a claim", 1)
	for name, body := range map[string]string{"added": held + "- [x] easy\n", "unticked": open} {
		t.Log(name)
		refusedUpdate(t, e, dir, UpdateInput{Output: body, ReplaceBody: true, Status: "completed"}, Unverified, "judged by")
	}
	before := git(t, dir, "rev-parse", "HEAD")
	r, err := e.Update(t.Context(), UpdateInput{ID: strictID, Output: "All done.", Labels: []string{"x"}, Status: "completed"})
	if err != nil || r.Status != "completed" || r.Commit == "" {
		t.Fatalf("%+v, %v", r, err)
	}
	text := read(t, dir, ".chant/specs/"+strictID+".md")
	if strings.Count(text, "All done.") != 1 || !strings.Contains(text, "- [x] a result") || !strings.Contains(text, "labels:") {
		t.Errorf("the spec reads\n%s", text)
	}
	if n := git(t, dir, "rev-list", "--count", before+"..HEAD"); n != "1" {
		t.Errorf("%s commits", n)
	}
	refusedUpdate(t, e, dir, UpdateInput{Output: "Again.", Status: "completed"}, State)
	refusedUpdate(t, e, dir, UpdateInput{Output: strings.Replace(strictBody, "[x]", "[ ]", 1), ReplaceBody: true}, Unverified)
}

// Invariant 9A-65 of the behaviour notes: a new body without a title keeps the old one.
func TestUpdate_keepsTitle(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{"New.\n": "# T\n\nNew.\n", "# U\nNew.\n": "# U\nNew.\n", "## Not it\n": "# T\n\n## Not it\n"} {
		e, dir := specAt(t, "pending", "# T\n\nOld.\n")
		if _, err := e.Update(t.Context(), UpdateInput{ID: strictID, Output: output, ReplaceBody: true}); err != nil {
			t.Fatal(err)
		}
		if got := read(t, dir, ".chant/specs/"+strictID+".md"); !strings.HasSuffix(got, "---\n"+want) {
			t.Errorf("%q gives %q", output, got)
		}
	}
}

// Invariant 9B-15 of the behaviour notes: what an agent says becomes no criterion.
func TestUpdate_outputIsNoCriterion(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ body, output string }{
		"new heading":       {strictBody, "## Acceptance Criteria\n\n- [x] easy"},
		"heading of mine":   {strictBody, "text\n\n# Acceptance Criteria\n\n- [ ] easy"},
		"below level 1":     {"# Acceptance Criteria\n\n- [ ] hard\n", "- [x] easy"},
		"hides what follow": {"# T\n\n## Output\n\nx\n\n## Acceptance Criteria\n\n- [ ] hard\n", "```\n"},
	} {
		t.Log(name)
		for _, status := range []string{"pending", "in_progress"} {
			e, dir := specAt(t, status, tt.body)
			refusedUpdate(t, e, dir, UpdateInput{Output: tt.output}, Invalid, "code fence")
			fenced := "~~~\n" + strings.ReplaceAll(tt.output, "```", "") + "\n~~~"
			if _, err := e.Update(t.Context(), UpdateInput{ID: strictID, Output: fenced}); err != nil {
				t.Errorf("in a fence: %v", err)
			}
		}
	}
}

func TestUpdate_plainText(t *testing.T) {
	t.Parallel()
	e, dir := specAt(t, "pending", strictBody)
	for _, bad := range []string{"a\x00", "a\x1b[2J", "a\rb", "a\u0085", "\x7f", "\xff"} {
		for _, in := range []UpdateInput{
			{Output: bad}, {Model: bad}, {Labels: []string{bad}}, {TargetFiles: []string{bad}}, {DependsOn: []string{bad}},
		} {
			refusedUpdate(t, e, dir, in, Invalid)
		}
		for _, in := range []AddInput{
			{Description: bad}, {Description: "x", Prompt: bad}, {Description: "x", Provider: bad}, {Description: "x", Criteria: []string{bad}}, {Description: "x", Labels: []string{bad}},
		} {
			if _, err := e.Add(t.Context(), in); codeOf(t, err) != Invalid {
				t.Errorf("add %+v: %v", in, err)
			}
		}
	}
	for _, in := range []UpdateInput{{Labels: []string{"a", ""}}, {TargetFiles: []string{" "}}, {DependsOn: []string{""}}} {
		refusedUpdate(t, e, dir, in, Invalid, "is empty")
	}
	if _, err := e.Add(t.Context(), AddInput{Description: "x", Criteria: []string{""}}); codeOf(t, err) != Invalid {
		t.Errorf("an empty criterion: %v", err)
	}
	if _, err := e.Update(t.Context(), UpdateInput{ID: strictID, Labels: []string{"b", "a", "b"}, Output: "tab\tand\nline"}); err != nil {
		t.Fatal(err)
	}
	s, err := e.Show(t.Context(), ShowInput{ID: strictID})
	if err != nil || !slices.Equal(s.Labels, []string{"b", "a"}) {
		t.Errorf("labels %q, %v", s.Labels, err)
	}
}

func TestUpdate_lineEnds(t *testing.T) {
	t.Parallel()
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	e, dir := specAt(t, "pending", "")
	path := ".chant/specs/" + strictID + ".md"
	commit(t, dir, map[string]string{path: crlf("---\nstatus: pending\n---\n" + strictBody)})
	for _, in := range []UpdateInput{{Output: "one\ntwo"}, {Output: "three\r\nfour\n"}, {Output: "New.\n\nBody.", ReplaceBody: true}} {
		in.ID = strictID
		if _, err := e.Update(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		text := read(t, dir, path)
		if strings.Count(text, "\n") != strings.Count(text, "\r\n") || strings.Contains(text, "\r\r") {
			t.Errorf("line ends of %q", text)
		}
	}
}
