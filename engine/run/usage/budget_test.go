package usage

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store/config"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
		for _, r := range []journal.Record{{Time: noon, Attempt: 1, Step: journal.Open}, {Time: noon, Attempt: 1, Step: journal.Heard, Data: data}} {
			_, err := project.Store.Append(id, r)
			assert.NoError(t, err)
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
	assert.NoError(t, err)
	assert.True(t, began, "%v %v", began, err)
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
		assert.NoError(t, err)
		assert.Equal(t, tc.want, SpecLimitReached(p, &s.Spec, tc.h), "%s", name)
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
	assert.NoError(t, b.CheckSpec(s, h))
	p.Config.Limits.Turns = 3
	checkBlocked(t, b.CheckSpec(s, h), "chant edit 001")
	p.Config.Limits.Turns, p.Config.Limits.Run.Time = 0, time.Minute
	began := p.Now()
	p.Now = func() time.Time { return began.Add(time.Minute) }
	checkBlocked(t, b.CheckSpec(s, h), "chant status")
}

// reporting is a provider whose agents report what they use, or do not.
type reporting struct {
	providers.Provider
	reports bool
}

func (r reporting) ReportsUsage() bool { return r.reports }

// warnings returns a project and the warnings of its operations.
func warnings(t *testing.T) (*engine.Project, *[]string) {
	t.Helper()
	p, _ := enginetest.Project(t)
	warned := &[]string{}
	p.Progress = func(ev engine.Event) { *warned = append(*warned, ev.Text) }
	return p, warned
}

// specWith returns a spec with these limits in its front matter.
func specWith(t *testing.T, limits string) *spec.File {
	t.Helper()
	s, err := spec.Parse("001", "001.md", []byte("---\nstatus: pending\n"+limits+"---\n# A\n"))
	assert.NoError(t, err)
	return s
}

// TestBudget_WarnUnenforceable warns of limits other than of time if the agent does not report what it uses.
func TestBudget_WarnUnenforceable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		provider providers.Provider
		limits   string // of the spec
		shared   func(*config.Config)
		want     bool
	}{
		"no limit":                   {reporting{}, "", nil, false},
		"a limit of tokens":          {reporting{}, "limits: {tokens: 5}\n", nil, true},
		"a limit of cost":            {reporting{}, "limits: {cost: 1}\n", nil, true},
		"a limit of turns":           {reporting{}, "limits: {turns: 3}\n", nil, true},
		"a limit of time":            {reporting{}, "limits: {time: 1m}\n", nil, false},
		"of the settings":            {reporting{}, "", func(c *config.Config) { c.Limits.Tokens = 5 }, true},
		"lifted by the spec":         {reporting{}, "limits: {tokens: 0}\n", func(c *config.Config) { c.Limits.Tokens = 5 }, false},
		"of the command":             {reporting{}, "", func(c *config.Config) { c.Limits.Run.Cost = 1 }, true},
		"of the day":                 {reporting{}, "", func(c *config.Config) { c.Limits.Day.Turns = 9 }, true},
		"time of the day":            {reporting{}, "", func(c *config.Config) { c.Limits.Day.Time = time.Hour }, false},
		"the agent reports":          {reporting{reports: true}, "limits: {tokens: 5}\n", nil, false},
		"a provider that always may": {struct{ providers.Provider }{}, "limits: {tokens: 5}\n", nil, false},
	} {
		p, warned := warnings(t)
		if c.shared != nil {
			c.shared(p.Config)
		}
		r := run.NewQuestionRun(p, journal.Job{ID: "001", Provider: "odd"}, &journal.History{})
		r.Launcher.Provider = c.provider
		NewBudget(p).WarnUnenforceable(r, &specWith(t, c.limits).Spec)
		var want []string
		if c.want {
			want = []string{"odd does not report usage; cost, token and turn limits cannot be enforced"}
		}
		if !slices.Equal(*warned, want) {
			t.Errorf("%s: %q", name, *warned)
		}
	}
}

// TestBudget_warnUnpriced warns once of each limit that the reports of a working agent do not allow to enforce.
func TestBudget_warnUnpriced(t *testing.T) {
	t.Parallel()
	usd := 0.5
	unknown, counted, priced := providers.Spent{Model: "m"}, providers.Spent{Model: "m", Usage: &providers.Usage{Input: 1}}, providers.Spent{Model: "m", CostUSD: &usd}
	for name, c := range map[string]struct {
		limits string
		spent  providers.Spent
		want   string // a part of the warning, "" for none
	}{
		"no limits":                   {"", unknown, ""},
		"only turns":                  {"limits: {turns: 3}\n", unknown, ""},
		"tokens, none reported":       {"limits: {tokens: 3}\n", unknown, "no limit of cost or tokens can stop it before"},
		"cost, no tokens reported":    {"limits: {cost: 3}\n", unknown, "no limit of cost or tokens can stop it before"},
		"tokens, reported":            {"limits: {tokens: 3}\n", counted, ""},
		"cost, tokens without prices": {"limits: {cost: 3}\n", counted, `no limit of cost can be enforced for model "m"`},
		"cost, reported":              {"limits: {cost: 3}\n", priced, ""},
	} {
		p, warned := warnings(t)
		b := NewBudget(p)
		for range 2 {
			b.warnUnpriced("001", LimitsFor(p, &specWith(t, c.limits).Spec), c.spent)
		}
		if len(*warned) != min(1, len(c.want)) || c.want != "" && !strings.Contains((*warned)[0], c.want) {
			t.Errorf("%s: %q, want %q", name, *warned, c.want)
		}
	}
}

