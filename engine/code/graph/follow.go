package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chant/engine/code/chunk"
)

// Direction is in which direction links are followed.
type Direction int

// Directions.
const (
	Out  Direction = iota // to what a node uses
	In                    // to what uses a node
	Both                  // from the starts in both, and further in the direction of the first hop
)

// Traversal describes which links are followed, and how far.
type Traversal struct {
	Direction Direction
	Kinds     []chunk.EdgeKind // nil for all
	Depth     int              // hops
	Max       int              // nodes that are found at most, without the starts; 0 for no limit
	Names     map[int]string   // of nodes that define several names: the one that is meant
	Foreign   bool             // also to what is defined elsewhere
	Hop       func(hop, found int)
}

// Step is a node that was reached.
type Step struct {
	Node       int
	Hop        int // 0 for a start
	From       int // the node before it; -1 for a start
	Kind       chunk.EdgeKind
	Inward     bool // it uses the node before it
	Confidence float64
	Exact      bool // a type checker has found all links from the start
}

// Follow returns what is reached from the starts, which come first. It ends early with the context.
func (g *Graph) Follow(ctx context.Context, starts []int, w Traversal) []Step {
	var steps []Step
	seen := map[int]bool{}
	for _, n := range starts {
		if !seen[n] {
			seen[n] = true
			steps = append(steps, Step{Node: n, From: -1, Confidence: 1, Exact: true})
		}
	}
	first := 0
	for hop := 1; hop <= w.Depth && ctx.Err() == nil; hop++ {
		if w.Hop != nil {
			w.Hop(hop, len(steps))
		}
		// Within a hop, the surest link to a node counts; a node of an earlier hop is never replaced.
		found := map[int]Step{}
		for _, s := range steps[first:] {
			g.eachNeighbor(s, hop, w, func(next Step) {
				if known, ok := found[next.Node]; !seen[next.Node] && (!ok || better(next, known)) {
					found[next.Node] = next
				}
			})
		}
		next := make([]Step, 0, len(found))
		for _, s := range found {
			next = append(next, s)
		}
		// The map has no order, and the limit below must cut the same nodes each time.
		slices.SortFunc(next, func(a, b Step) int { return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), g.order(a.Node, b.Node)) })
		if w.Max > 0 && len(steps)-len(starts)+len(next) > w.Max {
			next = next[:max(0, w.Max-(len(steps)-len(starts)))]
		}
		first = len(steps)
		for _, s := range next {
			seen[s.Node] = true
		}
		if steps = append(steps, next...); len(next) == 0 {
			break
		}
	}
	return steps
}

// eachNeighbor calls add for each node that is one link away.
func (g *Graph) eachNeighbor(s Step, hop int, w Traversal, add func(Step)) {
	wanted := func(l Link) bool {
		// What is defined elsewhere is used everywhere, so a question about the worktree would drown in it.
		if l.To >= g.own && l.To != s.Node && !w.Foreign {
			return false
		}
		// The question means one of several names of this node.
		if name := w.Names[l.To]; name != "" && l.Kind != chunk.Inherits && l.Name != name {
			return false
		}
		return w.Kinds == nil || slices.Contains(w.Kinds, l.Kind)
	}
	next := func(l Link, to int) Step {
		return Step{Node: to, Hop: hop, From: s.Node, Kind: l.Kind, Inward: to == l.From, Confidence: s.Confidence * l.Confidence, Exact: s.Exact && l.Exact}
	}
	// After the first hop the direction stays: turning back would connect everything that uses one thing.
	if w.Direction == Out || w.Direction == Both && (s.From < 0 || !s.Inward) {
		for _, l := range g.out[s.Node] {
			if wanted(l) {
				add(next(l, l.To))
			}
		}
	}
	if w.Direction == In || w.Direction == Both && (s.From < 0 || s.Inward) {
		for _, l := range g.in[s.Node] {
			if wanted(l) {
				add(next(l, l.From))
			}
		}
	}
}

func better(a, b Step) bool {
	if a.Confidence != b.Confidence {
		return a.Confidence > b.Confidence
	}
	if a.Exact != b.Exact {
		return a.Exact
	}
	return a.From < b.From
}

// order compares nodes by their paths and lines.
func (g *Graph) order(a, b int) int {
	x, y := &g.Nodes[a], &g.Nodes[b]
	return cmp.Or(strings.Compare(x.Path, y.Path), cmp.Compare(x.StartLine, y.StartLine), cmp.Compare(a, b))
}

// Chain is a way along links, in the direction of use: each node uses the next one.
type Chain struct {
	Nodes      []int
	Confidence float64
	Exact      bool // a type checker has found all its links
}

// Chains returns the ways from the starts to the nodes at which Follow has ended, the longest and surest first.
func (g *Graph) Chains(steps []Step, limit int) []Chain {
	at := map[int]Step{}
	passed := map[int]bool{}
	for _, s := range steps {
		at[s.Node] = s
		if s.From >= 0 {
			passed[s.From] = true
		}
	}
	var chains []Chain
	for _, s := range steps {
		// A node that another step goes through is in the middle of a chain.
		if s.Hop == 0 || passed[s.Node] {
			continue
		}
		c := Chain{Nodes: []int{s.Node}, Confidence: s.Confidence, Exact: s.Exact}
		for step := s; step.From >= 0; step = at[step.From] {
			c.Nodes = append(c.Nodes, step.From)
		}
		if !s.Inward {
			slices.Reverse(c.Nodes)
		}
		chains = append(chains, c)
	}
	slices.SortStableFunc(chains, func(a, b Chain) int {
		return cmp.Or(cmp.Compare(len(b.Nodes), len(a.Nodes)), cmp.Compare(b.Confidence, a.Confidence))
	})
	return chains[:min(len(chains), limit)]
}

// Path returns the shortest way by which one of the starts reaches one of the ends, false if there is none within depth
// hops. names are those of Way.
func (g *Graph) Path(ctx context.Context, starts, ends []int, depth int, names map[int]string) (Chain, bool) {
	foreign := slices.ContainsFunc(ends, func(n int) bool { return n >= g.own })
	steps := g.Follow(ctx, starts, Traversal{Direction: Out, Depth: depth, Names: names, Foreign: foreign})
	at := map[int]Step{}
	for _, s := range steps {
		at[s.Node] = s
	}
	// The steps are in the order of their hops, so the first hit is the shortest way.
	for _, s := range steps {
		if !slices.Contains(ends, s.Node) || s.Hop == 0 {
			continue
		}
		c := Chain{Nodes: []int{s.Node}, Confidence: s.Confidence, Exact: s.Exact}
		for step := s; step.From >= 0; step = at[step.From] {
			c.Nodes = append(c.Nodes, step.From)
		}
		slices.Reverse(c.Nodes)
		return c, true
	}
	return Chain{}, false
}
