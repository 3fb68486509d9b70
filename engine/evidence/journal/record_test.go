package journal

import (
	"encoding/json"
	"testing"

	"chant/engine/spec/next"

	"github.com/alecthomas/assert/v2"
)

// history reads records as if from a journal.
func history(t *testing.T, records ...Record) *History {
	t.Helper()
	h := &History{}
	for _, rec := range records {
		h.add(rec)
	}
	return h
}

func raw(v string) json.RawMessage { return json.RawMessage(v) }

func TestHistory_showsWhereARunWasKilled(t *testing.T) {
	t.Parallel()
	h := history(t,
		Record{Attempt: 1, Step: Open, State: Begin, Data: raw(`{"id":"a","attempt":1,"branch":"chant/a"}`)},
		Record{Attempt: 1, Step: Branch, State: Begin}, Record{Attempt: 1, Step: Branch, State: Done, Data: raw(`"c1"`)},
		Record{Attempt: 1, Step: Trust, State: Done, Data: raw(`{"commit":"c1"}`)},
		Record{Attempt: 1, Step: Agent, State: Begin},
		Record{Attempt: 1, Step: Agent, State: Note, Data: raw(`{"pid":7,"started":"x","run_id":"r"}`)},
	)
	open := h.Open()
	assert.True(t, open != nil, "open attempt %+v", open)
	assert.Equal(t, Agent, open.Last)
	assert.True(t, open.AgentBegan(), "open attempt %+v", open)
	assert.True(t, open.Agent == nil, "open attempt %+v", open)
	assert.Equal(t, 7, open.Process.PID)
	assert.True(t, h.Trusted != nil, "history %+v", h)
	assert.Equal(t, "c1", h.Trusted.Commit)
	assert.True(t, h.AgentBegan(), "history %+v", h)
}

func TestHistory_dropForgetsTreeAndCriteria(t *testing.T) {
	t.Parallel()
	h := history(t,
		Record{Attempt: 1, Step: Open, State: Begin, Data: raw(`{"id":"a"}`)},
		Record{Attempt: 1, Step: Trust, State: Done, Data: raw(`{"commit":"c1"}`)},
		Record{Attempt: 1, Step: Agent, State: Begin},
		Record{Attempt: 1, Step: Drop, State: Done},
	)
	assert.True(t, h.Open() == nil, "%v", h)
	assert.False(t, h.AgentBegan(), "%v", h)
	assert.True(t, h.Trusted == nil, "%v", h)
	assert.Equal(t, 1, h.Last().Number)
}

func TestHistory_recordsAfterCloseAreIgnored(t *testing.T) {
	t.Parallel()
	h := history(t,
		Record{Attempt: 1, Step: Branch, State: Begin}, // the beginning of the file is lost
		Record{Attempt: 2, Step: Open, State: Begin, Data: raw(`{"id":"a"}`)},
		Record{Attempt: 2, Step: Verify, State: Failed, Data: raw(`"no"`)},
		Record{Attempt: 2, Step: Close, State: Done},
		Record{Attempt: 2, Step: Agent, State: Begin},
	)
	assert.True(t, h.Open() == nil)
	assert.False(t, h.Last().AgentBegan())
	assert.Equal(t, "no", h.Last().Reason)
}

func TestHistory_takeoverKeepsWhatIsKnown(t *testing.T) {
	t.Parallel()
	h := history(t,
		Record{Attempt: 1, Step: Open, State: Begin, Data: raw(`{"id":"a"}`)},
		Record{Attempt: 1, Step: Agent, State: Begin}, Record{Attempt: 1, Step: Agent, State: Done, Data: raw(`{"ok":true}`)},
		Record{Attempt: 1, Step: Complete, State: Done, Data: raw(`"c2"`)},
		Record{Attempt: 1, Step: Close, State: Done},
		Record{Attempt: 1, Step: Open, State: Note},
		Record{Attempt: 1, Step: Land, State: Begin},
	)
	a := h.Open()
	assert.True(t, a != nil, "open attempt %+v", a)
	assert.True(t, a.Agent != nil, "open attempt %+v", a)
	assert.True(t, a.Agent.OK, "open attempt %+v", a)
	assert.Equal(t, "c2", a.Commit)
	assert.Equal(t, Land, a.Last)
	assert.Equal(t, 1, len(h.Attempts))
}

