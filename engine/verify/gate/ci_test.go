package gate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/format/report"
	"chant/engine/run/attempt"
	"chant/engine/verify"
	"chant/engine/verify/linter"

	"github.com/alecthomas/assert/v2"
)

// TestCIResult_verdict: specs that did not pass count before findings of lint; drift does not fail a job.
func TestCIResult_verdict(t *testing.T) {
	t.Parallel()
	fails := verify.VerifyResult{SpecID: "a", Status: criteria.Failed, Notes: "it fails"}
	forged := verify.VerifyResult{SpecID: "b", Status: criteria.Failed, Forged: []string{"x"}, Notes: "forged"}
	for name, c := range map[string]struct {
		r     CIResult
		code  engine.Code
		words string
	}{
		"nothing":          {CIResult{}, "", ""},
		"all hold":         {CIResult{Verified: verify.VerifyAllResult{Specs: []verify.VerifyResult{{Verified: true}}}}, "", ""},
		"drift":            {CIResult{Drift: verify.DriftResult{Drifted: 3}}, "", ""},
		"one fails":        {CIResult{Verified: verify.VerifyAllResult{Specs: []verify.VerifyResult{fails}}}, engine.Unverified, `spec "a" is not verified: it fails`},
		"two of three":     {CIResult{Verified: verify.VerifyAllResult{Specs: []verify.VerifyResult{{Verified: true}, forged, fails}}}, engine.Unverified, `2 of 3 specs are not verified, the first is "b": forged`},
		"lint":             {CIResult{Lint: linter.LintResult{Failed: 1}}, engine.Invalid, ""},
		"lint and a spec":  {CIResult{Lint: linter.LintResult{Failed: 1}, Verified: verify.VerifyAllResult{Specs: []verify.VerifyResult{fails}}}, engine.Unverified, "it fails"},
		"only an open box": {CIResult{Verified: verify.VerifyAllResult{Specs: []verify.VerifyResult{{SpecID: "c", Status: criteria.Partial, Criteria: verify.CriteriaCount{Total: 1}}}}}, engine.Unverified, `"c"`},
	} {
		err := c.r.Verdict()
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
		assert.False(t, err != nil && !strings.Contains(err.Error(), c.words), "%s: %v", name, err)
	}
}

// TestCIRange: the range of a job begins at the best base that exists.
func TestCIRange(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	head := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Git(t, dir, "checkout", "-q", "-b", "topic")
	gone := strings.Repeat("1", 40)
	system := func(from, def string) report.Job {
		return report.Job{System: report.GitHub, From: from, To: "HEAD", Default: def}
	}
	shell := report.Job{System: report.Shell, To: "HEAD"}
	for _, c := range []struct {
		name   string
		given  string
		job    report.Job
		origin string // branches of origin from here on
		want   string
	}{
		{"what was asked for", "a..b", system(head, ""), "", "a..b"},
		{"a job about no change", "", system("", "main"), "", ""},
		{"what the CI system says", "", system(head, "main"), "", head + "...HEAD"},
		{"a commit that is gone, no branch either", "", system(gone, "main"), "", ""},
		{"a person, whose project has a target", "", shell, "", "main...HEAD"},
		{"a commit that is gone: the default branch", "", system(gone, "main"), "main", "origin/main...HEAD"},
		{"a person, with a remote", "", shell, "", "origin/main...HEAD"},
	} {
		if c.origin != "" {
			enginetest.Git(t, dir, "update-ref", "refs/remotes/origin/"+c.origin, head)
		}
		got, err := ciRange(t.Context(), p, CIInput{Range: c.given}, c.job)
		assert.NoError(t, err, "%s", c.name)
		assert.Equal(t, c.want, got, "%s", c.name)
	}
	for text, want := range map[string]bool{"HEAD...HEAD": true, "main...HEAD": true, "HEAD~1...HEAD": false, "HEAD...HEAD~1": true} {
		got, err := isEmptyRange(t.Context(), p, text)
		assert.NoError(t, err, "%s", text)
		assert.Equal(t, want, got, "%s", text)
	}
}

