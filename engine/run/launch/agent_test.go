package launch_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/providers"
	"chant/providers/secret"
	"chant/providers/wall"
)

// scripted is a run up to its agent, which is a script.
func scripted(t *testing.T, script string, change ...func(*attempt.Settings)) *runtest.Run {
	t.Helper()
	r := runtest.Start(t, enginetest.ShellSpec("", script)+"\n## Acceptance Criteria\n\n- [ ] It is done `$ test -f done.txt`\n", append([]func(*attempt.Settings){func(s *attempt.Settings) { s.Timeout = time.Minute }}, change...)...)
	var err error
	if r.Launcher.Provider, err = usage.Provider(r.P, "shell"); err != nil {
		t.Fatal(err)
	}
	return r
}

// runs takes up the attempt and runs its agent alone.
func runs(ctx context.Context, r *runtest.Run) error {
	r.T.Helper()
	if err := r.Begin(r.T.Context(), false); err != nil {
		r.T.Fatal(err)
	}
	return r.Through(ctx, journal.Agent, journal.Agent)
}

// TestRunAgent reports how an agent has ended, and keeps what it printed.
func TestRunAgent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		script string
		ok     bool
		reason string
		log    string
	}{
		"works":           {"echo hello; touch done.txt", true, "", "hello"},
		"fails":           {"echo trouble >&2; exit 3", false, "3", "trouble"},
		"knows its place": {"test -d .git -o -f .git && test -n \"$CHANT_RUN_ID\" && pwd", true, "", runtest.ID},
		"knows its spec":  {"echo spec $CHANT_SPEC_ID attempt $CHANT_ATTEMPT", true, "", "spec " + runtest.ID},
		"has no input":    {"read line || echo closed", true, "", "closed"},
		"has no terminal": {"test -t 1 || echo none", true, "", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := scripted(t, tc.script)
			if err := runs(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			a := r.Run.Agent
			if a.OK != tc.ok || !strings.Contains(a.Reason, tc.reason) {
				t.Errorf("%+v", a)
			}
			if log := enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log"); !strings.Contains(log, tc.log) {
				t.Errorf("%q is not in the log:\n%s", tc.log, log)
			}
		})
	}
}

