package judge_test

import (
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/judge"
	"chant/engine/run/runtest"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/providers/wall"

	"github.com/alecthomas/assert/v2"
)

func with(criteria ...string) string {
	return "---\nstatus: pending\n---\n# Do it\n\n## Acceptance Criteria\n\n- [ ] " + strings.Join(criteria, "\n- [ ] ") + "\n"
}

// TestVerify judges what an honest agent has committed by criteria of all kinds.
func TestVerify(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text  string
		kind  spec.ReasonCode // "" passes
		words string
	}{
		"holds":                       {with("a `$ test -f done.txt`"), "", ""},
		"fails":                       {with("a `$ test -f other.txt`"), spec.ReasonUnverified, "the criterion does not hold"},
		"one of two":                  {with("a `$ test -f done.txt`", "b `$ false`"), spec.ReasonUnverified, "1 criterion of 2 does not hold"},
		"two of two":                  {with("a `$ false`", "b `$ exit 7`"), spec.ReasonUnverified, "2 of 2 criteria do not hold"},
		"not ticked":                  {with("a person looks"), spec.ReasonUnverified, "the criterion does not hold"},
		"a missing program":           {with("a `$ no-such-program-here`"), spec.ReasonUnverified, "does not hold"},
		"sees what is committed":      {with("a `$ test -z \"$(git status --porcelain)\"`"), "", ""},
		"is on no branch":             {with("a `$ ! git symbolic-ref -q HEAD`"), "", ""},
		"knows its spec":              {with("a `$ test \"$CHANT_SPEC_ID\" = " + runtest.ID + "`"), "", ""},
		"new files are taken away":    {with("a `$ touch made`", "b `$ test ! -e made`"), "", ""},
		"changes a tracked file":      {with("a `$ echo x >> done.txt`"), spec.ReasonSpoiled, "done.txt"},
		"removes a tracked file":      {with("a `$ rm done.txt`"), spec.ReasonSpoiled, "done.txt"},
		"commits":                     {with("a `$ git -c user.name=x -c user.email=x@y commit -q --allow-empty -m x`"), spec.ReasonSpoiled, ""},
		"moves the branch":            {with("a `$ git update-ref refs/heads/chant/" + runtest.ID + " refs/heads/main`"), spec.ReasonTampered, ""},
		"moves the target":            {with("a `$ git update-ref refs/heads/main HEAD`"), spec.ReasonTampered, ""},
		"changes a setting":           {with("a `$ git config core.hooksPath /tmp/x`"), spec.ReasonTampered, ""},
		"runs where nothing is above": {with("a `$ test ! -e ../.chant`"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, tc.text, open)
			r.Agent(map[string]string{"done.txt": "yes\n"})
			main := r.Git("rev-parse", "main")
			err := r.To(journal.Verify)
			if tc.kind == "" {
				assert.NoError(t, err)
				assert.True(t, r.Judge.Report.Verified, "verified %v, %v", r.Judge.Report.Verified, err)
				return
			}
			r.Fails(err, tc.kind, tc.words)
			now := r.Git("rev-parse", "main")
			assert.False(t, now != main && name != "moves the target", "main moved to %s", now)
		})
	}
}

// open turns the sandbox off.
func open(s *attempt.Settings) { s.Sandbox.Mode = config.SandboxOff }

// TestVerify_walled: behind a wall a criterion cannot do what would be tampering, and its failure names what it was
// refused. It writes to its tree, to its temporary folder and to its own caches.
func TestVerify_walled(t *testing.T) {
	t.Parallel()
	if s := wall.Supported(); !s.Available {
		t.Skip(s.Why)
	}
	for name, tc := range map[string]struct{ text, words string }{
		"moves the target":   {with("a `$ git update-ref refs/heads/main HEAD`"), "not for agents and criteria"},
		"changes a setting":  {with("a `$ git config core.hooksPath /tmp/x`"), "not for agents and criteria"},
		"commits":            {with("a `$ git -c user.name=x -c user.email=x@y commit -q --allow-empty -m x`"), "does not hold"},
		"reads a journal":    {with("a `$ cat \"$(git rev-parse --git-common-dir)\"/chant/runs/*`"), ""},
		"writes a journal":   {with("a `$ echo x >> \"$(git rev-parse --git-common-dir)\"/chant/runs/" + runtest.ID + ".jsonl`"), "not for agents and criteria"},
		"writes temporaries": {with("a `$ f=$(mktemp) && echo x > \"$f\" && mkdir -p \"$GOCACHE\" && echo x > \"$GOCACHE/x\"`"), ""},
		"asks git":           {with("a `$ git status --porcelain && git log --oneline -1 && git diff HEAD`"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, tc.text)
			r.Agent(map[string]string{"done.txt": "yes\n"})
			err := r.To(journal.Verify)
			if tc.words == "" {
				assert.NoError(t, err)
				return
			}
			r.Fails(err, spec.ReasonUnverified, tc.words)
		})
	}
}

