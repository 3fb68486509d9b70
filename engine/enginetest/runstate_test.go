package enginetest

import (
	"os"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/run/advice"
	"chant/engine/view"
	"chant/engine/work/queue"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
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
			assert.NoError(t, err, "%+v", r)
			assert.Equal(t, 1, len(r.Specs), "%+v", r)
			s, err := p.Store.Get(t.Context(), id)
			assert.NoError(t, err)
			got := advice.GlanceAt(p, &s.Spec)
			if name == "long" {
				assert.Equal(t, advice.Waiting, got.State)
				assert.True(t, len([]rune(got.LastLine)) <= advice.LineRunes+1, "%q, %d characters", got.State, len([]rune(got.LastLine)))
				return
			}
			assert.Equal(t, tc.want, got)
			assert.Equal(t, got.State, r.Specs[0].Run)
			assert.Equal(t, got.LastLine, r.Specs[0].LastLine)
			p.Config.Limits.Waiting = 0
			got = advice.GlanceAt(p, &s.Spec)
			assert.False(t, strings.HasPrefix(name, "silent") && got.State != advice.Running, "waiting, although that is turned off: %+v", got)
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
	assert.NoError(t, err)
	assert.Equal(t, 1, len(status.Runs))
	assert.Equal(t, advice.Waiting, status.Runs[0].State)
	assert.Equal(t, "Log in?", status.Runs[0].LastLine)
	assert.Equal(t, 90, status.Runs[0].Quiet)
	assert.Equal(t, "chant takeover "+id, status.Runs[0].Next.String())
	work, err := queue.WorkList(t.Context(), p, queue.WorkListInput{})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(work.Processes))
	assert.Equal(t, advice.Waiting, work.Processes[0].Status)
	assert.Equal(t, "Log in?", work.Processes[0].LastLine)
	assert.Equal(t, queue.WorkSummary{Running: 1, Waiting: 1}, work.Summary)
}

// makeRunning creates a spec whose run this process holds and whose journal ends in the
// middle of a step.
func makeRunning(t *testing.T, p *engine.Project, dir, id string, step journal.Step) {
	t.Helper()
	Write(t, dir, ".chant/specs/"+id+".md", "---\nstatus: in_progress\n---\n# A\n")
	Git(t, dir, "branch", "chant/"+id)
	for _, rec := range []journal.Record{
		{Attempt: 1, Step: journal.Open, State: journal.Begin}, {Attempt: 1, Step: journal.Agent, State: journal.Begin}, {Attempt: 1, Step: journal.Agent, State: journal.Note},
		{Attempt: 1, Step: step, State: journal.Begin},
	} {
		_, err := p.Store.Append(id, rec)
		assert.NoError(t, err)
	}
	lock, err := lockfile.Acquire(p.Store.LockPath(id), "work "+id)
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, lock.Release()) })
}

// writeLog writes a log whose last line came a while before now.
func writeLog(p *engine.Project, t *testing.T, id string, lines []string, quiet time.Duration) {
	t.Helper()
	if lines == nil {
		return
	}
	at := p.Now().Add(-quiet - 10*time.Second*time.Duration(len(lines)))
	log, err := p.Store.OpenLog(id, 1, "agent", func() time.Time { return at })
	assert.NoError(t, err)
	for _, line := range lines {
		at = at.Add(10 * time.Second)
		assert.NoError(t, log.Line(line))
	}
	assert.NoError(t, log.Close())
	assert.NoError(t, os.Chtimes(p.Store.LogPath(id), at, at))
}
