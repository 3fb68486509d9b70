package usage

import (
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
)

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
	if err != nil {
		t.Fatal(err)
	}
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
			if last := i == len(c.used)-1; last && (got.Why != c.why || got.OfSpec != c.ofSpec) {
				t.Errorf("%s: %+v, want %q", name, got, c.why)
			}
		}
		if got := b.Spent(); got.Agents != len(c.used) {
			t.Errorf("%s: %+v", name, got)
		}
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
		if err := b.LimitQuestion(r, &s.Spec); err != nil {
			t.Fatal(err)
		}
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
		if why, ofSpec := ask(c.number, c.tokens); why != c.why || ofSpec != c.ofSpec {
			t.Errorf("%+v: %q, %t", c, why, ofSpec)
		}
	}
	r := run.NewQuestionRun(p, journal.Job{ID: s.ID}, &journal.History{})
	if err := b.LimitQuestion(r, &s.Spec); enginetest.Refusal(err) != "blocked | chant status | token limit of the run reached: 150 of 150" {
		t.Errorf("after a limit was reached: %v", err)
	}
}
