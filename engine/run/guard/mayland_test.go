package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// done is what an honest agent leaves.
func done(more ...string) map[string]string {
	files := map[string]string{"done.txt": "yes\n"}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

// TestCollect_forbidden has an agent do its work and, beside it, what it may not. Nothing of it lands, the branch keeps
// all, and the spec needs attention.
func TestCollect_forbidden(t *testing.T) {
	t.Parallel()
	other := ".chant/specs/2026-01-01-009-zzz.md"
	protect := func(s *attempt.Settings) { s.Verify.Protect = []string{"*.lock", "ci/**"} }
	for name, tc := range map[string]struct {
		agent map[string]string
		words []string
	}{
		"a criterion reworded":  {done(runtest.Own, strings.Replace(runtest.Plain, "test -f done.txt", "true", 1)), []string{"criterion"}},
		"a criterion removed":   {done(runtest.Own, "---\nstatus: in_progress\n---\n# Do it\n\n## Acceptance Criteria\n\n- [ ] Another\n"), []string{"criterion"}},
		"all criteria removed":  {done(runtest.Own, "---\nstatus: in_progress\n---\n# Do it\n"), []string{"criterion"}},
		"approval given":        {done(runtest.Own, strings.Replace(runtest.Plain, "status: pending", "status: in_progress\napproval:\n  required: true\n  status: approved\n  by: agent", 1)), []string{"approval"}},
		"checks of its own":     {done(runtest.Own, strings.Replace(runtest.Plain, "status: pending", "status: in_progress\nverify: []", 1)), []string{"verify"}},
		"settings":              {done(".chant/config.md", "---\nverify:\n  require: false\n---\n"), []string{".chant/config.md was changed"}},
		"another spec":          {done(other, "---\nstatus: completed\n---\n# Other\n"), []string{other + " was changed"}},
		"another spec removed":  {done(other, ""), []string{other + " was deleted"}},
		"a new spec":            {done(".chant/specs/2026-01-01-010-new.md", "# New\n"), []string{"was added"}},
		"another case":          {done(".CHANT/config.md", "x\n"), []string{".CHANT/config.md was added"}},
		"a protected file":      {done("go.lock", "x\n"), []string{"go.lock is protected and was added"}},
		"a protected file deep": {done("ci/a/b.yml", "x\n"), []string{"ci/a/b.yml is protected"}},
		"two things at once":    {done("go.lock", "x\n", ".chant/prompts/p.md", "x\n"), []string{"go.lock", ".chant/prompts/p.md"}},
	} {
		for _, way := range []string{"committed", "left"} {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				p, dir := enginetest.Project(t)
				enginetest.Commit(t, dir, map[string]string{other: "---\nstatus: pending\n---\n# Other\n"})
				r := runtest.Of(t, p, dir, runtest.Plain, protect)
				main := r.Git("rev-parse", "main")
				if way == "left" {
					r.Leave(tc.agent)
				} else {
					r.Agent(tc.agent)
				}
				r.Fails(r.To(journal.Clean), spec.ReasonTampered, tc.words...)
				assert.Equal(t, spec.NeedsAttention, r.Status())
				assert.Equal(t, main, r.Git("rev-parse", "main"))
				assert.Equal(t, "yes", r.Git("show", r.Job.Branch+":done.txt"))
			})
		}
	}
}

// TestCollect_otherRun has an agent merge the branch of another run, whose spec is named. What the target has of other runs, an agent
// may merge.
func TestCollect_otherRun(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		message string // of the commit that is merged
		landed  bool   // the target has it
		stopped bool
	}{
		"unfinished":             {"chant(2026-01-01-009-zzz): start\n\nChant-Spec: 2026-01-01-009-zzz\nChant-Event: start\nChant-Attempt: 1\n", false, true},
		"a replay":               {"x\n\nChant-Spec: 2026-01-01-009-zzz\nChant-Event: replay\n", false, true},
		"landed":                 {"x\n\nChant-Spec: 2026-01-01-009-zzz\nChant-Event: start\n", true, false},
		"its own spec":           {"x\n\nChant-Spec: " + runtest.ID + "\nChant-Event: start\n", false, false},
		"a commit of a person":   {"start work on 2026-01-01-009-zzz", false, false},
		"another event of chant": {"x\n\nChant-Spec: 2026-01-01-009-zzz\nChant-Event: add\n", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			other := strings.TrimSpace(r.Git("commit-tree", "-p", "main", "-m", tc.message, "main^{tree}"))
			if tc.landed {
				r.Git("merge", "-q", "--ff-only", other)
			}
			r.Agent(done())
			enginetest.Git(t, r.Trees.Tree, "merge", "-q", "-s", "ours", "--no-edit", other)
			err := r.To(journal.Clean)
			if !tc.stopped {
				assert.NoError(t, err)
				return
			}
			r.Fails(err, spec.ReasonTampered, "the branch has commit "+other[:7]+", with which the run of spec 2026-01-01-009-zzz began")
			assert.NoError(t, runtest.Asked(r, true).Guard.CheckUntampered(t.Context()), "a person accepts it")
		})
	}
}