// TestCI runs a job in a person's shell and one in a CI system, and compares what they checked.
func TestCI(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const other = "2026-01-02-002-abc"
	asked := func(file string) string {
		return "---\nstatus: completed\n---\n# A\n\nDo it.\n\n## Acceptance Criteria\n\n- [x] it is there `$ test -f " + file + "`\n"
	}
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + gateID + ".md": asked("gone.txt")})
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + other + ".md": asked("a.txt"), "a.txt": "x\n"})
	event := filepath.Join(t.TempDir(), "event.json")
	assert.NoError(t, os.WriteFile(event, []byte(`{"before": "`+before+`", "after": "x", "repository": {"default_branch": "main"}}`), 0o644))
	gitHub := []string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_PATH=" + event, "GITHUB_STEP_SUMMARY=/summary", "GITHUB_REF_NAME=main"}
	for name, c := range map[string]struct {
		environ []string
		in      CIInput
		system  string
		ranged  string
		empty   string
		specs   int
		forged  bool
	}{
		"a person on the main branch": {nil, CIInput{}, report.Shell, "", "main...HEAD", 2, false},
		"a push":                      {gitHub, CIInput{}, report.GitHub, before + "...HEAD", "", 1, true},
		"a range of one's own":        {gitHub, CIInput{Range: "HEAD~2..HEAD"}, report.GitHub, "HEAD~2..HEAD", "", 2, true},
		"an event that is not there":  {[]string{"GITHUB_ACTIONS=true", "GITHUB_EVENT_PATH=/nowhere"}, CIInput{}, report.GitHub, "", "", 2, false},
	} {
		job := *p
		job.Environ = append(os.Environ(), c.environ...)
		r, err := CI(t.Context(), &job, c.in)
		if err != nil || r.System != c.system || r.Range != c.ranged || r.Empty != c.empty || len(r.Verified.Specs) != c.specs {
			t.Errorf("%s: %s, %q, %q, %d specs, %v", name, r.System, r.Range, r.Empty, len(r.Verified.Specs), err)
			continue
		}
		assert.Equal(t, c.forged, len(r.Verified.Specs[0].Forged) > 0, "%s: %+v, evidence", name, r.Verified)
		assert.Equal(t, "only here: there is no remote origin", r.Evidence, "%s: %+v, evidence", name, r.Verified)
		assert.Zero(t, r.Verified.Flagged, "%s: %+v, evidence", name, r.Verified)
		if enginetest.CodeOf(t, r.Verdict()) != engine.Unverified {
			t.Errorf("%s: %v", name, r.Verdict())
		}
	}
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"), "a job has changed")
	_, err := CI(t.Context(), p, CIInput{Range: "nowhere..HEAD"})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "a range that is not here")
}

// TestCI_unreadable: lint reports a file that cannot be read, and the job goes through all checks.
func TestCI_unreadable(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".chant/specs/" + gateID + ".md": "---\nstatus: [\n---\n# A\n"})
	for _, in := range []CIInput{{}, {Range: "HEAD~1..HEAD"}} {
		r, err := CI(t.Context(), p, in)
		assert.NoError(t, err, "%v", in)
		assert.Equal(t, 1, r.Lint.Failed, "%v", in)
		assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, r.Verdict()), "%v", in)
	}
}