// TestVerify_ticked takes the agent's tick for a criterion without a command, and for no other.
func TestVerify_ticked(t *testing.T) {
	t.Parallel()
	text := with("a person looks", "b `$ false`")
	r := runtest.Start(t, text)
	r.Agent(map[string]string{"done.txt": "yes\n", runtest.Own: strings.ReplaceAll(strings.Replace(text, "pending", "in_progress", 1), "- [ ]", "- [x]")})
	r.Fails(r.To(journal.Verify), spec.ReasonUnverified, "1 criterion of 2 does not hold")
	v := r.Judge.Report.Criteria
	assert.Equal(t, 2, len(v))
	assert.True(t, v[0].Holds, "verdicts %+v", v)
	assert.False(t, v[1].Holds, "verdicts %+v", v)
}

// TestVerify_settings adds the commands of the project to those of the spec.
func TestVerify_settings(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, with("a `$ true`"), func(s *attempt.Settings) { s.Verify.Commands = []spec.Command{{Run: "test -f never"}} })
	r.Agent(map[string]string{"done.txt": "yes\n"})
	r.Fails(r.To(journal.Verify), spec.ReasonUnverified, "1 criterion of 2 does not hold", "test -f never")
}

// TestVerify_nothing completes a spec without anything to check unless the project requires it; it is never verified.
func TestVerify_nothing(t *testing.T) {
	t.Parallel()
	for _, require := range []bool{false, true} {
		r := runtest.Start(t, "---\nstatus: pending\n---\n# Do it\n", func(s *attempt.Settings) { s.Verify.Require = require })
		r.Agent(map[string]string{"done.txt": "yes\n"})
		err := r.To(journal.Complete)
		if require {
			r.Fails(err, spec.ReasonNoCriteria)
		} else if err != nil {
			t.Error(err)
		}
		assert.False(t, r.Judge.Report.Verified, "require %v: nothing was checked, and it is verified", require)
	}
}

// TestCheckAt judges a commit later, in a worktree of its own that goes again.
func TestCheckAt(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(map[string]string{"done.txt": "yes\n"})
	s, err := r.OwnSpec(t.Context())
	assert.NoError(t, err)
	for commit, want := range map[string]bool{r.Git("rev-parse", r.Job.Branch): true, r.Git("rev-parse", "main"): false} {
		report, err := r.Judge.CheckAt(t.Context(), commit, s)
		assert.NoError(t, err)
		assert.Equal(t, want, report.Verified)
		assert.Equal(t, commit, report.Commit)
	}
	assert.Equal(t, 2, strings.Count(r.Git("worktree", "list", "--porcelain"), "worktree "))
}

// TestCheckHere judges a tree as it is, uncommitted files too.
func TestCheckHere(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	s, err := r.OwnSpec(t.Context())
	assert.NoError(t, err)
	for _, want := range []bool{false, true} {
		if want {
			r.Leave(map[string]string{"done.txt": "yes\n"})
		}
		report, err := r.Judge.CheckHere(t.Context(), r.Trees.Tree, s)
		assert.NoError(t, err)
		assert.Equal(t, want, report.Verified)
	}
	assert.Equal(t, "?? done.txt", enginetest.Git(t, r.Trees.Tree, "status", "--porcelain"), "the tree has changed:")
}

func TestUnmet(t *testing.T) {
	t.Parallel()
	verdict := func(n int, holds bool) criteria.Verdict {
		return criteria.Verdict{Number: n, Text: "text", Why: "why", Holds: holds}
	}
	var many []criteria.Verdict
	for n := range 12 {
		many = append(many, verdict(n+1, false))
	}
	for name, tc := range map[string]struct {
		verdicts []criteria.Verdict
		message  string
		details  int
	}{
		"one alone":  {[]criteria.Verdict{verdict(1, false)}, "the criterion does not hold: criterion 1: text (why)", 1},
		"one of two": {[]criteria.Verdict{verdict(1, true), verdict(2, false)}, "1 criterion of 2 does not hold: criterion 2: text (why)", 1},
		"many":       {many, "criterion 10: text (why); and 2 more", 12},
	} {
		f := judge.Unmet(tc.verdicts)
		assert.Contains(t, f.Message, tc.message, "%s", name)
		assert.Equal(t, tc.details, len(f.Details), "%s", name)
		assert.Equal(t, spec.ReasonUnverified, f.Kind, "%s", name)
	}
}