// TestCollect_unreadable has an agent leave its spec in a form that nothing can read: it is put back, and what the
// agent wrote stays in the history.
func TestCollect_unreadable(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(done(runtest.Own, "---\nstatus: [\n---\n# Broken\n"))
	r.Fails(r.To(journal.Clean), spec.ReasonTampered, "can no longer be read", "put back")
	assert.Contains(t, r.Git("show", r.Job.Branch+":"+runtest.Own), "test -f done.txt", "the branch has")
	assert.Contains(t, r.Git("log", "-p", "main.."+r.Job.Branch, "--", runtest.Own), "# Broken", "what the agent wrote is gone from the history")
}

// TestCollect_links has an agent commit links: those that leave the repository are reported, others are work.
func TestCollect_links(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		at, to string
		bad    bool
	}{
		"inside":           {"docs/link", "../done.txt", false},
		"to nothing":       {"link", "missing", false},
		"absolute":         {"link", "/etc/passwd", true},
		"above":            {"link", "../outside", true},
		"above, from deep": {"a/b/link", "../../../outside", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			r.Leave(done())
			link := filepath.Join(r.Trees.Tree, filepath.FromSlash(tc.at))
			assert.NoError(t, os.MkdirAll(filepath.Dir(link), 0o755))
			if err := os.Symlink(tc.to, link); err != nil {
				t.Skipf("this system makes no links: %v", err)
			}
			err := r.To(journal.Complete)
			if tc.bad {
				r.Fails(err, spec.ReasonTampered, tc.at+" is a link that leads out of the repository")
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCollect_strayed has an agent leave the worktree in a state that is not the run's.
func TestCollect_strayed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		agent func(r *runtest.Run)
		words string
	}{
		"another branch": {func(r *runtest.Run) { enginetest.Git(r.T, r.Trees.Tree, "switch", "-q", "-c", "mine") }, `is on "mine", not on`},
		"no branch":      {func(r *runtest.Run) { enginetest.Git(r.T, r.Trees.Tree, "switch", "-q", "--detach") }, "is on no branch"},
		"history rewritten": {func(r *runtest.Run) {
			enginetest.Git(r.T, r.Trees.Tree, "reset", "-q", "--hard", "main")
			r.Agent(done())
		}, "was rewritten during the run"},
		"merged by itself": {func(r *runtest.Run) { r.Git("merge", "-q", "--no-edit", r.Job.Branch) }, "merged before it was completed"},
		"an unfinished merge": {func(r *runtest.Run) {
			enginetest.Commit(r.T, r.Dir, map[string]string{"done.txt": "no\n"})
			_ = enginetest.TryGit(r.T, r.Trees.Tree, "merge", "main")
		}, "unresolved conflicts in done.txt"},
		"a repository inside": {func(r *runtest.Run) {
			inner := filepath.Join(r.Trees.Tree, "inner")
			enginetest.Git(r.T, r.Trees.Tree, "init", "-q", inner)
			enginetest.Write(r.T, inner, "a", "b")
			enginetest.Git(r.T, inner, "add", "-A")
			enginetest.Git(r.T, inner, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x")
		}, "a repository of its own in inner"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			r.Agent(done())
			tc.agent(r)
			r.Fails(r.To(journal.Clean), spec.ReasonStrayed, tc.words)
			assert.Equal(t, spec.NeedsAttention, r.Status())
		})
	}
}

// TestCollect_nothing has an agent do nothing at all.
func TestCollect_nothing(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	err := r.To(journal.Clean)
	r.Fails(err, spec.ReasonAgent)
	assert.Equal(t, spec.Failed, r.Status())
}

// TestGate_afterCompletion changes things between the completion of a spec and its landing. What no longer is what was
// judged does not land.
func TestGate_afterCompletion(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(r *runtest.Run)
		kind   spec.ReasonCode
		words  string
	}{
		"work added": {func(r *runtest.Run) { r.Agent(map[string]string{"more.txt": "x\n"}) }, spec.ReasonChanged, `which change "more.txt"`},
		"branch rewritten": {func(r *runtest.Run) {
			enginetest.Git(r.T, r.Trees.Tree, "commit", "-q", "--amend", "-m", "other")
		}, spec.ReasonChanged, "was rewritten since the spec was completed"},
		"target gone": {func(r *runtest.Run) { r.Git("branch", "-m", "main", "trunk") }, spec.ReasonTargetGone, `"trunk" has its commits`},
		"target rewound": {func(r *runtest.Run) {
			r.Git("commit", "-q", "--allow-empty", "-m", "other")
			r.Git("reset", "-q", "--hard", "HEAD~2")
		}, spec.ReasonMoved, "was rewound or rewritten"},
		"cancelled on the target": {func(r *runtest.Run) {
			enginetest.Commit(r.T, r.Dir, map[string]string{runtest.Own: strings.Replace(runtest.Plain, "pending", "cancelled", 1)})
		}, spec.ReasonWithdrawn, "was cancelled on"},
		"rejected on the target": {func(r *runtest.Run) {
			enginetest.Commit(r.T, r.Dir, map[string]string{runtest.Own: strings.Replace(runtest.Plain, "status: pending", "status: pending\napproval:\n  status: rejected\n  by: Ada", 1)})
		}, spec.ReasonWithdrawn, "was rejected"},
		"rejected, not committed": {func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, runtest.Own, strings.Replace(runtest.Plain, "status: pending", "status: pending\napproval:\n  status: rejected\n  by: Ada", 1))
		}, spec.ReasonWithdrawn, "was rejected"},
		"approval asked for since": {func(r *runtest.Run) {
			enginetest.Commit(r.T, r.Dir, map[string]string{runtest.Own: strings.Replace(runtest.Plain, "status: pending", "status: pending\napproval:\n  required: true\n  status: pending", 1)})
		}, spec.ReasonUnapproved, "waits for approval"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			r.Agent(done())
			r.Completed()
			tc.change(r)
			r.Fails(r.Lands(), tc.kind, tc.words)
			assert.Equal(t, "", r.Target("done.txt"), "it has landed")
			assert.False(t, r.Lander.Landed, "it has landed")
			_, err := r.P.Repo.Resolve(t.Context(), "refs/heads/"+r.Job.Branch)
			assert.NoError(t, err, "the branch is gone")
		})
	}
}

