package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/schedule"
	"chant/engine/work"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// crewOf returns a crew that works nothing: a test passes it how runs ended.
func crewOf(t *testing.T) *pool {
	t.Helper()
	p, _ := enginetest.Project(t)
	return newPool(p, WorkAllInput{All: true}, &scope{rank: map[string]int{}, all: true, stopped: map[string]bool{}})
}

// TestCrew_recordEnd decides how a run ended by the kind of its error, never by its wording.
func TestCrew_recordEnd(t *testing.T) {
	t.Parallel()
	begun := work.WorkResult{ID: "a", Title: "A"}
	later := time.Date(2026, 1, 2, 13, 0, 0, 0, time.UTC)
	failed := engine.Fail(engine.Agent, next.Log.On("a"), "the agent failed")
	for name, c := range map[string]struct {
		result   work.WorkResult
		err      error
		recovers bool
		want     schedule.Verdict
		listed   string // completed, failed, paused or elsewhere
	}{
		"done":                              {begun, nil, false, schedule.Done, "completed"},
		"failed":                            {begun, failed, false, schedule.Failed, "failed"},
		"refused before it began":           {work.WorkResult{}, failed, false, schedule.Refused, "failed"},
		"its wording is that of a stop":     {begun, errors.New("context canceled"), false, schedule.Failed, "failed"},
		"stopped":                           {begun, fmt.Errorf("x: %w", context.Canceled), false, schedule.Stopped, "paused"},
		"postponed":                         {begun, &journal.Failure{Kind: spec.ReasonAgent, Message: "rate limit", Again: later}, false, schedule.Again, ""},
		"settled":                           {begun, errSettled, false, schedule.Settled, ""},
		"another process had it":            {begun, errTaken, false, schedule.Elsewhere, "elsewhere"},
		"a watch meets a lock in its way":   {work.WorkResult{}, engine.Fail(engine.Conflict, next.Step{}, "locked"), true, schedule.Later, ""},
		"a watch, but it had begun":         {begun, engine.Fail(engine.Conflict, next.Step{}, "locked"), true, schedule.Failed, "failed"},
		"a watch meets a wrong value":       {work.WorkResult{}, engine.Fail(engine.Invalid, next.Step{}, "bad"), true, schedule.Refused, "failed"},
		"a command meets a lock in its way": {work.WorkResult{}, engine.Fail(engine.Conflict, next.Step{}, "locked"), false, schedule.Refused, "failed"},
	} {
		k := crewOf(t)
		if c.recovers {
			k.recover = func(context.Context, *engine.Held) (bool, bool, error) { return false, false, nil }
		}
		k.here["a"] = k.p.Now()
		end := k.recordEnd(t.Context(), schedule.Start{Task: schedule.Task{ID: "a"}}, c.result, c.err)
		got := ""
		switch {
		case len(k.completed) > 0:
			got = "completed"
		case len(k.failed) > 0:
			got = "failed"
		case len(k.paused) > 0:
			got = "paused"
		case k.elsewhere["a"]:
			got = "elsewhere"
		}
		assert.Equal(t, c.want, end.Verdict, "%s", name)
		assert.Equal(t, c.listed, got, "%s", name)
		assert.True(t, k.here["a"].IsZero(), "%s: %v, listed as %q, want %v, %q", name, end.Verdict, got, c.want, c.listed)
		assert.False(t, end.Verdict == schedule.Again && !end.Until.Equal(later), "%s: until %s", name, end.Until)
	}
}

// TestCrew_isElsewhere: only the lock of the spec itself shows that another process holds it.
func TestCrew_isElsewhere(t *testing.T) {
	t.Parallel()
	k := crewOf(t)
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"its own lock":        {&lockfile.HeldError{Path: k.p.Store.LockPath("a")}, true},
		"wrapped":             {fmt.Errorf("x: %w", &lockfile.HeldError{Path: k.p.Store.LockPath("a")}), true},
		"the lock of another": {&lockfile.HeldError{Path: k.p.Store.LockPath("b")}, false},
		"taken meanwhile":     {errTaken, true},
		"a text of its lock":  {errors.New("the lock " + k.p.Store.LockPath("a") + " is held"), false},
		"nothing":             {nil, false},
	} {
		assert.Equal(t, c.want, k.isElsewhere("a", c.err), "%s", name)
	}
}

