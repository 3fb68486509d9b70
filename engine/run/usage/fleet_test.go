package usage

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/fleet"
	"chant/engine/run"
	"chant/engine/store/config"
)

// others is a fleet in which other machines have used something.
type others struct {
	day, run fleet.Amount
	began    time.Time
	lost     error
	told     []fleet.Amount // of this machine, on the day
}

func (o *others) Began(time.Time) (time.Time, error) { return o.began, o.lost }
func (o *others) Day(own fleet.Amount) (fleet.Amount, error) {
	o.told = append(o.told, own)
	return o.day, o.lost
}
func (o *others) Run(fleet.Amount) (fleet.Amount, error) { return o.run, o.lost }

// TestBudget_ShareWith: what others have used counts for the command and the day, when an agent starts and while it
// works.
func TestBudget_ShareWith(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limits   func(*config.Config)
		others   *others
		started  string // the limit that was reached before anything was used here
		reported string // after 50 tokens
	}{
		"alone":            {func(c *config.Config) { c.Limits.Day.Tokens = 60 }, nil, "", ""},
		"far from it":      {func(c *config.Config) { c.Limits.Day.Tokens = 100 }, &others{day: fleet.Amount{Tokens: 49}}, "", ""},
		"tokens of a day":  {func(c *config.Config) { c.Limits.Day.Tokens = 100 }, &others{day: fleet.Amount{Tokens: 50}}, "", "token limit of the day reached: 100 of 100"},
		"already reached":  {func(c *config.Config) { c.Limits.Day.Cost = 1 }, &others{day: fleet.NewAmount(1.5, 0, 0, 0)}, "cost limit of the day reached: $1.50 of $1.00", "cost limit of the day reached: $1.50 of $1.00"},
		"tokens of a run":  {func(c *config.Config) { c.Limits.Run.Tokens = 100 }, &others{run: fleet.Amount{Tokens: 50}}, "", "token limit of the run reached: 100 of 100"},
		"turns of a run":   {func(c *config.Config) { c.Limits.Run.Turns = 3 }, &others{run: fleet.Amount{Turns: 3}}, "turn limit of the run reached: 3 of 3", "turn limit of the run reached: 3 of 3"},
		"of no limit here": {func(c *config.Config) { c.Limits.Run.Tokens = 60 }, &others{day: fleet.Amount{Tokens: 50}}, "", ""},
	} {
		p, _ := enginetest.Project(t)
		c.limits(p.Config)
		b := NewBudget(p)
		if c.others != nil {
			c.others.began = Midnight(p.Now())
			b.ShareWith(c.others)
		}
		if why, err := b.LimitReached(); why != c.started || err != nil {
			t.Errorf("%s: %q, %v, want %q", name, why, err, c.started)
		}
		s := specWith(t, "")
		if err := b.CheckSpec(&s.Spec, &journal.History{}); (err != nil) != (c.started != "") || err != nil && !strings.Contains(err.Error(), c.started) {
			t.Errorf("%s: %v", name, err)
		}
		report := b.limitFunc(&s.Spec, &journal.History{})
		if met := report(journal.Session{Number: 1}, spentTokens(50)); met.Why != c.reported || met.OfSpec {
			t.Errorf("%s: %+v, want %q", name, met, c.reported)
		}
		if c.others != nil && p.Config.Limits.Day.Any() {
			if last := c.others.told[len(c.others.told)-1]; last.Tokens != 50 {
				t.Errorf("%s: the others were told %+v", name, c.others.told)
			}
		} else if c.others != nil && c.others.told != nil {
			t.Errorf("%s: the others were told of a day without a limit", name)
		}
	}
}

// TestBudget_lostFleet: without a connection no agent starts, and those at work continue by what was known last.
func TestBudget_lostFleet(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	p.Config.Limits.Day.Tokens = 100
	f := &others{day: fleet.Amount{Tokens: 60}, began: Midnight(p.Now())}
	b, s := NewBudget(p), specWith(t, "")
	b.ShareWith(f)
	report := b.limitFunc(&s.Spec, &journal.History{})
	if met := report(journal.Session{Number: 1}, spentTokens(10)); met.Why != "" {
		t.Errorf("%+v", met)
	}
	f.lost = errors.New("no connection")
	if _, err := b.LimitReached(); enginetest.CodeOf(t, err) != engine.Blocked || !strings.Contains(err.Error(), "no connection") {
		t.Error(err)
	}
	r := run.NewQuestionRun(p, journal.Job{ID: "001"}, &journal.History{})
	if err := b.LimitQuestion(r, &s.Spec); enginetest.CodeOf(t, err) != engine.Blocked {
		t.Error(err)
	}
	if met := report(journal.Session{Number: 1}, spentTokens(39)); met.Why != "" {
		t.Errorf("%+v", met)
	}
	if met := report(journal.Session{Number: 1}, spentTokens(40)); met.Why != "token limit of the day reached: 100 of 100" {
		t.Errorf("%+v", met)
	}
	f.lost = nil
	if err := b.LimitQuestion(r, &s.Spec); err != nil {
		t.Fatal(err)
	}
	f.lost, f.day = errors.New("no connection"), fleet.Amount{Tokens: 200}
	if met := r.Launcher.Allow(journal.Session{Number: 1}, spentTokens(1)); met.Why != "" {
		t.Errorf("%+v", met)
	}
	f.lost = nil
	if met := r.Launcher.Allow(journal.Session{Number: 1}, spentTokens(1)); met.Why != "token limit of the day reached: 200 of 100" {
		t.Errorf("%+v", met)
	}
}

// TestBudget_dayOfFleet: the day of the fleet replaces that of the machine, and the time of others counts.
func TestBudget_dayOfFleet(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	p.Config.Limits.Day.Time = time.Hour
	now := p.Now()
	for id, ago := range map[string]time.Duration{"2026-01-02-001-aaa": time.Hour, "2026-01-02-002-bbb": 3 * time.Hour} {
		data, err := json.Marshal(journal.Session{Number: 1, Began: now.Add(-ago), Seconds: 600, Ended: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []journal.Record{{Time: now.Add(-ago), Attempt: 1, Step: journal.Open}, {Time: now.Add(-ago), Attempt: 1, Step: journal.Heard, Data: data}} {
			if _, err := p.Store.Append(id, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	f := &others{began: now.Add(-2 * time.Hour), day: fleet.NewAmount(0, 0, 0, 20*time.Minute)}
	b := NewBudget(p)
	b.ShareWith(f)
	for _, want := range []time.Duration{30 * time.Minute, 30 * time.Minute} {
		if left, why := b.timeLeft(); left != want || why == "" {
			t.Errorf("%s are left, %q, want %s", left, why, want)
		}
	}
	if len(f.told) != 1 || f.told[0].Took() != 10*time.Minute {
		t.Errorf("the others were told %+v", f.told)
	}
	f.day = fleet.NewAmount(0, 0, 0, 40*time.Minute)
	p.Now = func() time.Time { return now.Add(recent) }
	if left, _ := b.timeLeft(); left != 10*time.Minute {
		t.Errorf("%s are left", left)
	}
	if !slices.ContainsFunc(f.told, func(a fleet.Amount) bool { return a.Took() == 10*time.Minute }) {
		t.Errorf("the others were told %+v", f.told)
	}
}