// TestGate_foreign lands no branch that chant has not completed in this repository.
func TestGate_foreign(t *testing.T) {
	t.Parallel()
	r := runtest.Start(t, runtest.Plain)
	r.Agent(done(runtest.Own, strings.Replace(runtest.Plain, "pending", "completed", 1)))
	r.Fails(r.Lands(), spec.ReasonForeign, "was not completed by chant in this repository")
}

// TestBehind finds what an agent changes where no branch shows it.
func TestBehind(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		agent func(r *runtest.Run)
		words string
	}{
		"nothing":       {func(*runtest.Run) {}, ""},
		"a hook":        {func(r *runtest.Run) { enginetest.Write(r.T, r.Dir, ".git/hooks/pre-commit", "#!/bin/sh\n") }, `git hook "pre-commit" was added`},
		"a setting":     {func(r *runtest.Run) { r.Git("config", "core.hooksPath", "/tmp/x") }, "core.hookspath"},
		"an alias":      {func(r *runtest.Run) { r.Git("config", "alias.st", "!true") }, "alias.st"},
		"attributes":    {func(r *runtest.Run) { enginetest.Write(r.T, r.Dir, ".git/info/attributes", "* filter=x\n") }, "info/attributes"},
		"home settings": {func(r *runtest.Run) { enginetest.Write(r.T, r.Dir, ".chant/config.md", "---\nverify: true\n---\n") }, ".chant/config.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, runtest.Plain)
			before, err := r.Guard.RecordAround(t.Context(), nil)
			assert.NoError(t, err)
			tc.agent(r)
			found, err := r.Guard.SideEffects(t.Context(), before)
			assert.NoError(t, err)
			got := strings.Join(found.Behind, "\n")
			assert.Contains(t, got, tc.words)
			assert.False(t, tc.words == "" && got != "", "found %q, want %q", got, tc.words)
		})
	}
}
