package node

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/gitops"
	"chant/markdown"
)

// StatusInput has no fields.
type StatusInput struct{}

// StatusResult describes a fleet.
type StatusResult struct {
	URL     string         `json:"url"`
	Project string         `json:"project"`
	Leader  string         `json:"leader,omitempty"`
	Nodes   []fleet.Node   `json:"nodes"`
	Slots   int            `json:"slots"`
	Busy    int            `json:"busy"`
	Queue   *fleet.Backlog `json:"queue,omitempty"` // nil where this machine may not ask for it, as one that only works
	Specs   []ClaimedSpec  `json:"specs"`           // with a claim in the remote
	engine.Page
	Stranded []StrandedSpec `json:"stranded"`           // that are ready, and for which the fleet has no machine now
	Versions []string       `json:"versions,omitempty"` // of chant, if the machines have different ones
}

// StrandedSpec is a spec that no machine of the fleet can work.
type StrandedSpec struct {
	ID       string   `json:"id"`
	Title    string   `json:"title,omitempty"`
	Provider string   `json:"provider,omitempty"` // that it needs
	Labels   []string `json:"labels,omitempty"`   // of runs_on, all of which the machine needs
}

// ClaimedSpec is a spec on which a machine works, or whose work is over and has not landed.
type ClaimedSpec struct {
	ID      string           `json:"id"`
	Title   string           `json:"title,omitempty"`
	Node    string           `json:"node"`
	State   fleet.ClaimState `json:"state"`
	Status  string           `json:"status,omitempty"`
	Attempt int              `json:"attempt"`
	Reason  string           `json:"reason,omitempty"`
	Pull    string           `json:"pull_request,omitempty"` // address of the one for its branch
	Lost    bool             `json:"lost,omitempty"`         // its worker is not alive: another one takes it over
	Next    next.Advice      `json:"next,omitzero"`          // what lets the fleet work on it again: an answer, or another attempt
}

// Status describes the fleet in which the clone takes part: who is there, what waits, what no machine can work, and what is
// being worked on or waits for a landing or for a person. It fetches the claims from the remote.
func Status(ctx context.Context, p *engine.Project, in StatusInput) (StatusResult, error) {
	result, err := status(ctx, p, in)
	return engine.Done(result, err, "")
}

func status(ctx context.Context, p *engine.Project, _ StatusInput) (StatusResult, error) {
	b, m, err := Connect(ctx, p)
	if err != nil {
		return StatusResult{}, err
	}
	defer b.Close()
	r := StatusResult{URL: m.URL, Project: m.Project, Nodes: []fleet.Node{}, Specs: []ClaimedSpec{}, Stranded: []StrandedSpec{}}
	nodes, err := b.Nodes(ctx)
	if err != nil {
		return r, m.problem(err)
	}
	for _, n := range nodes {
		r.Nodes = append(r.Nodes, n)
		r.Slots, r.Busy = r.Slots+n.Slots, r.Busy+len(n.Running)
		if n.Landing {
			r.Leader = n.Name
		}
	}
	if mixed := versionsOf(r.Nodes); len(mixed) > 1 {
		r.Versions = mixed
	}
	backlog, err := b.Backlog(ctx)
	switch {
	case err == nil:
		r.Queue = &backlog
	case !fleet.IsForbidden(err):
		return r, m.problem(err)
	}
	there, err := fetchRemote(ctx, p, *m)
	if err != nil {
		return r, err
	}
	claims, err := there.Claims(ctx)
	if err != nil {
		// One claim that cannot be read must not hide the others.
		engine.Warn(p, "", err.Error())
	}
	_, g, err := engine.Graph(ctx, p)
	if err != nil {
		return r, err
	}
	r.Specs = append(r.Specs, describeClaims(g, claims, nodes)...)
	tip, err := there.Tip(ctx)
	if err != nil {
		return r, err
	}
	r.Stranded, err = findStranded(ctx, p, tip, g, claims, nodes)
	r.Page = engine.Whole(len(r.Specs))
	return r, err
}

// versionsOf lists the versions of chant on machines.
func versionsOf(nodes []fleet.Node) []string {
	var all []string
	for _, n := range nodes {
		all = append(all, cmp.Or(n.Version, "unknown"))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// findStranded lists the specs of a commit that the fleet would offer, have no claim, and need what no machine has.
func findStranded(ctx context.Context, p *engine.Project, tip string, g *spec.Graph, claims map[string]fleet.Held, nodes []fleet.Node) ([]StrandedSpec, error) {
	out := []StrandedSpec{}
	for _, s := range g.Specs() {
		ready, _ := advice.ReadyOrBlocked(p, g, s)
		if _, claimed := claims[s.ID]; claimed || !ready {
			continue
		}
		needs := fleet.Needs{Provider: usage.ProviderOf(p, s), Labels: s.Fields.RunsOn}
		if slices.ContainsFunc(nodes, func(n fleet.Node) bool { return n.Slots > 0 && n.CanWork(needs) }) {
			continue
		}
		there, err := p.Store.ReadAt(ctx, tip, s.ID)
		_, unreadable := errors.AsType[*markdown.SyntaxError](err)
		// Only the target in the remote says whether the fleet could take it.
		switch {
		case errors.Is(err, gitops.ErrNotFound) || unreadable || err == nil && there.Status != s.Status:
			continue // this clone knows another state than the fleet
		case err != nil:
			return out, err
		}
		out = append(out, StrandedSpec{ID: s.ID, Title: s.Title, Provider: needs.Provider, Labels: needs.Labels})
	}
	return out, nil
}

// describeClaims describes the claims in the remote, those that wait for a person first.
func describeClaims(g *spec.Graph, claims map[string]fleet.Held, nodes []fleet.Node) (out []ClaimedSpec) {
	for _, id := range slices.Sorted(maps.Keys(claims)) {
		c := claims[id]
		s := ClaimedSpec{ID: id, Node: c.Worker, State: c.State, Status: c.Status, Attempt: c.Attempt, Reason: c.Reason, Pull: c.Proposal}
		if known := g.Spec(id); known != nil {
			s.Title = known.Title
		}
		s.Lost = c.State == fleet.Working && !slices.ContainsFunc(nodes, func(n fleet.Node) bool {
			return n.Name == c.Worker && slices.Contains(n.Running, id)
		})
		switch {
		case c.State != fleet.Ended:
		case len(c.OpenQuestions()) > 0:
			s.Next = next.Answer.On(id).Because("its agent asks a question")
		default:
			s.Next = next.FleetRetry.On(id).Because("its run has ended as %s", c.Status)
		}
		out = append(out, s)
	}
	rank := map[fleet.ClaimState]int{fleet.Ended: 0, fleet.Proposed: 1, fleet.Completed: 2, fleet.Working: 3, fleet.Returned: 4}
	slices.SortStableFunc(out, func(a, b ClaimedSpec) int { return cmp.Compare(rank[a.State], rank[b.State]) })
	return out
}
