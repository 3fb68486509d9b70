package usage

import (
	"testing"
	"time"

	"chant/engine"
	"chant/engine/config"
	"chant/engine/enginetest"
	"chant/engine/journal"
	"chant/engine/spec"
	"chant/providers"
)

// TestLimitsFor: what a spec names comes before the settings, and a limit that it names as 0 is none.
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
		if got := LimitMet(p, s, tc.h); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		if got := LimitsFor(p, s).Time; got != spec.Span(time.Minute) {
			t.Errorf("%s: time %s", name, time.Duration(got))
		}
	}
}

// TestBudget_refuse: a spec whose limit was met leads to its limits, a met limit of all leads to status.
func TestBudget_refuse(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	s := &spec.Spec{ID: "001"}
	h := &journal.History{Attempts: []*journal.Attempt{{Sessions: []journal.Session{{Spent: &providers.Spent{Turns: 3}}}}}}
	b := NewBudget(p)
	if err := b.Refuse(s, h); err != nil {
		t.Errorf("without limits: %v", err)
	}
	p.Config.Limits.Turns = 3
	if e, ok := b.Refuse(s, h).(*engine.Error); !ok || e.Code != engine.Blocked || e.Next.String() != "chant edit 001" { //nolint:errorlint // as it is made
		t.Errorf("of the spec: %+v", e)
	}
	p.Config.Limits.Turns, p.Config.Limits.Run.Time = 0, time.Minute
	began := p.Now()
	p.Now = func() time.Time { return began.Add(time.Minute) }
	if e, ok := b.Refuse(s, h).(*engine.Error); !ok || e.Code != engine.Blocked || e.Next.String() != "chant status" { //nolint:errorlint // as it is made
		t.Errorf("of the run: %+v", e)
	}
}