// spentTokens is the report of an agent that has used so many tokens.
func spentTokens(n int) providers.Spent {
	return providers.Spent{Model: "m", Usage: &providers.Usage{Input: n}}
}

// TestBudget_LimitRun stops an agent at a limit of its spec, which earlier attempts count for, of the command and of
// the day, in this order.
func TestBudget_LimitRun(t *testing.T) {
	t.Parallel()
	before := &journal.History{Attempts: []*journal.Attempt{{Sessions: []journal.Session{{Spent: &providers.Spent{Usage: &providers.Usage{Input: 60}}}}}}}
	for name, c := range map[string]struct {
		limits string
		shared func(*config.Config)
		h      *journal.History
		used   []int // tokens that agents of other specs of this command have used, then those of this one
		why    string
		ofSpec bool
	}{
		"no limit":                 {"", nil, &journal.History{}, []int{1000}, "", false},
		"below":                    {"limits: {tokens: 100}\n", nil, &journal.History{}, []int{99}, "", false},
		"of the spec":              {"limits: {tokens: 100}\n", nil, &journal.History{}, []int{100}, "token limit of the spec reached: 100 of 100", true},
		"with earlier attempts":    {"limits: {tokens: 100}\n", nil, before, []int{40}, "token limit of the spec reached: 100 of 100", true},
		"of the command":           {"", func(c *config.Config) { c.Limits.Run.Tokens = 150 }, before, []int{100, 50}, "token limit of the run reached: 150 of 150", false},
		"the command, below":       {"", func(c *config.Config) { c.Limits.Run.Tokens = 151 }, before, []int{100, 50}, "", false},
		"of the day":               {"", func(c *config.Config) { c.Limits.Day.Tokens = 50 }, &journal.History{}, []int{50}, "token limit of the day reached: 50 of 50", false},
		"spec before the command":  {"limits: {tokens: 50}\n", func(c *config.Config) { c.Limits.Run.Tokens = 50 }, &journal.History{}, []int{50}, "token limit of the spec reached: 50 of 50", true},
		"the command before a day": {"", func(c *config.Config) { c.Limits.Run.Tokens, c.Limits.Day.Tokens = 50, 50 }, &journal.History{}, []int{50}, "token limit of the run reached: 50 of 50", false},
	} {
		p, _ := warnings(t)
		if c.shared != nil {
			c.shared(p.Config)
		}
		b := NewBudget(p)
		for i, used := range c.used {
			s := specWith(t, "")
			h := &journal.History{}
			if last := i == len(c.used)-1; last {
				s, h = specWith(t, c.limits), c.h
			} else {
				s.ID = "other"
			}
			r := run.NewQuestionRun(p, journal.Job{ID: s.ID}, h)
			b.LimitRun(r, &s.Spec)
			got := r.Launcher.Allow(journal.Session{Number: 1, Began: p.Now()}, spentTokens(used))
			assert.False(t, (i == len(c.used)-1) && (got.Why != c.why || got.OfSpec != c.ofSpec), "%s: %+v, want %q", name, got, c.why)
		}
		got := b.Spent()
		assert.Equal(t, len(c.used), got.Agents, "%s: %+v", name, got)
	}
}

// TestBudget_LimitQuestion limits the agent that answers a question: by the limits of its spec for the question alone,
// by the shared limits together with all other agents. After a shared limit was reached, no question is asked.
func TestBudget_LimitQuestion(t *testing.T) {
	t.Parallel()
	p, _ := warnings(t)
	p.Config.Limits.Run.Tokens = 150
	b, s := NewBudget(p), specWith(t, "limits: {tokens: 100}\n")
	ask := func(number, tokens int) (string, bool) {
		t.Helper()
		r := run.NewQuestionRun(p, journal.Job{ID: s.ID}, &journal.History{})
		assert.NoError(t, b.LimitQuestion(r, &s.Spec))
		got := r.Launcher.Allow(journal.Session{Number: number}, spentTokens(tokens))
		return got.Why, got.OfSpec
	}
	for _, c := range []struct {
		number, tokens int
		why            string
		ofSpec         bool
	}{
		{1, 99, "", false},
		{1, 100, "token limit of the question reached: 100 of 100", true},
		{1, 90, "", false}, // a report replaces the one before
		{2, 60, "token limit of the run reached: 150 of 150", false},
	} {
		why, ofSpec := ask(c.number, c.tokens)
		assert.Equal(t, c.why, why)
		assert.Equal(t, c.ofSpec, ofSpec)
	}
	r := run.NewQuestionRun(p, journal.Job{ID: s.ID}, &journal.History{})
	err := b.LimitQuestion(r, &s.Spec)
	assert.Equal(t, "blocked | chant status | token limit of the run reached: 150 of 150", enginetest.Refusal(err), "after a limit was reached")
}

// checkBlocked checks that an error says so, and what its hint is.
func checkBlocked(t *testing.T, err error, hint string) {
	t.Helper()
	e, ok := err.(*engine.Error) //nolint:errorlint // as it is made
	assert.True(t, ok, "got %v, want an error of chant", err)
	assert.Equal(t, engine.Blocked, e.Code)
	assert.Equal(t, hint, e.Next.String())
}