// TestCrew_succeededLater: a spec that failed and then succeeded does not count as failed.
func TestCrew_succeededLater(t *testing.T) {
	t.Parallel()
	k := crewOf(t)
	start := schedule.Start{Task: schedule.Task{ID: "a"}}
	k.recordEnd(t.Context(), start, work.WorkResult{ID: "a"}, engine.Fail(engine.Agent, next.Step{}, "x"))
	k.recordEnd(t.Context(), schedule.Start{Task: schedule.Task{ID: "b"}}, work.WorkResult{ID: "b"}, errors.New("y"))
	k.recordEnd(t.Context(), start, work.WorkResult{ID: "a", Landed: true}, nil)
	assert.Equal(t, 1, len(k.failed))
	assert.Equal(t, "b", k.failed[0].ID)
	assert.Equal(t, engine.Internal, k.failed[0].Code)
	assert.Equal(t, 1, len(k.completed))
	assert.True(t, k.completed[0].Landed, "failed %+v, completed %+v", k.failed, k.completed)
}

// TestCrew_overallError: a stop comes before an error of the scheduler, that before the first failure, and that before
// a limit.
func TestCrew_overallError(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	first := engine.Fail(engine.Unverified, next.Show.On("a"), "spec a")
	broken := engine.Fail(engine.Invalid, next.Step{}, "graph")
	for name, c := range map[string]struct {
		ctx   context.Context
		first error
		n     int
		limit string
		errs  error
		code  engine.Code
		words string
	}{
		"all went well":         {t.Context(), nil, 0, "", nil, "", ""},
		"stopped":               {stopped, first, 1, "limit", broken, engine.Canceled, "what ran is paused"},
		"broken":                {t.Context(), first, 1, "limit", broken, engine.Invalid, "graph"},
		"one failure":           {t.Context(), first, 1, "", nil, engine.Unverified, "spec a"},
		"three":                 {t.Context(), first, 3, "", nil, engine.Unverified, "3 specs failed, the first of them: spec a"},
		"a limit":               {t.Context(), nil, 0, "cost limit of the day reached", nil, engine.Blocked, "cost limit of the day reached; nothing more was started"},
		"a failure and a limit": {t.Context(), first, 1, "limit", nil, engine.Unverified, "spec a"},
	} {
		k := &pool{first: c.first, limit: c.limit, failed: make([]FailedRun, c.n)}
		err := k.overallError(c.ctx, c.errs)
		assert.Equal(t, c.code, enginetest.CodeOf(t, engine.Wrap(err, "")), "%s", name)
		assert.False(t, err != nil && !strings.Contains(err.Error(), c.words), "%s: %v", name, err)
	}
}

func TestIsTemporary(t *testing.T) {
	t.Parallel()
	for code, want := range map[engine.Code]bool{engine.Internal: true, engine.Conflict: true, engine.Invalid: false, engine.State: false, engine.Blocked: false} {
		assert.Equal(t, want, isTemporary(fmt.Errorf("x: %w", engine.Fail(code, next.Step{}, "x"))), "%s", code)
	}
	assert.False(t, isTemporary(errors.New("internal conflict")), "an error without a code may pass")
}

// TestRecordEnd_again: the time of a retry does not depend on how the clock of this process is set while it waits.
func TestRecordEnd_again(t *testing.T) {
	t.Parallel()
	p, _ := enginetest.Project(t)
	p.Now = time.Now
	k := newPool(p, WorkAllInput{All: true}, &scope{rank: map[string]int{}, all: true, stopped: map[string]bool{}})
	at := time.UnixMilli(time.Now().Add(time.Minute).UnixMilli())
	end := k.recordEnd(t.Context(), schedule.Start{Task: schedule.Task{ID: "a"}}, work.WorkResult{}, &journal.Failure{Message: "rate limit", Again: at})
	left := end.Until.Sub(at).Abs()
	assert.Equal(t, schedule.Again, end.Verdict, "%s", at)
	assert.True(t, left <= time.Second, "%+v, want a time of this process's own clock, %s", end, at)
	assert.Contains(t, end.Until.String(), " m=+", "%s", at)
}

