package journal

import (
	"fmt"
	"testing"
	"time"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestHistory_questions: what each method of a history returns after these records.
func TestHistory_questions(t *testing.T) {
	t.Parallel()
	open := Record{Attempt: 1, Step: Open, State: Begin, Data: raw(`{"id":"001","no_merge":true}`)}
	begin := func(step Step) Record { return Record{Attempt: 1, Step: step, State: Begin} }
	done := func(step Step, data string) Record {
		return Record{Attempt: 1, Step: step, State: Done, Data: raw(data)}
	}
	note := func(step Step, data string) Record {
		return Record{Attempt: 1, Step: step, State: Note, Data: raw(data)}
	}
	drop := Record{Step: Drop, State: Done}
	again := note(Open, `{"id":"001","keep_worktree":true}`)
	type answers struct {
		open, agentBegan, atWork, complete, crashed bool
		commit                                      string
	}
	for name, tc := range map[string]struct {
		records []Record
		want    answers
	}{
		"nothing":                 {nil, answers{}},
		"opened":                  {[]Record{open, begin(Branch)}, answers{open: true}},
		"agent at work":           {[]Record{open, begin(Agent), note(Agent, `{"pid":1}`)}, answers{open: true, agentBegan: true, atWork: true, crashed: true}},
		"agent ended":             {[]Record{open, begin(Agent), done(Agent, `{"ok":true}`), begin(Collect)}, answers{open: true, agentBegan: true, crashed: true}},
		"resolving conflicts":     {[]Record{open, begin(Resolve), note(Agent, `{"pid":1}`)}, answers{open: true, agentBegan: true, atWork: true, crashed: true}},
		"completed":               {[]Record{open, begin(Agent), done(Agent, `{}`), done(Complete, `"c0ffee"`)}, answers{open: true, agentBegan: true, crashed: true, complete: true, commit: "c0ffee"}},
		"completed and closed":    {[]Record{open, begin(Agent), done(Complete, `"c0ffee"`), done(Close, `"tip"`)}, answers{agentBegan: true, complete: true, commit: "c0ffee"}},
		"dropped":                 {[]Record{open, begin(Agent), done(Complete, `"c0ffee"`), drop}, answers{}},
		"taken up after a crash":  {[]Record{open, begin(Agent), again, done(Close, `"tip"`)}, answers{agentBegan: true, crashed: true}},
		"taken up after its end":  {[]Record{open, begin(Agent), done(Close, `"tip"`), again, done(Close, `"tip"`)}, answers{agentBegan: true}},
		"another attempt":         {[]Record{open, begin(Agent), done(Complete, `"c0ffee"`), done(Close, `""`), {Attempt: 2, Step: Open, State: Begin}}, answers{open: true, agentBegan: true, commit: "c0ffee"}},
		"a record before opening": {[]Record{begin(Agent), done(Complete, `"c0ffee"`)}, answers{}},
	} {
		h := history(t, tc.records...)
		got := answers{h.Open() != nil, h.AgentBegan(), h.AgentAtWork(), h.WorkComplete(), h.HasCrashed(), h.CompleteCommit()}
		assert.Equal(t, tc.want, got, "%s", name)
	}
	a := history(t, open, again).Last()
	assert.True(t, a.Job.NoMerge, "opened as %+v, taken up as %+v", a.Job, a.Taken)
	assert.False(t, a.Job.KeepTree, "opened as %+v, taken up as %+v", a.Job, a.Taken)
	assert.False(t, a.Taken.NoMerge, "opened as %+v, taken up as %+v", a.Job, a.Taken)
	assert.True(t, a.Taken.KeepTree, "opened as %+v, taken up as %+v", a.Job, a.Taken)
}

// TestHistory_vouched: a person vouches for criteria after a crash. A record from the time when an agent is running is
// not a person's.
func TestHistory_vouched(t *testing.T) {
	t.Parallel()
	open, agent := Record{Attempt: 1, Step: Open, State: Begin}, Record{Attempt: 1, Step: Agent, State: Begin}
	behind := Record{Attempt: 1, Step: Guard, State: Failed, Data: raw(`["a hook was changed"]`)}
	closed := Record{Attempt: 1, Step: Close, State: Done}
	trust := func(data string) Record { return Record{Step: Trust, State: Done, Data: raw(data)} }
	for name, tc := range map[string]struct {
		records                     []Record
		vouched, accepted, isBehind bool
	}{
		"of chant":             {[]Record{open, agent, behind, closed, trust(`{"commit":"c"}`)}, false, false, true},
		"by a person":          {[]Record{open, agent, behind, closed, trust(`{"commit":"c","vouched":true}`)}, true, false, true},
		"accepted":             {[]Record{open, agent, behind, closed, trust(`{"commit":"c","vouched":true,"accepted":true}`)}, true, true, false},
		"while an agent works": {[]Record{open, agent, behind, trust(`{"commit":"c","vouched":true,"accepted":true}`)}, false, false, true},
	} {
		h := history(t, tc.records...)
		assert.True(t, h.Trusted != nil, "%v %v", name, h.Trusted)
		assert.Equal(t, "c", h.Trusted.Commit, "%v", name)
		assert.Equal(t, tc.vouched, h.Trusted.Vouched, "%v", name)
		assert.Equal(t, tc.accepted, h.Trusted.Accepted, "%v", name)
		assert.Equal(t, tc.isBehind, len(h.Last().Behind) > 0, "%v", name)
	}
	edited := history(t, open, trust(`{"commit":"c"}`), Record{Step: Edited, State: Note, Data: raw(`{"commit":"e","counts":"new"}`)}, Record{Step: Edited, State: Done, Data: raw(`"f"`)})
	assert.Equal(t, "new", edited.Trusted.Text)
	assert.Equal(t, []string{"e"}, edited.Last().Carried)
	assert.Equal(t, []string{"f"}, edited.Edits)
}

// TestHistory_sessions: the last record of a session counts, by its number; a session without an end lasted until then.
func TestHistory_sessions(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	heard := func(after time.Duration, data string) Record {
		return Record{Time: noon.Add(after), Attempt: 1, Step: Heard, State: Note, Data: raw(fmt.Sprintf(data, noon.Format(time.RFC3339)))}
	}
	h := history(t, Record{Time: noon, Attempt: 1, Step: Open}, heard(time.Second, `{"number":1,"began":%q}`), heard(5*time.Second, `{"number":1,"session_id":"s","began":%q}`),
		heard(6*time.Second, `{"number":2,"began":%q}`), heard(9*time.Second, `{"number":2,"began":%q,"seconds":3,"ended":true}`))
	got := h.Last().Sessions
	assert.Equal(t, 2, len(got))
	assert.Equal(t, "s", got[0].ID)
	assert.Equal(t, 5, got[0].Seconds)
	assert.Equal(t, 3, got[1].Seconds)
	assert.True(t, got[1].Ended, "%+v", got)
	assert.True(t, got[1].Told.Equal(noon.Add(9*time.Second)), "%+v", got)
	for _, s := range append(got, Session{Ended: true, Process: &providers.Process{PID: 1}}) {
		assert.False(t, s.AtWork(), "at work: %+v", s)
	}
	question := history(t, heard(time.Second, `{"number":1,"spec":"001","began":%q}`))
	assert.Equal(t, 1, len(question.Attempts))
	assert.Equal(t, "001", question.Last().Sessions[0].Spec)
	assert.False(t, question.AgentBegan())
}

// TestAttempt_halfDone: a step is half done while it has begun, or while its failure is being recorded.
func TestAttempt_halfDone(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		steps map[Step]State
		want  bool
	}{
		"not begun":      {map[Step]State{}, false},
		"begun":          {map[Step]State{Land: Begin}, true},
		"done":           {map[Step]State{Land: Done}, false},
		"failed":         {map[Step]State{Land: Failed}, false},
		"being settled":  {map[Step]State{Land: Failed, Settle: Begin}, true},
		"settled":        {map[Step]State{Land: Failed, Settle: Done}, false},
		"something else": {map[Step]State{Clean: Begin}, false},
	} {
		assert.Equal(t, tc.want, (&Attempt{Steps: tc.steps}).IsHalfDone(Land), "%s", name)
	}
}

// TestAgentReport: how an agent ended, in one line, and the usage that it reported.
func TestAgentReport(t *testing.T) {
	t.Parallel()
	cost := 0.5
	for want, a := range map[string]AgentReport{
		"ok after 2.5 s": {OK: true, Seconds: 2.5, Reason: "x"},
		"exit code 3":    {Reason: "exit code 3"},
	} {
		if got := a.Summary(); got != want || a.Spent() != nil {
			t.Errorf("%q, want %q; spent %+v", got, want, a.Spent())
		}
	}
	for name, a := range map[string]AgentReport{"cost": {CostUSD: &cost}, "turns": {Turns: 2}, "usage": {Usage: &providers.Usage{Input: 1}}} {
		a.Model = "m"
		got := a.Spent()
		assert.True(t, got != nil, "%s: %+v", name, got)
		assert.Equal(t, "m", got.Model, "%s", name)
		assert.Equal(t, a.Turns, got.Turns, "%s", name)
		assert.True(t, got.CostUSD == a.CostUSD, "%s: %+v", name, got)
		assert.True(t, got.Usage == a.Usage, "%s: %+v", name, got)
	}
}