// TestFetchEvidence fetches the evidence of origin and reports where evidence is searched.
func TestFetchEvidence(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	other := t.TempDir()
	enginetest.Git(t, other, "clone", "-q", "--bare", dir, "there.git")
	look := func(want string) {
		t.Helper()
		o, said := heard()
		job := *p
		job.Progress = o.Progress
		got, err := fetchEvidence(t.Context(), &job)
		if err != nil || !strings.Contains(got, want) || (said() != "") != strings.Contains(want, "does not answer") {
			t.Errorf("%q, %v, reported %q, want %q", got, err, said(), want)
		}
	}
	look("there is no remote origin")
	enginetest.Git(t, dir, "remote", "add", "origin", other+"/there.git")
	look("origin has none")
	enginetest.Git(t, other+"/there.git", "update-ref", attempt.NotesRef, enginetest.Git(t, dir, "rev-parse", "HEAD"))
	look("here and on origin")
	refs, err := verify.NotesRefs(t.Context(), p)
	assert.NoError(t, err)
	assert.Equal(t, attempt.NotesRef+"-origin", strings.Join(refs, " "))
	enginetest.Git(t, dir, "remote", "set-url", "origin", other+"/gone.git")
	look("origin does not answer")
}

func TestIsUnreadable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want bool
	}{{nil, false}, {errors.New("invalid"), false}, {&engine.Error{Code: engine.NotFound}, false}, {&engine.Error{Code: engine.Invalid}, true}} {
		assert.Equal(t, c.want, isUnreadable(c.err), "%v", c.err)
	}
}

// TestCI_remote: what others have pushed to the remote's target, past chant, is named in a clone, and a completion there that
// nothing bears out fails the job.
func TestCI_remote(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	there := filepath.Join(t.TempDir(), "there")
	enginetest.Git(t, dir, "clone", "-q", "--bare", dir, there+".git")
	enginetest.Git(t, dir, "remote", "add", "origin", there+".git")
	enginetest.Git(t, dir, "clone", "-q", there+".git", there)
	look := func(in CIInput, environ ...string) CIResult {
		t.Helper()
		enginetest.Git(t, dir, "fetch", "-q", "origin")
		job := *p
		job.Environ = append(os.Environ(), environ...)
		r, err := CI(t.Context(), &job, in)
		assert.NoError(t, err)
		return r
	}
	push := func(files map[string]string) {
		enginetest.Commit(t, there, files)
		enginetest.Git(t, there, "push", "-q", "origin", "main")
	}
	if r := look(CIInput{}); r.Remote != nil {
		t.Errorf("nothing was pushed: %+v", r.Remote)
	}
	push(map[string]string{"evil.go": "package evil\n"})
	r := look(CIInput{})
	assert.True(t, r.Remote != nil, "%v", r.Remote)
	assert.Equal(t, "origin/main", r.Remote.Branch)
	assert.Equal(t, "main...origin/main", r.Remote.Range)
	assert.Equal(t, 1, len(r.Remote.Verified.Notices))
	assert.NoError(t, r.Verdict())
	n := r.Remote.Verified.Notices[0]
	assert.Equal(t, verify.NoticeUnverified, n.Kind)
	assert.Equal(t, enginetest.Git(t, there, "rev-parse", "HEAD"), n.Commit)
	assert.Contains(t, n.Text, "changes evil.go")
	push(map[string]string{".chant/specs/" + gateID + ".md": "---\nstatus: completed\n---\n# A\n\n## Acceptance Criteria\n\n- [x] it is there `$ test -f evil.go`\n"})
	r = look(CIInput{})
	assert.Equal(t, 1, len(r.Remote.Verified.Broken()), "%v", r.Remote)
	assert.Equal(t, engine.Unverified, enginetest.CodeOf(t, r.Verdict()), "%v", r.Remote)
	assert.Contains(t, r.Verdict().Error(), "no evidence was recorded", "%v", r.Remote)
	assert.True(t, look(CIInput{Range: "HEAD~1..HEAD"}).Remote == nil, "a range of one's own is about more")
	assert.True(t, look(CIInput{}, "GITLAB_CI=true").Remote == nil, "the job of a CI system is about more than its change")
	enginetest.Git(t, dir, "merge", "-q", "--ff-only", "origin/main")
	r = look(CIInput{})
	assert.True(t, r.Remote == nil, "everything is here: %+v", r.Remote)
}
