package enginetest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/advice"
	"chant/engine/view"
	"chant/engine/work/queue"
	"chant/gitops/lockfile"
)

// TestGlance: the step in the journal and the end of the log show whether a run is running or
// waiting.
func TestGlance(t *testing.T) {
	t.Parallel()
	began := []string{"agent started"}
	for name, tc := range map[string]struct {
		lines []string // 10 s apart, the last one quiet ago
		quiet time.Duration
		step  journal.Step
		want  advice.Glance
	}{
		"at work":             {append(began, "thinking"), 4 * time.Minute, journal.Agent, advice.Glance{State: advice.Running}},
		"silent":              {append(began, "\x1b[31mthinking\x07"), 6 * time.Minute, journal.Agent, advice.Glance{State: advice.Waiting, LastLine: "[31mthinking", Quiet: 360}},
		"silent from the end": {began, 5 * time.Minute, journal.Agent, advice.Glance{State: advice.Waiting, LastLine: began[0], Quiet: 300}},
		"asks":                {append(began, "asks: Password:"), time.Second, journal.Agent, advice.Glance{State: advice.Waiting, LastLine: "Password:", Quiet: 1}},
		"asks with choices":   {append(began, "asks: Trust?", "1. Yes", "2. No"), time.Second, journal.Agent, advice.Glance{State: advice.Waiting, LastLine: "Trust?", Quiet: 1}},
		"asked and answered":  {append(began, "asks: Trust?", "a", "b", "c", "d", "e"), time.Second, journal.Agent, advice.Glance{State: advice.Running}},
		"denied":              {append(began, "denied: Bash not allowed"), 0, journal.Agent, advice.Glance{State: advice.Waiting, LastLine: "denied: Bash not allowed", Quiet: 0}},
		"denied, continues":   {append(began, "denied: Bash not allowed", "Then without it"), 0, journal.Agent, advice.Glance{State: advice.Running}},
		"criteria":            {append(began, "asks: Password:"), time.Hour, journal.Verify, advice.Glance{State: advice.Running}},
		"log is full":         {append(began, "(log cut at 64 MiB; the rest is dropped)"), time.Hour, journal.Agent, advice.Glance{State: advice.Running}},
		"no log":              {nil, 0, journal.Agent, advice.Glance{State: advice.Running}},
		"long":                {append(began, strings.Repeat("é", 9000)), 6 * time.Minute, journal.Agent, advice.Glance{State: advice.Waiting, LastLine: "", Quiet: 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := Project(t)
			id := "2026-01-02-001-abc"
			makeRunning(t, p, dir, id, tc.step)
			writeLog(p, t, id, tc.lines, tc.quiet)
			r, err := view.List(t.Context(), p, view.ListInput{})
			if err != nil || len(r.Specs) != 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			s, err := p.Store.Get(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			got := advice.GlanceAt(p, &s.Spec)
			if name == "long" {
				if got.State != advice.Waiting || len([]rune(got.LastLine)) > advice.LineRunes+1 {
					t.Errorf("%q, %d characters", got.State, len([]rune(got.LastLine)))
				}
				return
			}
			if got != tc.want || r.Specs[0].Run != got.State || r.Specs[0].LastLine != got.LastLine {
				t.Errorf("got %+v, in the list %q %q; want %+v", got, r.Specs[0].Run, r.Specs[0].LastLine, tc.want)
			}
			p.Config.Limits.Waiting = 0
			if got := advice.GlanceAt(p, &s.Spec); strings.HasPrefix(name, "silent") && got.State != advice.Running {
				t.Errorf("waiting, although that is turned off: %+v", got)
			}
		})
	}
}

// TestGlance_sameEverywhere: status and the list of runs report the same as the list,
// and the next step.
func TestGlance_sameEverywhere(t *testing.T) {
	t.Parallel()
	p, dir := Project(t)
	id := "2026-01-02-001-abc"
	makeRunning(t, p, dir, id, journal.Agent)
	writeLog(p, t, id, []string{"asks: Log in?"}, 90*time.Second)
	status, err := view.Status(t.Context(), p, view.StatusInput{})
	if err != nil || len(status.Runs) != 1 || status.Runs[0].State != advice.Waiting || status.Runs[0].LastLine != "Log in?" ||
		status.Runs[0].Quiet != 90 || status.Runs[0].Next.String() != "chant takeover "+id {
		t.Errorf("%+v, %v", status.Runs, err)
	}
	work, err := queue.WorkList(t.Context(), p, queue.WorkListInput{})
	if err != nil || len(work.Processes) != 1 || work.Processes[0].Status != advice.Waiting || work.Processes[0].LastLine != "Log in?" ||
		work.Summary != (queue.WorkSummary{Running: 1, Waiting: 1}) {
		t.Errorf("%+v, %v", work, err)
	}
}

// makeRunning creates a spec whose run this process holds and whose journal ends in the
// middle of a step.
func makeRunning(t *testing.T, p *engine.Project, dir, id string, step journal.Step) {
	t.Helper()
	Write(t, dir, ".chant/specs/"+id+".md", "---\nstatus: in_progress\n---\n# A\n")
	cmd := exec.CommandContext(t.Context(), "git", "branch", "chant/"+id)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, rec := range []journal.Record{
		{Attempt: 1, Step: journal.Open, State: journal.Begin}, {Attempt: 1, Step: journal.Agent, State: journal.Begin}, {Attempt: 1, Step: journal.Agent, State: journal.Note},
		{Attempt: 1, Step: step, State: journal.Begin},
	} {
		if _, err := p.Store.Append(id, rec); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := lockfile.Acquire(p.Store.LockPath(id), "work "+id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	})
}

// writeLog writes a log whose last line came a while before now.
func writeLog(p *engine.Project, t *testing.T, id string, lines []string, quiet time.Duration) {
	t.Helper()
	if lines == nil {
		return
	}
	at := p.Now().Add(-quiet - 10*time.Second*time.Duration(len(lines)))
	log, err := p.Store.OpenLog(id, 1, "agent", func() time.Time { return at })
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		at = at.Add(10 * time.Second)
		if err := log.Line(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(p.Store.LogPath(id), at, at); err != nil {
		t.Fatal(err)
	}
}
