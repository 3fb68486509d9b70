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

	"github.com/alecthomas/assert/v2"
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
		why, err := b.LimitReached()
		assert.Equal(t, c.started, why, "%s", name)
		assert.NoError(t, err, "%s", name)
		s := specWith(t, "")
		err = b.CheckSpec(&s.Spec, &journal.History{})
		assert.Equal(t, c.started != "", err != nil, "%s", name)
		assert.False(t, err != nil && !strings.Contains(err.Error(), c.started), "%s: %v", name, err)
		report := b.limitFunc(&s.Spec, &journal.History{})
		met := report(journal.Session{Number: 1}, spentTokens(50))
		assert.Equal(t, c.reported, met.Why, "%s", name)
		assert.False(t, met.OfSpec, "%s: %+v, want %q", name, met, c.reported)
		if c.others != nil && p.Config.Limits.Day.Any() {
			assert.Equal(t, 50, c.others.told[len(c.others.told)-1].Tokens, "%s: the others were told %+v", name, c.others.told)
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
	met := report(journal.Session{Number: 1}, spentTokens(10))
	assert.Equal(t, "", met.Why, "%+v", met)
	f.lost = errors.New("no connection")
	_, err := b.LimitReached()
	assert.Equal(t, engine.Blocked, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), "no connection")
	r := run.NewQuestionRun(p, journal.Job{ID: "001"}, &journal.History{})
	err = b.LimitQuestion(r, &s.Spec)
	assert.Equal(t, engine.Blocked, enginetest.CodeOf(t, err))
	met = report(journal.Session{Number: 1}, spentTokens(39))
	assert.Equal(t, "", met.Why, "%+v", met)
	met = report(journal.Session{Number: 1}, spentTokens(40))
	assert.Equal(t, "token limit of the day reached: 100 of 100", met.Why, "%+v", met)
	f.lost = nil
	assert.NoError(t, b.LimitQuestion(r, &s.Spec))
	f.lost, f.day = errors.New("no connection"), fleet.Amount{Tokens: 200}
	met = r.Launcher.Allow(journal.Session{Number: 1}, spentTokens(1))
	assert.Equal(t, "", met.Why, "%+v", met)
	f.lost = nil
	met = r.Launcher.Allow(journal.Session{Number: 1}, spentTokens(1))
	assert.Equal(t, "token limit of the day reached: 200 of 100", met.Why, "%+v", met)
}

// TestBudget_dayOfFleet: the day of the fleet replaces that of the machine, and the time of others counts.
func TestBudget_dayOfFleet(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	p.Config.Limits.Day.Time = time.Hour
	now := p.Now()
	for id, ago := range map[string]time.Duration{"2026-01-02-001-aaa": time.Hour, "2026-01-02-002-bbb": 3 * time.Hour} {
		data, err := json.Marshal(journal.Session{Number: 1, Began: now.Add(-ago), Seconds: 600, Ended: true})
		assert.NoError(t, err)
		for _, r := range []journal.Record{{Time: now.Add(-ago), Attempt: 1, Step: journal.Open}, {Time: now.Add(-ago), Attempt: 1, Step: journal.Heard, Data: data}} {
			_, err := p.Store.Append(id, r)
			assert.NoError(t, err)
		}
	}
	f := &others{began: now.Add(-2 * time.Hour), day: fleet.NewAmount(0, 0, 0, 20*time.Minute)}
	b := NewBudget(p)
	b.ShareWith(f)
	for _, want := range []time.Duration{30 * time.Minute, 30 * time.Minute} {
		left, why := b.timeLeft()
		assert.Equal(t, want, left)
		assert.NotEqual(t, "", why)
	}
	assert.Equal(t, 1, len(f.told), "the others were told")
	assert.Equal(t, 10*time.Minute, f.told[0].Took(), "the others were told")
	f.day = fleet.NewAmount(0, 0, 0, 40*time.Minute)
	p.Now = func() time.Time { return now.Add(recent) }
	left, _ := b.timeLeft()
	assert.Equal(t, 10*time.Minute, left)
	assert.True(t, slices.ContainsFunc(f.told, func(a fleet.Amount) bool { return a.Took() == 10*time.Minute }), "the others were told %+v", f.told)
}
