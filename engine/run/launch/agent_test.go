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

	"github.com/alecthomas/assert/v2"
)

// scripted is a run up to its agent, which is a script.
func scripted(t *testing.T, script string, change ...func(*attempt.Settings)) *runtest.Run {
	t.Helper()
	r := runtest.Start(t, enginetest.ShellSpec("", script)+"\n## Acceptance Criteria\n\n- [ ] It is done `$ test -f done.txt`\n", append([]func(*attempt.Settings){func(s *attempt.Settings) { s.Timeout = time.Minute }}, change...)...)
	var err error
	r.Launcher.Provider, err = usage.Provider(r.P, "shell")
	assert.NoError(t, err)
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
			assert.NoError(t, runs(t.Context(), r))
			a := r.Launcher.Agent
			assert.Equal(t, tc.ok, a.OK)
			assert.Contains(t, a.Reason, tc.reason)
			assert.Contains(t, enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log"), tc.log)
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
			assert.NoError(t, runs(t.Context(), r))
			a := r.Launcher.Agent
			assert.False(t, a.OK, "%+v", a)
			assert.Contains(t, a.Reason, tc.reason)
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
	assert.NoError(t, runs(t.Context(), r))
	a := r.Launcher.Agent
	assert.False(t, a.OK, "%+v", a)
	assert.Contains(t, a.Reason, "time limit of the day reached")
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
					if src, err := os.ReadFile(filepath.Join(r.Trees.Tree, "half.txt")); err == nil && len(src) > 0 || ctx.Err() != nil {
						cancel()
						return
					}
				}
			}()
		}
	}
	err := runs(ctx, r)
	<-left
	assert.Error(t, err, "it was not stopped")
	assert.Equal(t, spec.Paused, r.Status())
	assert.Equal(t, "half", r.Git("show", r.Job.Branch+":half.txt"), "what it left")
	h, err := journal.ReadHistory(r.P.Store, runtest.ID)
	if err != nil || h.Last().Process == nil {
		t.Fatalf("%+v, %v", h.Last(), err)
	}
	assert.False(t, providers.Alive(*h.Last().Process), "the agent is alive")
}

// TestRunAgent_journal writes down the agent's process and session, so that another process finds both.
func TestRunAgent_journal(t *testing.T) {
	t.Parallel()
	r := scripted(t, "touch done.txt")
	assert.NoError(t, runs(t.Context(), r))
	h, err := journal.ReadHistory(r.P.Store, runtest.ID)
	assert.NoError(t, err)
	last := h.Last()
	assert.NotZero(t, last.Process)
	assert.True(t, last.Before != nil, "%+v", last)
	assert.True(t, last.Agent != nil, "%+v", last)
	assert.True(t, last.Agent.OK, "%+v", last)
	assert.Equal(t, 1, len(last.Sessions))
	assert.True(t, last.Sessions[0].Ended, "%+v", last)
	assert.Equal(t, 1, last.Sessions[0].Number)
}

// TestRunAgent_secrets keeps the secrets of the environment out of the log.
func TestRunAgent_secrets(t *testing.T) {
	t.Parallel()
	r := scripted(t, "echo the key is tok-0123456789abcdef")
	r.Environ = append(r.Environ, "SERVICE_TOKEN=tok-0123456789abcdef")
	r.Secrets.Learn(secret.From(r.Environ...))
	assert.NoError(t, runs(t.Context(), r))
	log := enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log")
	assert.NotContains(t, log, "tok-0123456789abcdef", "the log is")
	assert.Contains(t, log, "the key is", "the log is")
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
			assert.NoError(t, r.Begin(t.Context(), false))
			err := r.Through(t.Context(), journal.Agent, journal.Clean)
			assert.Error(t, err)
			assert.Contains(t, err.Error(), tc.words)
			assert.Equal(t, "", r.Target("done.txt"), "it has landed")
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
	assert.NoError(t, r.Begin(t.Context(), false))
	err := r.Through(t.Context(), journal.Agent, journal.Clean)
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "outside of the run; allow it with sandbox.write")
	assert.Equal(t, "work", r.Git("log", "-1", "--format=%s", "chant/"+runtest.ID+"^{/work}"), "the commit of the agent is missing")
	assert.Equal(t, "", r.Git("for-each-ref", "--format=%(refname)", "refs/tags", "refs/heads/other"), "refs were made")
	log := enginetest.Read(t, r.Dir, ".chant/logs/"+runtest.ID+".log")
	for _, want := range []string{"sandbox: on (", "stray\" is outside of the run", "agent ended: exit code 1"} {
		assert.Contains(t, log, want)
	}
	_, temp, _ := strings.Cut(log, "temporary ")
	temp, _, _ = strings.Cut(temp, "\n")
	_, err = os.Stat(filepath.Dir(temp))
	assert.True(t, os.IsNotExist(err), "the temporary folder of %q: %v", temp, err)
	assert.True(t, filepath.IsAbs(temp), "the temporary folder of %q: %v", temp, err)
}

// TestPlan renders what a run would start, without a branch, a worktree or a process.
func TestPlan(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{runtest.Own: enginetest.ShellSpec("", "touch done.txt")})
	r := runtest.New(t, p, dir, journal.Job{})
	var err error
	r.Launcher.Provider, err = usage.Provider(p, "shell")
	assert.NoError(t, err)
	s, err := p.Store.Get(t.Context(), runtest.ID)
	assert.NoError(t, err)
	before := r.Git("for-each-ref") + r.Git("worktree", "list")
	planned, err := r.Launcher.Plan(t.Context(), s)
	assert.NoError(t, err)
	assert.NotEqual(t, "", planned.Prompt)
	assert.NotEqual(t, "", planned.Launch.Path)
	assert.Equal(t, before, r.Git("for-each-ref")+r.Git("worktree", "list"))
	assert.Equal(t, "", r.Trees.Tree, "the run has got the worktree")
}
