package run_test

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

// silent is a run in a project that git ignores, up to where the agent would start.
func silent(t *testing.T) *runtest.Run {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Git(t, dir, "rm", "-r", "-q", "--cached", ".chant")
	enginetest.Commit(t, dir, map[string]string{".gitignore": "/.chant/\n"})
	enginetest.Write(t, dir, runtest.Own, runtest.Plain)
	r := runtest.New(t, p, dir, journal.Job{})
	assert.True(t, r.Job.Silent, "git does not ignore .chant")
	assert.NoError(t, r.Begin(t.Context(), true))
	assert.NoError(t, r.Through(t.Context(), journal.Branch, journal.Prompt))
	return r
}

// TestSilent_lands lands code alone where git ignores .chant: the status is in the checkout's file, and in no commit.
func TestSilent_lands(t *testing.T) {
	t.Parallel()
	r := silent(t)
	assert.Equal(t, spec.InProgress, r.Status())
	r.Agent(work())
	assert.NoError(t, r.To(journal.Clean))
	assert.Equal(t, spec.Completed, r.Status())
	assert.Equal(t, "yes\n", r.Target("done.txt"), "the work has not landed")
	assert.Equal(t, "", r.Git("log", "--all", "--oneline", "--", runtest.Own), "the spec is in history:")
	text := enginetest.Read(t, r.Dir, runtest.Own)
	assert.Contains(t, text, "status: completed", "the file is")
	assert.Contains(t, text, "test -f done.txt", "the file is")
}

// TestSilent_fails writes a failure into the checkout's file, and keeps the branch.
func TestSilent_fails(t *testing.T) {
	t.Parallel()
	r := silent(t)
	r.Agent(map[string]string{"other.txt": "x\n"})
	r.Fails(r.To(journal.Clean), spec.ReasonUnverified)
	assert.Equal(t, spec.Failed, r.Status())
	assert.Equal(t, "x", r.Git("show", r.Job.Branch+":other.txt"))
}

// TestSilent_tampered compares the checkout's file with what it was: an agent that rewrites the criteria there lands
// nothing.
func TestSilent_tampered(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"reworded": strings.Replace(runtest.Plain, "test -f done.txt", "true", 1),
		"removed":  "---\nstatus: in_progress\n---\n# Do it\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := silent(t)
			r.Agent(work())
			enginetest.Write(t, r.Dir, runtest.Own, text)
			r.Fails(r.To(journal.Clean), spec.ReasonTampered, "criterion")
			assert.Equal(t, "", r.Target("done.txt"), "it has landed")
		})
	}
}

// TestSilent_undone makes a spec pending again in its file when the run cannot be set up.
func TestSilent_undone(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Git(t, dir, "rm", "-r", "-q", "--cached", ".chant")
	enginetest.Commit(t, dir, map[string]string{".gitignore": "/.chant/\n"})
	enginetest.Write(t, dir, runtest.Own, runtest.Plain)
	r := runtest.New(t, p, dir, journal.Job{}, func(s *attempt.Settings) { s.SetupCmd = []string{"false"} })
	assert.NoError(t, r.Begin(t.Context(), true))
	r.Fails(r.Through(t.Context(), journal.Branch, journal.Setup), spec.ReasonSetup)
	assert.Equal(t, spec.Pending, r.Status())
	assert.Error(t, enginetest.TryGit(t, dir, "rev-parse", "-q", "--verify", r.Job.Branch), "the branch is there")
	_, err := os.Lstat(filepath.Join(dir, ".chant", "worktrees", runtest.ID))
	assert.Error(t, err, "the worktree is there")
}

// TestApproveWork holds complete work until a person has approved that very work.
func TestApproveWork(t *testing.T) {
	t.Parallel()
	ask := func(s *attempt.Settings) { s.ApproveWork = true }
	r := runtest.Start(t, runtest.Plain, ask)
	r.Agent(work())
	assert.NoError(t, r.Begin(t.Context(), false))
	assert.NoError(t, r.Journal.Record(journal.Agent, journal.Begin, nil))
	assert.NoError(t, r.To(journal.Clean))
	assert.NotEqual(t, "", r.Waits)
	assert.False(t, r.Lander.Landed, "%v %v", r.Waits, r.Lander.Landed)
	assert.Equal(t, "", r.Target("done.txt"))
	assert.Equal(t, spec.Completed, r.Status())
	again := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1}, ask)
	again.Fails(again.Guard.MayCatchUp(t.Context()), spec.ReasonUnapproved, "waits for approval")
	own, err := again.OwnSpec(t.Context())
	assert.NoError(t, err)
	assert.True(t, own.Fields.Approval != nil, "%+v, %v", own.Fields.Approval, err)
	assert.NotEqual(t, "", own.Fields.Approval.Work)
	forged := strings.Replace(r.Git("show", r.Job.Branch+":"+runtest.Own)+"\n", "status: pending\n  work:", "status: approved\n  by: agent\n  work:", 1)
	enginetest.Write(t, r.Trees.Tree, runtest.Own, forged)
	enginetest.Git(t, r.Trees.Tree, "commit", "-q", "-a", "-m", "approved by myself")
	again = runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1}, ask)
	assert.Error(t, again.Guard.MayCatchUp(t.Context()), "work lands that its agent has approved")
}
