package usage

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/providers"
)

// Agents that work side by side share the rest of the day: the time of working agents counts
// up to now, and that of killed ones does not grow.
func TestBudget_sideBySide(t *testing.T) {
	t.Parallel()
	project, _ := enginetest.Project(t)
	project.Config.Limits.Day.Time = time.Minute
	noon := project.Now()
	b := NewBudget(project)
	heard := func(id string, s journal.Session) {
		t.Helper()
		s.Began = noon
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []journal.Record{{Time: noon, Attempt: 1, Step: journal.Open}, {Time: noon, Attempt: 1, Step: journal.Heard, Data: data}} {
			if _, err := project.Store.Append(id, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	sleeping(t, func(p providers.Process) {
		heard("2026-01-02-001-aaa", journal.Session{Number: 1, Process: &p})
		heard("2026-01-02-002-bbb", journal.Session{Number: 1, Process: &p})
		heard("2026-01-02-003-ccc", journal.Session{Number: 1, Seconds: 10, Ended: true, Process: &p})
		heard("2026-01-02-004-ddd", journal.Session{Number: 1, Process: &providers.Process{PID: p.PID, Started: "another"}})

		if left, why := b.timeLeft(); left != 25*time.Second || why == "" {
			t.Errorf("at first %s are left, %q", left, why)
		}
		project.Now = func() time.Time { return noon.Add(20 * time.Second) }
		if left, why := b.timeLeft(); left != 5*time.Second || why == "" {
			t.Errorf("after 20 s %s are left, %q", left, why)
		}
		if why, err := b.LimitReached(); why != "" || err != nil {
			t.Errorf("over before it is: %q, %v", why, err)
		}
		project.Now = func() time.Time { return noon.Add(26 * time.Second) }
		if left, why := b.timeLeft(); left > 0 || why != "time limit of the day reached: 1m2s of 1m0s" {
			t.Errorf("after 26 s %s are left, %q", left, why)
		}
		if why, err := b.LimitReached(); why != "time limit of the day reached: 1m2s of 1m0s" || err != nil {
			t.Errorf("over: %q, %v", why, err)
		}
	})
}

// sleeping calls do while a process that only sleeps runs as an agent.
func sleeping(t *testing.T, do func(providers.Process)) {
	t.Helper()
	path, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip("there is no sleep here")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	began := false
	l := providers.Launch{Path: path, Args: []string{"1000"}, Dir: t.TempDir(), Env: append(os.Environ(), providers.RunIDKey+"="+t.Name())}
	_, err = providers.Run(ctx, l, providers.Limits{}, providers.Watch{Started: func(p providers.Process, _ func(int) bool) {
		defer stop()
		began = true
		do(p)
	}})
	if err != nil || !began {
		t.Fatal(began, err)
	}
}

// TestLimitsFor: the limits of a spec precede those of the settings, and 0 means no limit.
func TestLimitsFor(t *testing.T) {
	t.Parallel()
	p := &engine.Project{Config: &config.Config{}}
	p.Config.Limits.Tokens, p.Config.Limits.Turns, p.Config.Limits.Time = 100, 5, time.Minute
	used := func(tokens, turns int) *journal.History {
		s := journal.Session{Spent: &providers.Spent{Turns: turns, Usage: &providers.Usage{Input: tokens}}}
		return &journal.History{Attempts: []*journal.Attempt{{Sessions: []journal.Session{s}}}}
	}
	for name, tc := range map[string]struct {
		front string
		h     *journal.History
		want  string
	}{
		"below":              {"", used(99, 4), ""},
		"tokens":             {"", used(100, 4), "token limit of the spec reached: 100 of 100"},
		"turns":              {"", used(99, 5), "turn limit of the spec reached: 5 of 5"},
		"the spec's own":     {"limits: {tokens: 50}\n", used(50, 0), "token limit of the spec reached: 50 of 50"},
		"raised":             {"limits: {tokens: 200}\n", used(150, 0), ""},
		"none":               {"limits: {tokens: 0}\n", used(1000, 0), ""},
		"the settings' rest": {"limits: {tokens: 0}\n", used(1000, 5), "turn limit of the spec reached: 5 of 5"},
		"nothing used":       {"", &journal.History{}, ""},
	} {
		s, err := spec.Parse("001", "001.md", []byte("---\nstatus: pending\n"+tc.front+"---\n# A\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := SpecLimitReached(p, &s.Spec, tc.h); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		if got := LimitsFor(p, &s.Spec).Time; got != spec.Span(time.Minute) {
			t.Errorf("%s: time %s", name, time.Duration(got))
		}
	}
}

// TestBudget_CheckSpec: for a limit of the spec the next step is to edit it, for a shared limit it is the status.
func TestBudget_CheckSpec(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	s := &spec.Spec{ID: "001"}
	h := &journal.History{Attempts: []*journal.Attempt{{Sessions: []journal.Session{{Spent: &providers.Spent{Turns: 3}}}}}}
	b := NewBudget(p)
	if err := b.CheckSpec(s, h); err != nil {
		t.Errorf("without limits: %v", err)
	}
	p.Config.Limits.Turns = 3
	if e, ok := b.CheckSpec(s, h).(*engine.Error); !ok || e.Code != engine.Blocked || e.Next.String() != "chant edit 001" { //nolint:errorlint // as it is made
		t.Errorf("of the spec: %+v", e)
	}
	p.Config.Limits.Turns, p.Config.Limits.Run.Time = 0, time.Minute
	began := p.Now()
	p.Now = func() time.Time { return began.Add(time.Minute) }
	if e, ok := b.CheckSpec(s, h).(*engine.Error); !ok || e.Code != engine.Blocked || e.Next.String() != "chant status" { //nolint:errorlint // as it is made
		t.Errorf("of the run: %+v", e)
	}
}
