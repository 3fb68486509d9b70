package queue

import (
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/schedule"

	"github.com/alecthomas/assert/v2"
)

// What a spec waits for follows the word "for".
func TestBlockersText(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	front := "---\nstatus: pending\n"
	enginetest.Write(t, dir, ".chant/specs/"+numbered(1)+".md", front+"approval: {required: true, status: pending}\n---\n# One\n")
	enginetest.Write(t, dir, ".chant/specs/"+numbered(2)+".md", front+"approval: {required: true, status: approved, hash: other}\n---\n# Two\n")
	enginetest.Write(t, dir, ".chant/specs/"+numbered(3)+".md", front+"depends_on: ["+numbered(1)+"]\n---\n# Three\n")
	p, err := engine.Open(dir, engine.Options{})
	assert.NoError(t, err)
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	for n, want := range map[int]string{
		1: "approval", 2: "a decision: it " + spec.Hold{Kind: spec.HeldByEdit}.String(), 3: numbered(1) + " (pending)",
	} {
		assert.Equal(t, want, blockersText(g, numbered(n)), "%d", n)
	}
}

// TestCrew_addUnended lists each spec of the scope that did not end here under what it waits for, why it was skipped,
// or as ready.
func TestCrew_addUnended(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 1, 2, 13, 0, 0, 0, time.UTC)
	specs := map[string]*spec.Spec{
		"ready":      {Status: spec.Pending},
		"blocked":    {Status: spec.Pending, Fields: spec.Fields{DependsOn: spec.StringList{"ready"}}},
		"held":       {Status: spec.InProgress, Branch: "chant/held"},
		"elsewhere":  {Status: spec.Failed, Branch: "chant/elsewhere"},
		"postponed":  {Status: spec.Paused, Branch: "chant/postponed", Fields: spec.Fields{Retry: &spec.Retry{Next: due.UnixMilli()}}},
		"stopped":    {Status: spec.Paused, Branch: "chant/stopped"},
		"attention":  {Status: spec.NeedsAttention, Branch: "chant/attention"},
		"open":       {Status: spec.NeedsAttention, Fields: spec.Fields{Type: spec.Driver, Reason: "criterion 1 fails"}},
		"open.1":     {Status: spec.Completed, Landed: true},
		"landed":     {Status: spec.Completed, Landed: true},
		"completing": {Status: spec.Completed, Branch: "chant/completing"},
	}
	var all []*spec.Spec
	for id, s := range specs {
		s.ID = id
		all = append(all, s)
	}
	g := spec.NewGraph(all, nil)
	k := crewOf(t)
	hold(t, k.p, "held")
	hold(t, k.p, "completing")
	k.elsewhere["elsewhere"], k.paused = true, []string{"stopped"}
	for id, want := range map[string]string{
		"ready": "ready", "blocked": "waits for ready (pending)", "elsewhere": "skipped: another process had it; it is failed",
		"postponed": "waits for a retry at 2026-01-02T13:00:00Z", "stopped": "paused", "attention": "",
		"open": "waits for a person: criterion 1 fails", "landed": "", "completing": "",
	} {
		assert.Equal(t, want, listed(k, g, id), "%s", id)
	}
	assert.HasPrefix(t, listed(k, g, "held"), "skipped: it is at work in process ")
	k.scope.drivers = []string{"open"}
	assert.Equal(t, "", listed(k, g, "open"), "an open driver that was named")
}

// listed returns where a result lists a spec that did not end here, "" if it does not.
func listed(k *pool, g *spec.Graph, id string) string {
	var r WorkAllResult
	k.addUnended(&r, g, g.Spec(id))
	switch {
	case len(r.Paused) > 0:
		return "paused"
	case len(r.Ready) > 0:
		return "ready"
	case len(r.Waiting) > 0:
		return "waits for " + r.Waiting[0].For
	case len(r.Skipped) > 0:
		return "skipped: " + r.Skipped[0].Why
	}
	return ""
}

// TestCrew_addOpenDrivers adds why a driver that was named did not complete, unless the result mentions it already.
func TestCrew_addOpenDrivers(t *testing.T) {
	t.Parallel()
	p := queued(t)
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	for name, c := range map[string]struct {
		r    WorkAllResult
		want int
	}{
		"nothing is said of it": {WorkAllResult{}, 1},
		"a member waits":        {WorkAllResult{Waiting: []WaitingSpec{{ID: numbered(7) + ".1"}}}, 0},
	} {
		k := crewOf(t)
		k.scope.drivers = []string{numbered(7)}
		assert.NoError(t, k.addOpenDrivers(t.Context(), &c.r, g))
		assert.Equal(t, c.want, len(c.r.Skipped), "%s", name)
		assert.False(t, c.want > 0 && (c.r.Skipped[0].Why != "its member "+numbered(7)+".1 is pending" || !c.r.Skipped[0].waits), "%s: %+v", name, c.r.Skipped)
	}
}

// TestCrew_reportWaiting reports the agents that are waited for, until when, and how many specs wait.
func TestCrew_reportWaiting(t *testing.T) {
	t.Parallel()
	k := crewOf(t)
	var got []engine.Event
	k.p.Progress = func(ev engine.Event) { got = append(got, ev) }
	until := k.p.Now().Add(90 * time.Second)
	k.reportWaiting(schedule.Waiting{Until: until, Ready: 2, Agents: []schedule.Postponed{{Name: "claude", Why: "rate limit"}}})
	k.reportWaiting(schedule.Waiting{Until: until})
	for i, want := range []string{"claude: rate limit until 2026-01-02T12:01:30Z, 1m30s; 2 ready wait", "the next retry until 2026-01-02T12:01:30Z, 1m30s; 0 ready wait"} {
		assert.Equal(t, 2, len(got))
		assert.Equal(t, "waiting", got[i].Kind)
		assert.Equal(t, want, got[i].Text)
		assert.True(t, got[i].Waits.Until.Equal(until), "%+v, want %q", got, want)
	}
}
