package queue

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// TestWatchTimes reads how long to wait with nothing to do and how often to look, from the input, else the settings.
func TestWatchTimes(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	p.Config.Watch.Idle, p.Config.Watch.Poll = 5, 30*time.Second
	for name, c := range map[string]struct {
		in         WatchInput
		idle, poll time.Duration
		code       engine.Code
	}{
		"settings":            {WatchInput{}, 5 * time.Minute, 30 * time.Second, ""},
		"input":               {WatchInput{IdleTimeout: "90s", Poll: "1s"}, 90 * time.Second, time.Second, ""},
		"for ever":            {WatchInput{IdleTimeout: "0s"}, -1, 30 * time.Second, ""},
		"once":                {WatchInput{Once: true, IdleTimeout: "90s"}, 0, 30 * time.Second, ""},
		"not a duration":      {WatchInput{IdleTimeout: "5x"}, 0, 0, engine.Usage},
		"negative":            {WatchInput{IdleTimeout: "-1s"}, 0, 0, engine.Usage},
		"looks all the time":  {WatchInput{Poll: "0s"}, 0, 0, engine.Usage},
		"a negative parallel": {WatchInput{Parallel: -1}, 0, 0, engine.Usage},
		"a positive parallel": {WatchInput{Parallel: 2}, 5 * time.Minute, 30 * time.Second, ""},
	} {
		idle, poll, err := watchTimes(p, c.in)
		assert.Equal(t, c.code, enginetest.CodeOf(t, err), "%s", name)
		assert.Equal(t, c.idle, idle, "%s", name)
		assert.Equal(t, c.poll, poll, "%s", name)
	}
}

// TestWatch_dryRun reports what a watch would start and changes nothing.
func TestWatch_dryRun(t *testing.T) {
	t.Parallel()
	p := queued(t)
	for name, c := range map[string]struct {
		in   WatchInput
		want string
	}{
		"with work":    {WatchInput{DryRun: true, Work: true}, numbered(1) + " " + numbered(7) + ".1"},
		"with a label": {WatchInput{DryRun: true, Work: true, Labels: []string{"api"}}, numbered(1)},
		"without work": {WatchInput{DryRun: true}, ""},
	} {
		got, err := Watch(t.Context(), p, c.in)
		text := strings.Join(got.Ready, " ")
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, text, "%s", name)
		assert.True(t, got.DryRun, "%s: %+v, %v, want %q", name, got, err, c.want)
		assert.Equal(t, 0, got.Starts, "%s", name)
		assert.True(t, len(got.Recovered)+len(got.Cleaned) <= 0, "%s: %+v, %v, want %q", name, got, err, c.want)
	}
}

// TestWatch_once ends when there is nothing to do, and releases its lock; a second watch is refused.
func TestWatch_once(t *testing.T) {
	t.Parallel()
	p := queued(t)
	got, err := Watch(t.Context(), p, WatchInput{Once: true})
	assert.NoError(t, err)
	assert.Equal(t, schedule.Finished, got.Ended)
	assert.Equal(t, 0, got.Starts)
	_, held := lockfile.HeldBy(watchPath(p))
	assert.False(t, held, "the lock is still held")
	other, _ := watching(t)
	for name, start := range map[string]func() error{
		"watch": func() error { _, err := Watch(t.Context(), other, WatchInput{Once: true}); return err },
		"start": func() error { _, err := WatchStart(t.Context(), other, WatchInput{}); return err },
	} {
		assert.HasPrefix(t, enginetest.Refusal(start()), "conflict | chant watch status | a watch is at work already", "%s", name)
	}
}

