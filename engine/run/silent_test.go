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
)

// silent is a run in a project that git ignores, up to where the agent would start.
func silent(t *testing.T) *runtest.Run {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Git(t, dir, "rm", "-r", "-q", "--cached", ".chant")
	enginetest.Commit(t, dir, map[string]string{".gitignore": "/.chant/\n"})
	enginetest.Write(t, dir, runtest.Own, runtest.Plain)
	r := runtest.New(t, p, dir, journal.Job{})
	if !r.Job.Silent {
		t.Fatal("git does not ignore .chant")
	}
	if err := r.Begin(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if err := r.Through(t.Context(), journal.Branch, journal.Prompt); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSilent_lands lands code alone where git ignores .chant: the status is in the checkout's file, and in no commit.
func TestSilent_lands(t *testing.T) {
	t.Parallel()
	r := silent(t)
	if got := r.Status(); got != spec.InProgress {
		t.Errorf("status %s", got)
	}
	r.Agent(work())
	if err := r.To(journal.Clean); err != nil {
		t.Fatal(err)
	}
	if got := r.Status(); got != spec.Completed {
		t.Errorf("status %s", got)
	}
	if r.Target("done.txt") != "yes\n" {
		t.Error("the work has not landed")
	}
	if got := r.Git("log", "--all", "--oneline", "--", runtest.Own); got != "" {
		t.Errorf("the spec is in history:\n%s", got)
	}
	if text := enginetest.Read(t, r.Dir, runtest.Own); !strings.Contains(text, "status: completed") || !strings.Contains(text, "test -f done.txt") {
		t.Errorf("the file is\n%s", text)
	}
}

// TestSilent_fails writes a failure into the checkout's file, and keeps the branch.
func TestSilent_fails(t *testing.T) {
	t.Parallel()
	r := silent(t)
	r.Agent(map[string]string{"other.txt": "x\n"})
	r.Fails(r.To(journal.Clean), spec.ReasonUnverified)
	if got := r.Status(); got != spec.Failed {
		t.Errorf("status %s", got)
	}
	if got := r.Git("show", r.Job.Branch+":other.txt"); got != "x" {
		t.Errorf("the branch has %q", got)
	}
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
			if r.Target("done.txt") != "" {
				t.Error("it has landed")
			}
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
	if err := r.Begin(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	r.Fails(r.Through(t.Context(), journal.Branch, journal.Setup), spec.ReasonSetup)
	if got := r.Status(); got != spec.Pending {
		t.Errorf("status %s", got)
	}
	if enginetest.TryGit(t, dir, "rev-parse", "-q", "--verify", r.Job.Branch) == nil {
		t.Error("the branch is there")
	}
	if _, err := os.Lstat(filepath.Join(dir, ".chant", "worktrees", runtest.ID)); err == nil {
		t.Error("the worktree is there")
	}
}

// TestApproveWork holds complete work until a person has approved that very work.
func TestApproveWork(t *testing.T) {
	t.Parallel()
	ask := func(s *attempt.Settings) { s.ApproveWork = true }
	r := runtest.Start(t, runtest.Plain, ask)
	r.Agent(work())
	r.Run.Agent = &journal.AgentReport{OK: true}
	if err := r.To(journal.Clean); err != nil {
		t.Fatal(err)
	}
	if r.Waits == "" || r.Landed || r.Target("done.txt") != "" || r.Status() != spec.Completed {
		t.Fatalf("waits %q, landed %v, status %s", r.Waits, r.Landed, r.Status())
	}
	again := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1}, ask)
	again.Fails(again.Guard.MayCatchUp(t.Context()), spec.ReasonUnapproved, "waits for approval")
	own, err := again.OwnSpec(t.Context())
	if err != nil || own.Fields.Approval == nil || own.Fields.Approval.Work == "" {
		t.Fatalf("%+v, %v", own.Fields.Approval, err)
	}
	forged := strings.Replace(r.Git("show", r.Job.Branch+":"+runtest.Own)+"\n", "status: pending\n  work:", "status: approved\n  by: agent\n  work:", 1)
	enginetest.Write(t, r.Tree, runtest.Own, forged)
	enginetest.Git(t, r.Tree, "commit", "-q", "-a", "-m", "approved by myself")
	again = runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1}, ask)
	if err := again.Guard.MayCatchUp(t.Context()); err == nil {
		t.Error("work lands that its agent has approved")
	}
}