func TestHistory_garbageIsIgnored(t *testing.T) {
	t.Parallel()
	h := history(t,
		Record{Attempt: 1, Step: Open, State: Begin, Data: raw(`[]`)},
		Record{Attempt: 1, Step: Trust, State: Done, Data: raw(`5`)},
		Record{Attempt: 1, Step: Agent, State: Done, Data: raw(`"x"`)},
	)
	if h.Last() == nil || h.Last().Agent != nil && h.Last().Agent.OK || h.Trusted != nil && h.Trusted.Commit != "" {
		t.Errorf("history %+v", h)
	}
}

func TestHistory_cutShort(t *testing.T) {
	t.Parallel()
	begun := []Record{
		{Attempt: 1, Step: Open, State: Begin, Data: raw(`{"id":"a","provider":"one"}`)},
		{Attempt: 1, Step: Complete, State: Begin}, {Attempt: 1, Step: Complete, State: Done, Data: raw(`"c2"`)}, {Attempt: 1, Step: Close, State: Done},
		{Attempt: 1, Step: Open, State: Note, Data: raw(`{"id":"a","provider":"two"}`)},
		{Attempt: 1, Step: Resolve, State: Begin},
	}
	for name, tt := range map[string]struct {
		more []Record
		want Step
	}{
		"killed in it":       {nil, Resolve},
		"killed right after": {[]Record{{Step: Resolve, State: Done}}, Resolve},
		"undone":             {[]Record{{Step: Settle, State: Begin}, {Step: Resolve, State: Note}, {Step: Settle, State: Done}, {Step: Close, State: Done}}, Resolve},
		"continued":          {[]Record{{Step: Resolve, State: Done}, {Step: Collect, State: Begin}}, ""},
		"failed":             {[]Record{{Step: Resolve, State: Failed, Data: raw(`"no"`)}, {Step: Settle, State: Begin}}, ""},
		"landing":            {[]Record{{Step: Resolve, State: Done}, {Step: Complete, State: Done}, {Step: Land, State: Begin}}, ""},
		"dropped":            {[]Record{{Step: Drop, State: Done}}, ""},
	} {
		h := history(t, append(append([]Record(nil), begun...), tt.more...)...)
		assert.Equal(t, tt.want, h.InterruptedStep(), "%s: cut short", name)
		last := h.Last()
		assert.Equal(t, "one", last.Job.Provider, "%s: opened for", name)
		assert.Equal(t, "two", last.Taken.Provider, "%s: opened for", name)
	}
}

// A journal contains a next step as text, as older journals do. An unknown step is kept as it is.
func TestRecord_next(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]next.Step{
		"":                              {},
		"chant work 001 --replay":       next.Work.On("001").Flag("replay"),
		"git status":                    next.Shell("git status"),
		"vi .chant/config.md":           next.EditFile(".chant/config.md"),
		"chant former 001 --way-we-did": next.Shell("chant former 001 --way-we-did"),
	} {
		line := `{"time":"2026-01-02T00:00:00Z","attempt":1,"step":"close","state":"failed","next":"` + text + `"}`
		if text == "" {
			line = `{"time":"2026-01-02T00:00:00Z","attempt":1,"step":"close","state":"failed"}`
		}
		var rec Record
		err := json.Unmarshal(raw(line), &rec)
		assert.NoError(t, err, "%s", line)
		assert.True(t, rec.Next.Equal(want), "%s: %+v, %v, want %+v", line, rec.Next, err, want)
		out, err := json.Marshal(rec)
		assert.NoError(t, err)
		assert.Equal(t, line, string(out))
	}
}
