package worker

import (
	"testing"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/work"
	"chant/engine/work/node/fleetstest"
)

// TestJob_final: a spec is given back when the machine is at fault, at most attemptsOfMachine times.
func TestJob_final(t *testing.T) {
	t.Parallel()
	const id = "2026-11-27-001-aaa"
	f := fleetstest.NewFleet(t, map[string]string{".chant/specs/" + id + ".md": "---\nstatus: pending\n---\n# A\n"})
	p, r := f.Clone()
	if err := r.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	base, err := r.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := &Worker{P: p, left: make(chan struct{}, 1), Remote: r, Broker: fleetstest.New(t), Node: fleet.Node{Name: "w"}}
	w.budget = w.sharedBudget()
	var held fleet.Held
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
		{attemptsOfMachine, "git reset: unable to write file out/a.txt", nil, fleet.Ended},
		{attemptsOfMachine, "cp: error writing 'x': No space left on device", nil, fleet.Ended},
		{attemptsOfMachine, "", engine.Fail(engine.Blocked, next.Status.On(), "it waits for another one (in_progress)"), fleet.Ended},
	} {
		lease, err := r.Take(t.Context(), fleet.Claim{ID: id, Worker: "w", Lease: newLease(), Attempt: c.attempt, Base: base}, held)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Fetch(t.Context()); err != nil {
			t.Fatal(err)
		}
		if held, err = r.Claim(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		j := &job{w: w, id: id}
		j.lease.set(lease)
		if got := j.final(t.Context(), t.Context(), work.WorkResult{ID: id, Status: spec.Failed, Reason: c.reason}, c.err); got.state != c.want {
			t.Errorf("attempt %d, %q: %+v, want %s", c.attempt, c.reason, got, c.want)
		}
	}
}