// TestWatchStop_refused: only a watch that runs on this machine is stopped.
func TestWatchStop_refused(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	_, err := WatchStop(t.Context(), p, WatchStopInput{})
	assert.HasPrefix(t, enginetest.Refusal(err), "state | chant watch start | no watch is at work")
	p, _ = watching(t)
	src, err := os.ReadFile(watchPath(p))
	assert.NoError(t, err)
	host, err := os.Hostname()
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(watchPath(p), []byte(strings.Replace(string(src), `"`+host+`"`, `"elsewhere"`, 1)), 0o644))
	_, err = WatchStop(t.Context(), p, WatchStopInput{})
	assert.HasPrefix(t, enginetest.Refusal(err), "conflict | chant watch status | the watch is at work on elsewhere")
}

// TestWatchStatus reports the process of a watch, if one is running.
func TestWatchStatus(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	got, err := WatchStatus(t.Context(), p, WatchStatusInput{})
	assert.NoError(t, err)
	assert.False(t, got.Running, "%+v, %v", got, err)
	assert.Equal(t, 0, got.PID)
	assert.Equal(t, 0, got.Count)
	p, _ = watching(t)
	got, err = WatchStatus(t.Context(), p, WatchStatusInput{})
	assert.NoError(t, err)
	assert.True(t, got.Running, "%+v, %v", got, err)
	assert.Equal(t, os.Getpid(), got.PID)
	assert.NotEqual(t, "", got.Since)
}

// TestWatchInput_args writes an input as a command line that means the same.
func TestWatchInput_args(t *testing.T) {
	t.Parallel()
	for want, in := range map[string]WatchInput{
		"watch --json --quiet":                                     {},
		"watch --json --quiet --work --parallel 2":                 {Work: true, Parallel: 2},
		"watch --json --quiet --label a --label b --allow-overlap": {Labels: []string{"a", "b"}, AllowOverlap: true},
		"watch --json --quiet --idle-timeout 30m --poll 10s":       {IdleTimeout: "30m", Poll: "10s"},
	} {
		assert.Equal(t, want, strings.Join(in.args(), " "))
	}
}

// TestWatcher_tasks: a watch that looks once leaves retries that are not due yet; one whose repository is gone ends.
func TestWatcher_tasks(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	now := p.Now()
	files := map[string]string{}
	for n, due := range []time.Time{now.Add(-time.Minute), now.Add(time.Minute)} {
		files[".chant/specs/"+numbered(n+1)+".md"] = "---\nstatus: paused\nretry_state: {attempts: 1, next_retry_time: " + strconv.FormatInt(due.UnixMilli(), 10) + "}\n---\n# A\n"
	}
	enginetest.Commit(t, dir, files)
	for _, c := range []struct {
		once bool
		want []string
	}{{false, []string{numbered(1), numbered(2)}}, {true, []string{numbered(1)}}} {
		tasks, err := newWatcher(p, WatchInput{Once: c.once}).tasks(t.Context())
		var ids []string
		for _, task := range tasks {
			ids = append(ids, task.ID)
		}
		assert.NoError(t, err, "once %t", c.once)
		assert.Equal(t, c.want, ids, "once %t", c.once)
	}
	assert.NoError(t, os.RemoveAll(dir))
	_, err := newWatcher(p, WatchInput{}).tasks(t.Context())
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "the repository is gone")
}

// TestWatcher_left: a watch without Work takes up only what a crash or a retry leaves, with its mark.
func TestWatcher_left(t *testing.T) {
	t.Parallel()
	sc := &scope{rank: map[string]int{}, left: func(s *spec.Spec) bool { return s.ID == numbered(1) }}
	p := queued(t)
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	got := sc.tasks(g, time.Now())
	assert.Equal(t, 1, len(got))
	assert.Equal(t, numbered(1), got[0].ID)
	assert.NotEqual(t, "", got[0].Mark)
	assert.Equal(t, sc.last, got[0].Rank)
	due := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
	task := sc.task(&spec.Spec{ID: "x", Status: spec.Paused, Fields: spec.Fields{Retry: &spec.Retry{Next: due.UnixMilli()}}}, 2, time.Now())
	assert.True(t, task.Due.Equal(due), "%+v", task)
	assert.Equal(t, 2, task.Depth)
}
