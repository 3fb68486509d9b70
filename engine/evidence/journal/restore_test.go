package journal

import (
	"testing"
	"time"
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
	if h.Lost == nil || h.Lost.Tip != "c2" || h.Lost.Why != "reset" || !h.Lost.At.Equal(drop.Time) || len(h.Lost.Kept) != 1 || h.CompleteCommit() != "" {
		t.Errorf("dropped: %+v", h.Lost)
	}
	h = with(drop, again)
	if h.Trusted == nil || h.Trusted.Commit != "c1" || len(h.Edits) != 1 || h.CompleteCommit() != "c2" || h.Open() == nil || !h.Attempts[0].Closed || h.Lost != nil || h.Restored.Undoes != "m" {
		t.Errorf("restored: %+v, last %+v", h, h.Last())
	}
	back := Record{Step: Drop, State: Done, Data: raw(`{"back":true}`)}
	h = with(drop, again, Record{Step: Trust, State: Done, Data: raw(`{"commit":"c9"}`)}, back)
	if h.Lost == nil || h.Lost.Tip != "c2" || h.Trusted != nil || h.CompleteCommit() != "" || h.Restored != nil {
		t.Errorf("back: %+v", h.Lost)
	}
	if h = with(drop, again, Record{Step: Trust, State: Done, Data: raw(`{"commit":"c9"}`)}, back, again); h.Trusted == nil || h.Trusted.Commit != "c1" {
		t.Errorf("restored again: %+v", h.Trusted)
	}
	for name, h := range map[string]*History{
		"a new run":  with(drop, Record{Attempt: 3, Step: Open, State: Begin, Data: raw(`{"id":"a"}`)}, again),
		"no drop":    with(again),
		"twice":      with(drop, again, again),
		"old record": history(t, begun[0], Record{Step: Drop, State: Done, Data: raw(`["r"]`)}),
	} {
		if h.Lost != nil && h.Lost.Tip != "" || name == "a new run" && (h.Trusted != nil || h.Restored != nil) || name == "no drop" && h.Restored != nil {
			t.Errorf("%s: %+v", name, h)
		}
	}
}
