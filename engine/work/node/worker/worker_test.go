package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work"

	"github.com/alecthomas/assert/v2"
)

// TestWorker_reportSeen: that the fleet does not see a machine is reported once for each reason, and so is its end.
func TestWorker_reportSeen(t *testing.T) {
	t.Parallel()
	var said []string
	w := &Worker{P: &engine.Project{Options: engine.Options{Now: time.Now, Progress: func(ev engine.Event) { said = append(said, ev.Text) }}}}
	lost, refused, away := errors.New("lost"), errors.New("refused"), ""
	for _, err := range []error{nil, lost, lost, refused, nil, nil, lost, nil} {
		away = w.reportSeen(away, err)
	}
	want := []string{
		"the fleet does not see this machine: lost", "the fleet does not see this machine: refused", "the fleet sees this machine again",
		"the fleet does not see this machine: lost", "the fleet sees this machine again",
	}
	assert.Equal(t, want, said)
}

// TestJob_hindered: an error that stays is reported once, and again after a claim.
func TestJob_hindered(t *testing.T) {
	t.Parallel()
	said := 0
	w := &Worker{P: &engine.Project{Options: engine.Options{Now: time.Now, Progress: func(engine.Event) { said++ }}}}
	j := &job{w: w, id: "a"}
	for range 3 {
		end := j.recordHindrance(errors.New("x"))
		assert.Equal(t, retryDelay, end.later)
		assert.Equal(t, "x", end.why)
	}
	w.clearHindrance()
	j.recordHindrance(errors.New("x"))
	assert.Equal(t, 2, said)
}

// TestSituation_decide: a claim is respected while its worker is alive and says that it works on the spec.
func TestSituation_decide(t *testing.T) {
	t.Parallel()
	claimed := func(worker string, state fleet.ClaimState) fleet.Held {
		return fleet.Held{Claim: fleet.Claim{ID: "a", Worker: worker, State: state}, Hash: "h"}
	}
	alive := []fleet.Node{{Name: "other", Running: []string{"a", "b"}}, {Name: "idle"}}
	for name, c := range map[string]struct {
		s    situation
		want action
	}{
		"ready, no claim":                    {situation{ready: true}, take},
		"not ready any more":                 {situation{}, skip},
		"landed":                             {situation{over: "it is completed on the target", ready: true}, skip},
		"returned and cancelled meanwhile":   {situation{over: "it is cancelled on the target", claim: claimed("other", fleet.Returned)}, skip},
		"worked on in this process":          {situation{mine: true, ready: true}, later},
		"completed":                          {situation{claim: claimed("other", fleet.Completed), nodes: alive}, skip},
		"proposed":                           {situation{claim: claimed("other", fleet.Proposed), nodes: alive}, skip},
		"ended":                              {situation{claim: claimed("other", fleet.Ended), nodes: alive}, skip},
		"returned":                           {situation{claim: claimed("other", fleet.Returned), nodes: alive}, take},
		"worked on elsewhere":                {situation{claim: claimed("other", fleet.Working), nodes: alive}, later},
		"its worker is gone":                 {situation{claim: claimed("gone", fleet.Working), nodes: alive}, take},
		"its worker does something else":     {situation{claim: claimed("idle", fleet.Working), nodes: alive}, take},
		"its worker is gone, the server was": {situation{claim: claimed("gone", fleet.Working), nodes: alive, unsure: true}, later},
		"it is listed without the spec":      {situation{claim: claimed("idle", fleet.Working), nodes: alive, unsure: true}, take},
		"an earlier process of this worker":  {situation{claim: claimed("me", fleet.Working), nodes: alive}, take},
		"this worker, although it is listed": {situation{claim: claimed("me", fleet.Working), nodes: []fleet.Node{{Name: "me", Running: []string{"a"}}}}, take},
	} {
		c.s.me = "me"
		got, why := c.s.decide()
		assert.Equal(t, c.want, got, "%s", name)
		assert.False(t, got != take && why == "", "%s: %s (%s), want %s", name, got, why, c.want)
	}
}

// TestJob_final: a spec is given back when the machine is at fault, at most maxReturns times.
func TestJob_final(t *testing.T) {
	t.Parallel()
	const id = "2026-11-27-001-aaa"
	p, _ := enginetest.Project(t)
	w := &Worker{P: p, left: make(chan struct{}, 1), Remote: &fleet.Remote{Repo: p.Repo}, Node: fleet.Node{Name: "w"}, budget: usage.NewBudget(p)}
	for _, c := range []struct {
		attempt int
		reason  string
		err     error
		want    fleet.ClaimState
	}{
		{1, "the criterion does not hold", nil, fleet.Ended},
		{1, "", engine.Fail(engine.State, next.Status.On(), "it is cancelled"), fleet.Ended},
		{1, "", engine.Fail(engine.Blocked, next.Status.On(), "it waits for another one (in_progress)"), fleet.Returned},
		{1, "git reset: unable to write file out/a.txt", nil, fleet.Returned},
		{1, "cp: error writing 'x': No space left on device", nil, fleet.Returned},
		{1, `git commit: locked by "/c/.git/worktrees/a/HEAD.lock", which still exists after 10s; remove it if no git process is running`, nil, fleet.Returned},
		{maxReturns, "git reset: unable to write file out/a.txt", nil, fleet.Ended},
		{maxReturns, "cp: error writing 'x': No space left on device", nil, fleet.Ended},
		{maxReturns, "", engine.Fail(engine.Blocked, next.Status.On(), "it waits for another one (in_progress)"), fleet.Ended},
	} {
		j := &job{w: w, id: id}
		got := j.final(t.Context(), t.Context(), c.attempt, work.WorkResult{ID: id, Status: spec.Failed, Reason: c.reason}, c.err)
		assert.Equal(t, c.want, got.state, "attempt %d, %q: %+v", c.attempt, c.reason, got)
	}
}

// TestJob_sendLog: a log arrives whole and once, although the server of the queue is away for a while, also at the end.
func TestJob_sendLog(t *testing.T) {
	t.Parallel()
	const id = "2026-11-27-001-aaa"
	p, _ := enginetest.Project(t)
	var got strings.Builder
	fails, asked := 2, make(chan struct{}, 100)
	j := &job{w: &Worker{P: p}, id: id, send: func(_ context.Context, part []byte) error {
		asked <- struct{}{}
		if fails--; fails >= 0 {
			return errors.New("no connection")
		}
		got.Write(part)
		return nil
	}}
	path := p.Store.LogPath(id)
	write := func(text string) {
		t.Helper()
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		assert.NoError(t, err)
		defer f.Close()
		_, err = f.WriteString(text)
		assert.NoError(t, err)
	}
	write("of an earlier attempt\n")
	j.logged = sizeOf(path)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); j.sendLog(ctx) }()
	want := strings.Repeat("0123456789abcde\n", 3*maxLogPart/16) + "last\n"
	write(want)
	for range 6 { // two that fail, three whole parts and the rest
		<-asked
	}
	stop()
	<-ended
	fails = 1
	write("after the end\n")
	assert.Error(t, j.sendRest(t.Context()), "the server was away")
	assert.NoError(t, j.sendRest(t.Context()))
	if got.String() != want+"after the end\n" {
		t.Errorf("%d bytes, want %d", got.Len(), len(want)+len("after the end\n"))
	}
}
