package linter

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
)

// idOf returns the id of the n-th spec.
func idOf(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n) }

// good is the body of a spec without findings.
const good = "# Greet\n\n- Print a greeting\n\n## Script\n\n```sh\necho hello\n```\n\n## Acceptance Criteria\n\n- [ ] It greets `$ true`\n"

// project creates a project with committed specs; the n-th text is the file of the spec idOf(n), from 1.
func project(t *testing.T, specs ...string) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	for n, text := range specs {
		enginetest.Write(t, dir, store.SpecPath(idOf(n+1)), text)
	}
	enginetest.CommitAll(t, dir)
	return p, dir
}

// rules lists the findings as "spec rule severity", in order.
func rules(found []lint.Finding) (out []string) {
	for _, f := range found {
		out = append(out, strings.TrimSpace(f.ID+" "+f.Rule+" "+string(f.Severity)))
	}
	slices.Sort(out)
	return out
}

func TestLint(t *testing.T) {
	t.Parallel()
	p, _ := project(t,
		good,
		strings.Replace(good, "`$ true`", "`$ `", 1),
		"---\nlabels: a\nlabels: b\n---\n"+good,
		"---\nstatus: completed\n---\n"+strings.Replace(good, "[ ]", "[x]", 1),
		"---\nlabel: x\n---\n"+good,
	)
	r, err := Lint(t.Context(), p, LintInput{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{idOf(2) + " empty_command error", idOf(3) + " duplicate_key error", idOf(5) + " unknown_key warning"}
	if got := rules(r.Findings); !slices.Equal(got, want) || r.Found != 3 {
		t.Errorf("found %q of %d, want %q", got, r.Found, want)
	}
	if r.Total != 5 || r.Failed != 2 || r.Warned != 1 || r.Passed != 2 || r.Checked != 4 || r.Red != 2 {
		t.Errorf("counts %+v", r)
	}
	if i := slices.IndexFunc(r.Scores, func(s SpecScore) bool { return s.ID == idOf(2) }); i < 0 || r.Scores[i].Light != lint.Red {
		t.Errorf("a spec with an error is not red: %+v", r.Scores)
	}

	one, err := Lint(t.Context(), p, LintInput{ID: "004", IDs: []string{idOf(4)}})
	if err != nil || one.Total != 1 || len(one.Scores) != 1 || one.Scores[0].ID != idOf(4) {
		t.Errorf("one completed spec: %+v, %v", one, err)
	}
	if _, err := Lint(t.Context(), p, LintInput{IDs: []string{"nothing"}}); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("an unknown id: %v", err)
	}
}

// TestLint_fix: a spec is corrected in a commit of its own, unless the commit would void an approval, include the edits
// of a person or bypass a run.
func TestLint_fix(t *testing.T) {
	t.Parallel()
	odd := "---\nstatus: ready\n---\n" + good
	p, dir := project(t, odd, strings.Replace(odd, "---\n# ", "approval:\n  status: approved\n  by: Ada <ada@example.com>\n---\n# ", 1), odd, odd, good)
	enginetest.Git(t, dir, "branch", "chant/"+idOf(3))
	enginetest.Write(t, dir, store.SpecPath(idOf(4)), odd+"\nMore.\n")
	r, err := Lint(t.Context(), p, LintInput{Fix: true})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{idOf(1): "", idOf(2): "it is approved, and an edit would void the approval", idOf(3): "its run is not finished", idOf(4): "it has edits that are not committed"}
	if len(r.Fixed) != len(want) {
		t.Errorf("%d specs: %+v", len(r.Fixed), r.Fixed)
	}
	for _, f := range r.Fixed {
		left, known := want[f.ID]
		if fixed := f.Commit != "" && len(f.Did) == 1; !known || f.Left != left || fixed != (left == "") {
			t.Errorf("%s: %+v, want it left because %q", f.ID, f, left)
		}
	}
	if text := enginetest.Read(t, dir, store.SpecPath(idOf(1))); !strings.Contains(text, "status: pending") {
		t.Errorf("fixed:\n%s", text)
	}
	again, err := Lint(t.Context(), p, LintInput{Fix: true, IDs: []string{idOf(1), idOf(5)}})
	if err != nil || len(again.Fixed) != 0 {
		t.Errorf("fixed again: %+v, %v", again.Fixed, err)
	}
}

// TestLint_staged: only staged specs are checked, in their staged version.
func TestLint_staged(t *testing.T) {
	t.Parallel()
	bad := strings.Replace(good, "`$ true`", "`$ `", 1)
	p, dir := project(t, good, bad)
	stage := func(name, text string) {
		enginetest.Write(t, dir, name, text)
		enginetest.Git(t, dir, "add", name)
	}
	look := func(want ...string) {
		t.Helper()
		r, err := Lint(t.Context(), p, LintInput{Staged: true})
		if got := rules(r.Findings); err != nil || !slices.Equal(got, want) {
			t.Errorf("found %q, %v, want %q", got, err, want)
		}
	}
	look()
	stage("notes.md", "x")
	look()
	stage(store.SpecPath(idOf(1)), bad)
	enginetest.Write(t, dir, store.SpecPath(idOf(1)), good)
	look(idOf(1) + " empty_command error")
	stage(store.SpecPath(idOf(3)), "---\nstatus: [\n---\n")
	look(idOf(1)+" empty_command error", idOf(3)+" parse error")
}

// TestCheckPrompts: prompts that cannot be used are errors, unknown variables are warnings, and a missing prompt is
// reported for the settings that name it.
func TestCheckPrompts(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	if found := CheckPrompts(p); len(found) > 0 {
		t.Errorf("a project without prompts: %+v", found)
	}
	enginetest.Write(t, dir, store.PromptsDir+"/odd.md", "---\npurpose: test\n---\nDo {{spec.idd}}.\n")
	enginetest.Write(t, dir, store.PromptsDir+"/broken.md", "---\npurpose: [\n---\nDo it.\n")
	enginetest.Write(t, dir, store.PromptsDir+"/orphan.md", "---\nextends: nothing\n---\nDo it.\n")
	p.Config.Defaults.Prompt, p.Config.Defaults.Extensions = "missing", []string{"absent"}
	got := map[string]lint.Severity{}
	for _, f := range CheckPrompts(p) {
		if f.Rule != lint.PromptRule || f.Line < 1 || f.Message == "" {
			t.Errorf("%+v", f)
		}
		got[f.Path] = f.Severity
	}
	for path, want := range map[string]lint.Severity{
		store.PromptsDir + "/odd.md": lint.Warning, store.PromptsDir + "/broken.md": lint.Error, store.PromptsDir + "/orphan.md": lint.Error, store.ConfigPath: lint.Error,
	} {
		if got[path] != want {
			t.Errorf("%s: %q, want %q", path, got[path], want)
		}
	}
	for severity, want := range map[lint.Severity]int{lint.Off: 0, lint.Warning: len(CheckPrompts(p))} {
		p.Config.Lint.Severity = map[string]lint.Severity{lint.PromptRule: severity}
		if found := lintPrompts(p); len(found) != want || want > 0 && found[0].Severity != severity {
			t.Errorf("severity %s: %+v", severity, found)
		}
	}
}

func TestParseFindings(t *testing.T) {
	t.Parallel()
	settings := lint.Defaults()
	settings.Severity[lint.DuplicateKeyRule] = lint.Off
	for text, want := range map[string]string{"---\nstatus: [\n---\n": lint.ParseRule, "---\na: 1\na: 2\n---\n": lint.DuplicateKeyRule} {
		_, err := spec.Parse("x", "x.md", []byte(text))
		if err == nil {
			t.Fatalf("%q was read", text)
		}
		bad := store.Invalid{ID: "x", Path: "x.md", Err: err}
		if found := ParseFindings(lint.Defaults(), bad); len(found) != 1 || found[0].Rule != want || found[0].Severity != lint.Error {
			t.Errorf("%q: %+v, want rule %s", text, found, want)
		}
		if found := ParseFindings(settings, bad); (len(found) == 0) != (want == lint.DuplicateKeyRule) {
			t.Errorf("%q, one rule off: %+v", text, found)
		}
	}
	if found := ParseFindings(lint.Defaults(), store.Invalid{ID: "two words", Path: "x.md", Err: spec.ValidName("two words")}); len(found) != 1 || found[0].Rule != lint.IDRule {
		t.Errorf("a name that is no id: %+v", found)
	}
	if found := ParseFindings(lint.Defaults(), store.Invalid{ID: "x", Path: "x.md", Err: gitops.ErrNotFound}); len(found) != 1 || found[0].Rule != lint.ParseRule || found[0].Line != 1 {
		t.Errorf("another error: %+v", found)
	}
}

func TestScoreDocument(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	for text, light := range map[string]lint.Light{good: lint.Green, "": lint.Red, "---\nstatus: nope\n---\n": ""} {
		doc, err := markdown.Parse("x.md", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if score, err := ScoreDocument(p, "x", doc); score.Light != light || (err != nil) != (light == "") {
			t.Errorf("%q: %+v, %v, want %q", text, score, err, light)
		}
	}
}

// TestLintResult_limit: errors and red specs are listed first, but only if a list is shortened.
func TestLintResult_limit(t *testing.T) {
	t.Parallel()
	var r LintResult
	for _, f := range []lint.Finding{{ID: "a", Severity: lint.Warning}, {ID: "b", Severity: lint.Error}, {ID: "c", Severity: lint.Warning}} {
		r.addFindings([]lint.Finding{f})
	}
	r.addFindings(nil)
	for _, s := range []SpecScore{{ID: "a", Score: lint.Score{Light: lint.Green}}, {ID: "b", Score: lint.Score{Light: lint.Yellow}}, {ID: "c", Score: lint.Score{Light: lint.Red}}} {
		r.addScore(s, s.ID == "a")
	}
	for limit, want := range map[int]string{2: "b a c b 3", 3: "a b c a b c 3", 0: "a b c a b c 3"} {
		in := r
		in.Findings, in.Scores = slices.Clone(r.Findings), slices.Clone(r.Scores)
		var got []string
		out := in.limit(limit)
		for _, f := range out.Findings {
			got = append(got, f.ID)
		}
		for _, s := range out.Scores {
			got = append(got, s.ID)
		}
		if text := fmt.Sprintf("%s %d", strings.Join(got, " "), out.Found); text != want {
			t.Errorf("limit %d: %q, want %q", limit, text, want)
		}
	}
	if text := r.CountErrors("staged"); text != "1 of 4 staged specs has errors" {
		t.Error(text)
	}
	if text := (LintResult{Total: 2, Failed: 2}).CountErrors(""); text != "2 of 2 specs have errors" {
		t.Error(text)
	}
}
