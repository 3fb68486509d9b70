package journal

import (
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestHistory_restore takes drops back: what counts is as it was, until another run begins.
func TestHistory_restore(t *testing.T) {
	t.Parallel()
	begun := []Record{
		{Attempt: 1, Step: Open, State: Begin, Data: raw(`{"id":"a"}`)}, {Attempt: 1, Step: Trust, State: Done, Data: raw(`{"commit":"c1"}`)},
		{Attempt: 1, Step: Agent, State: Begin}, {Attempt: 1, Step: Edited, State: Done, Data: raw(`"e1"`)}, {Attempt: 1, Step: Close, State: Done},
		{Attempt: 2, Step: Open, State: Begin, Data: raw(`{"id":"a"}`)}, {Attempt: 2, Step: Complete, State: Done, Data: raw(`"c2"`)},
	}
	drop := Record{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Step: Drop, State: Done, Data: raw(`{"why":"reset","tip":"c2","kept":["r"]}`)}
	again := Record{Step: Restore, State: Done, Data: raw(`{"tip":"c2","undoes":"m"}`)}
	with := func(more ...Record) *History {
		return history(t, append(append([]Record(nil), begun...), more...)...)
	}
	h := with(drop)
	assert.True(t, h.Lost != nil, "dropped: %+v", h.Lost)
	assert.Equal(t, "c2", h.Lost.Tip)
	assert.Equal(t, "reset", h.Lost.Why)
	assert.True(t, h.Lost.At.Equal(drop.Time), "dropped: %+v", h.Lost)
	assert.Equal(t, 1, len(h.Lost.Kept))
	assert.Equal(t, "", h.CompleteCommit())
	h = with(drop, again)
	assert.True(t, h.Trusted != nil, "%v", h)
	assert.Equal(t, "c1", h.Trusted.Commit)
	assert.Equal(t, 1, len(h.Edits))
	assert.Equal(t, "c2", h.CompleteCommit())
	assert.True(t, h.Open() != nil, "%v", h)
	assert.True(t, h.Attempts[0].Closed, "%v", h)
	assert.True(t, h.Lost == nil, "%v", h)
	assert.Equal(t, "m", h.Restored.Undoes)
	back := Record{Step: Drop, State: Done, Data: raw(`{"back":true}`)}
	h = with(drop, again, Record{Step: Trust, State: Done, Data: raw(`{"commit":"c9"}`)}, back)
	assert.True(t, h.Lost != nil, "back: %+v", h.Lost)
	assert.Equal(t, "c2", h.Lost.Tip)
	assert.True(t, h.Trusted == nil, "back: %+v", h.Lost)
	assert.Equal(t, "", h.CompleteCommit())
	assert.True(t, h.Restored == nil, "back: %+v", h.Lost)
	h = with(drop, again, Record{Step: Trust, State: Done, Data: raw(`{"commit":"c9"}`)}, back, again)
	assert.True(t, h.Trusted != nil, "restored again: %+v", h.Trusted)
	assert.Equal(t, "c1", h.Trusted.Commit)
	for name, h := range map[string]*History{
		"a new run":  with(drop, Record{Attempt: 3, Step: Open, State: Begin, Data: raw(`{"id":"a"}`)}, again),
		"no drop":    with(again),
		"twice":      with(drop, again, again),
		"old record": history(t, begun[0], Record{Step: Drop, State: Done, Data: raw(`["r"]`)}),
	} {
		assert.False(t, h.Lost != nil && h.Lost.Tip != "", "%s: %+v", name, h)
		assert.False(t, name == "a new run" && (h.Trusted != nil || h.Restored != nil), "%s: %+v", name, h)
		assert.False(t, name == "no drop" && h.Restored != nil, "%s: %+v", name, h)
	}
}