// TestDescribeOutcome checks the text and the kind of the event for the end of a run.
func TestDescribeOutcome(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 13, 0, 0, 0, time.UTC)
	for want, c := range map[string]struct {
		result work.WorkResult
		err    error
	}{
		"landed on main":                                 {work.WorkResult{Landed: true, Target: "main"}, nil},
		"landed on main, nothing to verify":              {work.WorkResult{Landed: true, Target: "main", Verification: criteria.Nothing}, nil},
		"completed on chant/a":                           {work.WorkResult{Branch: "chant/a"}, nil},
		"completed on chant/a, waits for approval":       {work.WorkResult{Branch: "chant/a", Waits: "waits for approval"}, nil},
		"completed on chant/a, nothing to verify":        {work.WorkResult{Branch: "chant/a", Verification: criteria.Nothing}, nil},
		"the run is settled":                             {work.WorkResult{Branch: "chant/a"}, errSettled},
		"waits for its agent until 2026-01-02T13:00:00Z": {work.WorkResult{}, &journal.Failure{Message: "x", Again: at}},
		"it broke": {work.WorkResult{Landed: true}, errors.New("it broke")},
	} {
		assert.Equal(t, want, describeOutcome(c.result, c.err))
	}
	for verdict, want := range map[schedule.Verdict]string{
		schedule.Done: "completed", schedule.Again: "retry", schedule.Elsewhere: "elsewhere", schedule.Stopped: "paused", schedule.Settled: "settled", schedule.Later: "later",
		schedule.Failed: "failed", schedule.Refused: "failed",
	} {
		assert.Equal(t, want, eventKind(verdict), "%v", verdict)
	}
}

// TestWhyNotCompleted checks why nothing was done for a driver, and whether a result mentions it already.
func TestWhyNotCompleted(t *testing.T) {
	t.Parallel()
	p := queued(t)
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	for id, want := range map[string]string{
		numbered(3): "it is completed", numbered(4): "it is cancelled", numbered(9): "it was rejected", numbered(7): "its member " + numbered(7) + ".1 is pending",
	} {
		assert.Equal(t, want, whyNotCompleted(g, g.Spec(id)), "%s", id)
	}
	const driver, member, other = 7, ".1", 1
	for name, c := range map[string]struct {
		r    WorkAllResult
		want bool
	}{
		"nothing":             {WorkAllResult{}, false},
		"itself":              {WorkAllResult{Completed: []CompletedRun{{ID: numbered(driver)}}}, true},
		"a member failed":     {WorkAllResult{Failed: []FailedRun{{ID: numbered(driver) + member}}}, true},
		"a member waits":      {WorkAllResult{Waiting: []WaitingSpec{{ID: numbered(driver) + member}}}, true},
		"a member is skipped": {WorkAllResult{Skipped: []SkippedSpec{{ID: numbered(driver) + member}}}, true},
		"a member is ready":   {WorkAllResult{Ready: []string{numbered(driver) + member}}, true},
		"another spec":        {WorkAllResult{Ready: []string{numbered(other)}, Completed: []CompletedRun{{ID: numbered(other)}}}, false},
	} {
		assert.Equal(t, c.want, mentions(&c.r, g, numbered(driver)), "%s", name)
	}
}

// TestErrorIfOnlyWaiting: that nothing could start is an error only if all remaining specs wait.
func TestErrorIfOnlyWaiting(t *testing.T) {
	t.Parallel()
	p := queued(t)
	waits := []WaitingSpec{{ID: numbered(2), For: "001"}}
	for name, c := range map[string]struct {
		r     WorkAllResult
		words string
	}{
		"nothing is left":              {WorkAllResult{}, ""},
		"one waits":                    {WorkAllResult{Waiting: waits}, `nothing could start; spec "` + numbered(2)},
		"two wait":                     {WorkAllResult{Waiting: append(waits, WaitingSpec{ID: numbered(6)})}, "2 specs wait, the first of them is"},
		"one waits, one was started":   {WorkAllResult{Waiting: waits, Starts: 1}, ""},
		"one waits, one is ready":      {WorkAllResult{Waiting: waits, Ready: []string{numbered(1)}}, ""},
		"one waits, one was completed": {WorkAllResult{Waiting: waits, Completed: []CompletedRun{{}}}, ""},
		"one was skipped, it waits":    {WorkAllResult{Skipped: []SkippedSpec{{ID: numbered(2), waits: true}}}, "nothing could start"},
		"one was skipped for another":  {WorkAllResult{Waiting: waits, Skipped: []SkippedSpec{{ID: numbered(3)}}}, ""},
	} {
		err := errorIfOnlyWaiting(t.Context(), p, c.r)
		assert.Equal(t, c.words == "", err == nil, "%s", name)
		assert.False(t, err != nil && (!strings.Contains(err.Error(), c.words) || enginetest.CodeOf(t, err) != engine.Blocked), "%s: %v", name, err)
	}
}
