package runs

import (
	"strings"
	"testing"
	"time"

	"chant/engine/run/usage"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
	"chant/engine/work/queue"

	"github.com/alecthomas/assert/v2"
)

// TestRenderWorkAll: the summary names what became of each spec and what it took, with times that are still right the
// next morning, and the commands that a person types next.
func TestRenderWorkAll(t *testing.T) {
	t.Parallel()
	cost := 0.425
	began := time.Date(2026, 11, 25, 22, 14, 0, 0, time.Local)
	r := queue.WorkAllResult{
		Ended: schedule.Finished, BeganAt: began, Seconds: 7*3600 + 60, CostUSD: &cost,
		Completed: []queue.CompletedRun{{ID: "001", Title: "Parse dates", Landed: true, Account: queue.Account{
			Attempts: 2, Elapsed: 310.2, EndedAt: began.Add(time.Hour), Spent: &usage.Spending{Input: 11000, CachedInput: 1200, Output: 950, CostUSD: &cost},
		}}},
		Failed:  []queue.FailedRun{{ID: "002", Title: "Sort", Reason: "it does not hold", Next: next.Edit.On("002"), Account: queue.Account{Attempts: 1, Elapsed: 3.21, EndedAt: began.Add(2 * time.Hour)}}},
		Waiting: []queue.WaitingSpec{{ID: "003", For: "002 (failed)", Title: "Use it"}},
	}
	want := `landed     001  Parse dates
           2 attempts, 5m10s, 12.2k tokens in, 950 out, $0.42; ended 2026-11-25 23:14:00
failed     002  it does not hold
           Sort; 1 attempt, 3.2s; ended 2026-11-26 00:14:00
           next: chant edit 002
waiting    003  for 002 (failed)
           Use it
from 2026-11-25 22:14:00 to 2026-11-26 05:15:00
1 completed, 1 failed, 1 waiting in 7h1m0s, $0.42
`
	var out strings.Builder
	if renderWorkAll(&out, r); out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

func TestAccountText_empty(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.Local)
	for want, a := range map[string]queue.Account{"": {}, "ended 2026-01-02 03:04:00": {EndedAt: at}, "1 attempt": {Attempts: 1}} {
		assert.Equal(t, want, accountText(a))
	}
}
