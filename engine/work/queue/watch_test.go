package queue

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/schedule"
	"chant/gitops/lockfile"
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
		if enginetest.CodeOf(t, err) != c.code || idle != c.idle || poll != c.poll {
			t.Errorf("%s: %s, %s, %v", name, idle, poll, err)
		}
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
		if text := strings.Join(got.Ready, " "); err != nil || text != c.want || !got.DryRun || got.Starts != 0 || len(got.Recovered)+len(got.Cleaned) > 0 {
			t.Errorf("%s: %+v, %v, want %q", name, got, err, c.want)
		}
	}
}

// TestWatch_once ends when there is nothing to do, and releases its lock; a second watch is refused.
func TestWatch_once(t *testing.T) {
	t.Parallel()
	p := queued(t)
	got, err := Watch(t.Context(), p, WatchInput{Once: true})
	if err != nil || got.Ended != schedule.Finished || got.Starts != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, held := lockfile.HeldBy(watchPath(p)); held {
		t.Error("the lock is still held")
	}
	other, _ := watching(t)
	for name, start := range map[string]func() error{
		"watch": func() error { _, err := Watch(t.Context(), other, WatchInput{Once: true}); return err },
		"start": func() error { _, err := WatchStart(t.Context(), other, WatchInput{}); return err },
	} {
		if text := enginetest.Refusal(start()); !strings.HasPrefix(text, "conflict | chant watch status | a watch is at work already") {
			t.Errorf("%s: %q", name, text)
		}
	}
}

// TestWatchStop_refused: only a watch that runs on this machine is stopped.
func TestWatchStop_refused(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	_, err := WatchStop(t.Context(), p, WatchStopInput{})
	if text := enginetest.Refusal(err); !strings.HasPrefix(text, "state | chant watch start | no watch is at work") {
		t.Errorf("%q", text)
	}
	p, _ = watching(t)
	src, err := os.ReadFile(watchPath(p))
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(watchPath(p), []byte(strings.Replace(string(src), `"`+host+`"`, `"elsewhere"`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = WatchStop(t.Context(), p, WatchStopInput{})
	if text := enginetest.Refusal(err); !strings.HasPrefix(text, "conflict | chant watch status | the watch is at work on elsewhere") {
		t.Errorf("%q", text)
	}
}

// TestWatchStatus reports the process of a watch, if one is running.
func TestWatchStatus(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	if got, err := WatchStatus(t.Context(), p, WatchStatusInput{}); err != nil || got.Running || got.PID != 0 || got.Count != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	p, _ = watching(t)
	if got, err := WatchStatus(t.Context(), p, WatchStatusInput{}); err != nil || !got.Running || got.PID != os.Getpid() || got.Since == "" {
		t.Errorf("%+v, %v", got, err)
	}
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
		if got := strings.Join(in.args(), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
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
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("once %t: %q, %v", c.once, ids, err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := newWatcher(p, WatchInput{}).tasks(t.Context()); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("the repository is gone: %v", err)
	}
}

// TestWatcher_left: a watch without Work takes up only what a crash or a retry leaves, with its mark.
func TestWatcher_left(t *testing.T) {
	t.Parallel()
	sc := &scope{rank: map[string]int{}, left: func(s *spec.Spec) bool { return s.ID == numbered(1) }}
	p := queued(t)
	_, g, err := engine.Graph(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	got := sc.tasks(g, time.Now())
	if len(got) != 1 || got[0].ID != numbered(1) || got[0].Mark == "" || got[0].Rank != sc.last {
		t.Errorf("%+v", got)
	}
	due := time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
	task := sc.task(&spec.Spec{ID: "x", Status: spec.Paused, Fields: spec.Fields{Retry: &spec.Retry{Next: due.UnixMilli()}}}, 2, time.Now())
	if !task.Due.Equal(due) || task.Depth != 2 {
		t.Errorf("%+v", task)
	}
}
