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

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, err)
	want := []string{idOf(2) + " empty_command error", idOf(3) + " duplicate_key error", idOf(5) + " unknown_key warning"}
	assert.Equal(t, want, rules(r.Findings))
	assert.Equal(t, 3, r.Found)
	assert.Equal(t, 5, r.Total)
	assert.Equal(t, 2, r.Failed)
	assert.Equal(t, 1, r.Warned)
	assert.Equal(t, 2, r.Passed)
	assert.Equal(t, 4, r.Checked)
	assert.Equal(t, 2, r.Red)
	i := slices.IndexFunc(r.Scores, func(s SpecScore) bool { return s.ID == idOf(2) })
	assert.True(t, i >= 0, "a spec with an error is not red: %+v", r.Scores)
	assert.Equal(t, lint.Red, r.Scores[i].Light, "a spec with an error is not red")

	one, err := Lint(t.Context(), p, LintInput{ID: "004", IDs: []string{idOf(4)}})
	assert.NoError(t, err, "one completed spec")
	assert.Equal(t, 1, one.Total, "one completed spec")
	assert.Equal(t, 1, len(one.Scores), "one completed spec")
	assert.Equal(t, idOf(4), one.Scores[0].ID, "one completed spec")
	_, err = Lint(t.Context(), p, LintInput{IDs: []string{"nothing"}})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "an unknown id")
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
	assert.NoError(t, err)
	want := map[string]string{idOf(1): "", idOf(2): "it is approved, and an edit would void the approval", idOf(3): "its run is not finished", idOf(4): "it has edits that are not committed"}
	assert.Equal(t, len(want), len(r.Fixed), "%+v", r.Fixed)
	for _, f := range r.Fixed {
		left, known := want[f.ID]
		fixed := f.Commit != "" && len(f.Did) == 1
		assert.True(t, known, "%s: %+v, want it left because %q", f.ID, f, left)
		assert.Equal(t, left, f.Left, "%s", f.ID)
		assert.Equal(t, left == "", fixed, "%s", f.ID)
	}
	assert.Contains(t, enginetest.Read(t, dir, store.SpecPath(idOf(1))), "status: pending")
	again, err := Lint(t.Context(), p, LintInput{Fix: true, IDs: []string{idOf(1), idOf(5)}})
	assert.NoError(t, err, "fixed again: %+v", again.Fixed)
	assert.Zero(t, again.Fixed, "fixed again: %+v", again.Fixed)
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
	found := CheckPrompts(p)
	assert.Zero(t, found, "a project without prompts: %+v", found)
	enginetest.Write(t, dir, store.PromptsDir+"/odd.md", "---\npurpose: test\n---\nDo {{spec.idd}}.\n")
	enginetest.Write(t, dir, store.PromptsDir+"/broken.md", "---\npurpose: [\n---\nDo it.\n")
	enginetest.Write(t, dir, store.PromptsDir+"/orphan.md", "---\nextends: nothing\n---\nDo it.\n")
	p.Config.Defaults.Prompt, p.Config.Defaults.Extensions = "missing", []string{"absent"}
	got := map[string]lint.Severity{}
	for _, f := range CheckPrompts(p) {
		assert.Equal(t, lint.PromptRule, f.Rule)
		assert.True(t, f.Line >= 1, "%+v", f)
		assert.NotEqual(t, "", f.Message)
		got[f.Path] = f.Severity
	}
	for path, want := range map[string]lint.Severity{
		store.PromptsDir + "/odd.md": lint.Warning, store.PromptsDir + "/broken.md": lint.Error, store.PromptsDir + "/orphan.md": lint.Error, store.ConfigPath: lint.Error,
	} {
		assert.Equal(t, want, got[path], "%s", path)
	}
	for severity, want := range map[lint.Severity]int{lint.Off: 0, lint.Warning: len(CheckPrompts(p))} {
		p.Config.Lint.Severity = map[string]lint.Severity{lint.PromptRule: severity}
		found := lintPrompts(p)
		assert.Equal(t, want, len(found))
		assert.False(t, want > 0 && found[0].Severity != severity, "severity %s: %+v", severity, found)
	}
}

func TestParseFindings(t *testing.T) {
	t.Parallel()
	settings := lint.Defaults()
	settings.Severity[lint.DuplicateKeyRule] = lint.Off
	for text, want := range map[string]string{"---\nstatus: [\n---\n": lint.ParseRule, "---\na: 1\na: 2\n---\n": lint.DuplicateKeyRule} {
		_, err := spec.Parse("x", "x.md", []byte(text))
		assert.Error(t, err, "%q was read", text)
		bad := store.Invalid{ID: "x", Path: "x.md", Err: err}
		found := ParseFindings(lint.Defaults(), bad)
		assert.Equal(t, 1, len(found), "%q", text)
		assert.Equal(t, want, found[0].Rule, "%q", text)
		assert.Equal(t, lint.Error, found[0].Severity, "%q", text)
		found = ParseFindings(settings, bad)
		assert.Equal(t, want == lint.DuplicateKeyRule, len(found) == 0, "%q, one rule off: %+v", text, found)
	}
	found := ParseFindings(lint.Defaults(), store.Invalid{ID: "two words", Path: "x.md", Err: spec.ValidName("two words")})
	assert.Equal(t, 1, len(found), "a name that is no id")
	assert.Equal(t, lint.IDRule, found[0].Rule, "a name that is no id")
	found = ParseFindings(lint.Defaults(), store.Invalid{ID: "x", Path: "x.md", Err: gitops.ErrNotFound})
	assert.Equal(t, 1, len(found))
	assert.Equal(t, lint.ParseRule, found[0].Rule)
	assert.Equal(t, 1, found[0].Line)
}

func TestScoreDocument(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	for text, light := range map[string]lint.Light{good: lint.Green, "": lint.Red, "---\nstatus: nope\n---\n": ""} {
		doc, err := markdown.Parse("x.md", []byte(text))
		assert.NoError(t, err)
		score, err := ScoreDocument(p, "x", doc)
		assert.Equal(t, light, score.Light, "%q", text)
		assert.Equal(t, light == "", err != nil, "%q", text)
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
		assert.Equal(t, want, fmt.Sprintf("%s %d", strings.Join(got, " "), out.Found), "limit %d", limit)
	}
	assert.Equal(t, "1 of 4 staged specs has errors", r.CountErrors("staged"))
	assert.Equal(t, "2 of 2 specs have errors", (LintResult{Total: 2, Failed: 2}).CountErrors(""))
}
