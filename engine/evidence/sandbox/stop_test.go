package sandbox

import (
	"encoding/json"
	"testing"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/providers"
)

// TestStopAsked: of the questions asked in the check tree of a spec, those without an end are recorded as ended at the
// time of their last record. The processes no longer exist.
func TestStopAsked(t *testing.T) {
	t.Parallel()
	st := store.OpenRepository(repository(t), "")
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	process := &providers.Process{PID: 1 << 30, Started: "long ago", RunID: "gone"}
	for _, s := range []journal.Session{
		{Number: 1, Place: "a", Process: process},
		{Number: 2, Place: "b", Process: process},
		{Number: 3, Place: "a", Process: process, Ended: true},
		{Number: 4, Place: "a"},
	} {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		rec := journal.Record{Time: began.Add(time.Duration(s.Number) * time.Minute), Step: journal.Heard, State: journal.Done, Data: data}
		if _, err := st.Append(journal.QuestionsName, rec); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time has nothing to do
		if err := StopAsked(t.Context(), st, "a"); err != nil {
			t.Fatal(err)
		}
	}
	h, err := journal.ReadHistory(st, journal.QuestionsName)
	if err != nil {
		t.Fatal(err)
	}
	ended := map[int]bool{}
	for _, a := range h.Attempts {
		for _, s := range a.Sessions {
			ended[s.Number] = s.Ended
			if at := began.Add(time.Duration(s.Number) * time.Minute); !s.Told.Equal(at) {
				t.Errorf("question %d was last recorded at %s, want %s", s.Number, s.Told, at)
			}
		}
	}
	for number, want := range map[int]bool{1: true, 2: false, 3: true, 4: false} {
		if ended[number] != want {
			t.Errorf("question %d: ended %v, want %v", number, ended[number], want)
		}
	}
}