// TestRunAgent_limits ends an agent that takes longer than it may, or prints nothing for too long, with all it has
// started.
func TestRunAgent_limits(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		script string
		change func(*attempt.Settings)
		reason string
	}{
		"time":    {"sleep 600 & sleep 600", func(s *attempt.Settings) { s.Timeout = 300 * time.Millisecond }, "time limit"},
		"silence": {"echo one; sleep 600", func(s *attempt.Settings) { s.Silence = 300 * time.Millisecond }, "no output"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := scripted(t, tc.script, tc.change)
			if err := runs(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if a := r.Run.Agent; a.OK || !strings.Contains(a.Reason, tc.reason) {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestRunAgent_shared ends an agent by a limit that it shares with others, while it works.
func TestRunAgent_shared(t *testing.T) {
	t.Parallel()
	r := scripted(t, "sleep 600")
	began := time.Now()
	r.Launcher.TimeLeft = func() (time.Duration, string) {
		return 300*time.Millisecond - time.Since(began), "time limit of the day reached"
	}
	if err := runs(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if a := r.Run.Agent; a.OK || !strings.Contains(a.Reason, "time limit of the day reached") {
		t.Errorf("%+v", a)
	}
}

// TestRunAgent_stopped ends the agent with its run; what it has left is committed, and the spec is paused.
func TestRunAgent_stopped(t *testing.T) {
	t.Parallel()
	r := scripted(t, "echo half > half.txt; sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	left := make(chan struct{})
	r.OnStep = func(step journal.Step, state journal.State) {
		if step == journal.Agent && state == journal.Note {
			go func() { // until the agent has written its file
				defer close(left)
				tick := time.NewTicker(5 * time.Millisecond)
				defer tick.Stop()
				for range tick.C {
					if src, err := os.ReadFile(filepath.Join(r.Tree, "half.txt")); err == nil && len(src) > 0 || ctx.Err() != nil {
						cancel()
						return
					}
				}
			}()
		}
	}
	err := runs(ctx, r)
	<-left
	if err == nil {
		t.Fatal("it was not stopped")
	}
	if got := r.Status(); got != spec.Paused {
		t.Errorf("status %s", got)
	}
	if got := r.Git("show", r.Job.Branch+":half.txt"); got != "half" {
		t.Errorf("what it left is %q", got)
	}
	h, err := journal.ReadHistory(r.P.Store, runtest.ID)
	if err != nil || h.Last().Process == nil {
		t.Fatalf("%+v, %v", h.Last(), err)
	}
	if providers.Alive(*h.Last().Process) {
		t.Error("the agent is alive")
	}
}

// TestRunAgent_journal writes down the agent's process and session, so that another process finds both.
func TestRunAgent_journal(t *testing.T) {
	t.Parallel()
	r := scripted(t, "touch done.txt")
	if err := runs(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	h, err := journal.ReadHistory(r.P.Store, runtest.ID)
	if err != nil {
		t.Fatal(err)
	}
	last := h.Last()
	if last.Process == nil || last.Before == nil || last.Agent == nil || !last.Agent.OK || len(last.Sessions) != 1 || !last.Sessions[0].Ended || last.Sessions[0].Number != 1 {
		t.Errorf("%+v", last)
	}
}

// TestRunAgent_secrets keeps the secrets of the environment out of the log.
func TestRunAgent_secrets(t *testing.T) {
	t.Parallel()
	r := scripted(t, "echo the key is tok-0123456789abcdef")
	r.Environ = append(r.Environ, "SERVICE_TOKEN=tok-0123456789abcdef")
	r.Secrets = secret.From(r.Environ...)
	if err := runs(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if log := enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log"); strings.Contains(log, "tok-0123456789abcdef") || !strings.Contains(log, "the key is") {
		t.Errorf("the log is\n%s", log)
	}
}

// TestRunAgent_behind finds what the agent did where no branch shows it: nothing of the run lands then.
func TestRunAgent_behind(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ script, words string }{
		"a hook":          {"touch done.txt; printf '#!/bin/sh\\n' > \"$(git rev-parse --git-common-dir)/hooks/post-merge\" || { mkdir -p \"$(git rev-parse --git-common-dir)/hooks\"; printf '#!/bin/sh\\n' > \"$(git rev-parse --git-common-dir)/hooks/post-merge\"; }", "post-merge"},
		"a setting":       {"touch done.txt; git config merge.ours.driver true", "merge.ours.driver"},
		"the branch gone": {"touch done.txt; git switch -q --detach; git branch -q -D chant/" + runtest.ID, "branch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := scripted(t, tc.script)
			r.Settings.Sandbox.Mode = config.SandboxOff
			if err := r.Begin(t.Context(), false); err != nil {
				t.Fatal(err)
			}
			err := r.Through(t.Context(), journal.Agent, journal.Clean)
			if err == nil || !strings.Contains(err.Error(), tc.words) {
				t.Fatalf("%v", err)
			}
			if r.Target("done.txt") != "" {
				t.Error("it has landed")
			}
		})
	}
}

// TestRunAgent_walled: behind a wall the agent writes to its worktree, its branch and its temporary folder alone. What was
// refused is in the log and in the reason, and nothing is left of the temporary folder.
func TestRunAgent_walled(t *testing.T) {
	t.Parallel()
	if s := wall.Supported(); !s.Available {
		t.Skip(s.Why)
	}
	r := scripted(t, `echo yes > done.txt; git add done.txt; git -c user.name=a -c user.email=a@b commit -qm work; f=$(mktemp); echo x > "$f"; echo "temporary $f"
		home=$(dirname "$(git rev-parse --git-common-dir)")
		touch "$home/stray" || true; git tag mine || true; git branch other || true; touch "$home"/.git/chant/locks/* || true; kill -9 $PPID || true; false`)
	if err := r.Begin(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	err := r.Through(t.Context(), journal.Agent, journal.Clean)
	if err == nil || !strings.Contains(err.Error(), "outside of the run; allow it with sandbox.write") {
		t.Errorf("%v", err)
	}
	if r.Git("log", "-1", "--format=%s", "chant/"+runtest.ID+"^{/work}") != "work" {
		t.Error("the commit of the agent is missing")
	}
	if tags := r.Git("for-each-ref", "--format=%(refname)", "refs/tags", "refs/heads/other"); tags != "" {
		t.Errorf("refs were made: %s", tags)
	}
	log := enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log")
	for _, want := range []string{"sandbox: on (", "stray\" is outside of the run", "agent ended: exit code 1"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
	_, temp, _ := strings.Cut(log, "temporary ")
	temp, _, _ = strings.Cut(temp, "\n")
	if _, err := os.Stat(filepath.Dir(temp)); !os.IsNotExist(err) || !filepath.IsAbs(temp) {
		t.Errorf("the temporary folder of %q: %v", temp, err)
	}
}

// TestPlan renders what a run would start, without a branch, a worktree or a process.
func TestPlan(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{runtest.Own: enginetest.ShellSpec("", "touch done.txt")})
	r := runtest.New(t, p, dir, journal.Job{})
	var err error
	if r.Launcher.Provider, err = usage.Provider(p, "shell"); err != nil {
		t.Fatal(err)
	}
	s, err := p.Store.Get(t.Context(), runtest.ID)
	if err != nil {
		t.Fatal(err)
	}
	before := r.Git("for-each-ref") + r.Git("worktree", "list")
	planned, err := r.Launcher.Plan(t.Context(), s)
	if err != nil || planned.Prompt == "" || planned.Launch.Path == "" {
		t.Fatalf("%+v, %v", planned, err)
	}
	if after := r.Git("for-each-ref") + r.Git("worktree", "list"); after != before {
		t.Errorf("was\n%s\nis\n%s", before, after)
	}
	if r.Tree != "" {
		t.Errorf("the run has got the worktree %q", r.Tree)
	}
}
