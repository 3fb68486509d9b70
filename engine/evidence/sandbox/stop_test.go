package sandbox

import (
	"encoding/json"
	"testing"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/store"
	"chant/providers"

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
		rec := journal.Record{Time: began.Add(time.Duration(s.Number) * time.Minute), Step: journal.Heard, State: journal.Done, Data: data}
		_, err = st.Append(journal.QuestionsName, rec)
		assert.NoError(t, err)
	}
	for range 2 { // the second time has nothing to do
		assert.NoError(t, StopAsked(t.Context(), st, "a"))
	}
	h, err := journal.ReadHistory(st, journal.QuestionsName)
	assert.NoError(t, err)
	ended := map[int]bool{}
	for _, a := range h.Attempts {
		for _, s := range a.Sessions {
			ended[s.Number] = s.Ended
			at := began.Add(time.Duration(s.Number) * time.Minute)
			assert.True(t, s.Told.Equal(at), "question %d was last recorded at %s, want %s", s.Number, s.Told, at)
		}
	}
	for number, want := range map[int]bool{1: true, 2: false, 3: true, 4: false} {
		assert.Equal(t, want, ended[number], "question %d: ended", number)
	}
}
