package advice

import (
	"context"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// The states of a run on another machine of the fleet, besides Running.
const (
	AwaitsLanding = "waits for its landing"
	AwaitsMachine = "waits for a machine"
)

// Elsewhere has what the machines of a fleet do with specs, or have done, by spec: those that have no run in this clone
// and have not landed here. Some of them may have landed in the remote; then no machine is named.
type Elsewhere map[string]fleet.Claim

// ReadElsewhere returns what the machines of a fleet do with some specs, as this clone has fetched it last; nil where it
// takes part in no fleet. It uses no network.
func ReadElsewhere(ctx context.Context, p *engine.Project, specs ...*spec.Spec) Elsewhere {
	if !fleet.TakesPart(p.Repo, p.Config.Fleet.URL) {
		return nil
	}
	all, err := fleet.FetchedClaims(ctx, p.Repo)
	if err != nil {
		engine.Warn(p, "", err.Error())
	}
	e := Elsewhere{}
	var free []*spec.Spec
	for _, s := range specs {
		// What this clone has itself counts more than what it has fetched.
		if s.Branch != "" || s.Archived || s.Status == spec.Completed || s.Status == spec.Cancelled {
			continue
		}
		if c, claimed := all[s.ID]; claimed {
			e[s.ID] = c
		} else {
			free = append(free, s)
		}
	}
	for _, id := range landedThere(ctx, p, free) {
		e[id] = fleet.Claim{State: landed}
	}
	return e
}

// landed is the state of a spec that has landed in the remote and not in this clone. No claim has it.
const landed fleet.ClaimState = "landed"

// landedThere returns which specs are completed on the target of the remote, as it was fetched last, and not here.
func landedThere(ctx context.Context, p *engine.Project, specs []*spec.Spec) []string {
	target, err := engine.Target(ctx, p)
	if err != nil || len(specs) == 0 {
		// Whatever needs the target reports that it is missing.
		return nil
	}
	here, there := "refs/heads/"+target, "refs/remotes/"+fleet.RemoteName(p.Repo, p.Config.Fleet.Remote)+"/"+target
	changes, err := p.Repo.Diff(ctx, here, there)
	if err != nil {
		// Nothing was fetched yet.
		return nil
	}
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.Path] = true
	}
	var out []string
	for _, s := range specs {
		if !changed[store.SpecPath(s.ID)] {
			continue
		}
		if got, err := p.Store.ReadAt(ctx, there, s.ID); err == nil && got.Status == spec.Completed {
			out = append(out, s.ID)
		}
	}
	return out
}

// LandedThere returns how many specs have landed in the remote and not in this clone.
func (e Elsewhere) LandedThere() int {
	n := 0
	for _, c := range e {
		if c.State == landed {
			n++
		}
	}
	return n
}

// As returns a spec with the status that it has on the machine that works on it; the spec itself if none does.
func (e Elsewhere) As(s *spec.Spec) *spec.Spec {
	c, there := e[s.ID]
	if !there {
		return s
	}
	// A copy, since others use the spec as it is here.
	seen := *s
	seen.Status, seen.Landed = statusThere(c), c.State == landed
	if c.State == fleet.Ended {
		seen.Fields.Reason, seen.Fields.ReasonCode = c.Reason, ""
	}
	return &seen
}

// statusThere is the status of a spec with a claim.
func statusThere(c fleet.Claim) spec.Status {
	switch c.State {
	case fleet.Working:
		return spec.InProgress
	case fleet.Completed, landed:
		return spec.Completed
	case fleet.Returned:
		return spec.Pending
	case fleet.Ended:
	}
	switch s := spec.Status(c.Status); s {
	case spec.Failed, spec.Paused, spec.Cancelled:
		return s
	}
	return spec.NeedsAttention
}

// RunThere returns the state of the run of a spec on another machine, "" if it has ended or there is none.
func (e Elsewhere) RunThere(id string) string {
	c, there := e[id]
	switch {
	case !there:
		return ""
	case c.State == fleet.Working:
		return Running
	case c.State == fleet.Completed:
		return AwaitsLanding
	case c.State == fleet.Returned:
		return AwaitsMachine
	}
	return ""
}

// Conclude concludes for a spec that another machine works on, or has worked on.
func (e Elsewhere) Conclude(id string) (why string, step next.Step) {
	c := e[id]
	var out conclusion
	if open := c.OpenQuestions(); len(open) > 0 {
		out = conclude(next.Answer.On(id), "its agent on machine %q asks: %s", c.Worker, OneLine(open[0].Prompt))
		return out.Why, out.Next
	}
	switch c.State {
	case fleet.Working:
		out = conclude(next.Log.On(id).Flag("follow"), "machine %q of the fleet works on it", c.Worker)
	case fleet.Completed:
		out = conclude(next.FleetStatus.On(), "completed on machine %q; the fleet will land it", c.Worker)
	case fleet.Returned:
		out = conclude(next.FleetStatus.On(), "it waits for a machine of the fleet; %q gave it back%s", c.Worker, Because(c.Reason))
	case landed:
		out = conclude(next.Shell("git pull"), "it has landed in the remote, and this clone does not have that yet")
	default:
		out = conclude(next.FleetRetry.On(id), "its run on machine %q ended as %s%s", c.Worker, statusThere(c), Because(c.Reason))
	}
	return out.Why, out.Next
}
