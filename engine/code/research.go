package code

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/code/chunk"
	"chant/engine/code/graph"
	"chant/engine/code/shelf"
	"chant/engine/spec/next"
)

const (
	maxReferences = 50
	maxTopics     = 10
	maxChains     = 12
	maxStarts     = 5
	maxReached    = 400
)

// Research answers a question about how code is connected, by following references from what the question names, or else
// from what a search finds. Errors: those of Search, Usage for a depth outside of 1 to 5 or an unknown focus.
func Research(ctx context.Context, p *engine.Project, in ResearchInput) (ResearchResult, error) {
	if strings.TrimSpace(in.Query) == "" {
		return ResearchResult{}, usage(next.Research, "Missing or empty required argument: query")
	}
	if in.Depth < 0 || in.Depth > 5 {
		return ResearchResult{}, usage(next.Research, "Depth must be between 1 and 5")
	}
	if in.Focus != "" && !slices.Contains(Focuses(), in.Focus) {
		return ResearchResult{}, usage(next.Research, "Focus must be one of %s", strings.Join(Focuses(), ", "))
	}
	ask := question{asks: next.Research, query: in.Query, folder: in.Path, limit: 20}
	shot, hits, err := ask.search(ctx, p, in.Build, in.Progress)
	if err != nil {
		return ResearchResult{}, err
	}
	r := research{in: in, depth: cmp.Or(in.Depth, 2), names: map[int]string{}}
	if r.graph, r.notices, err = graphOf(ctx, p, shot); err != nil {
		return ResearchResult{}, engine.Fail(engine.Canceled, next.Research.On(in.Query), "Research was cancelled")
	}
	r.intent = graph.ReadIntent(in.Query, func(name string) bool { return len(r.graph.Named(name)) > 0 })
	r.start(hits)
	r.follow(ctx)
	if ctx.Err() != nil {
		return ResearchResult{}, engine.Fail(engine.Canceled, next.Research.On(in.Query), "Research was cancelled")
	}
	result := r.result()
	result.Root = shot.Manifest.Root
	return result, nil
}

// Focuses are the values of ResearchInput.Focus.
func Focuses() []string { return []string{"architecture", "dependencies", "patterns", "flow"} }

// research is one question on its way to an answer.
type research struct {
	in      ResearchInput
	graph   *graph.Graph
	depth   int
	intent  graph.Intent
	starts  []int
	names   map[int]string // of starts that define several names: the one that the question names
	steps   []graph.Step
	chains  []graph.Chain
	named   bool     // the question names the starts; otherwise a search has found them
	notices []string // why links are not exact
}

// keptGraph is the key of the last graph of a worktree among what a server remembers.
type keptGraph struct{ root string }

// drawn is a graph with the snapshot and the facts that it shows.
type drawn struct {
	shot  *shelf.Snapshot
	graph *graph.Graph
	facts goFacts
}

// graphOf returns the graph of all code of a worktree, and why links in it are not exact. The error is that of the context.
func graphOf(ctx context.Context, p *engine.Project, shot *shelf.Snapshot) (*graph.Graph, []string, error) {
	key := keptGraph{shot.Manifest.Root}
	// A graph takes longer to make than a question to answer, so a server keeps the last one.
	if known, ok := p.Recall.Kept(key).(drawn); ok && known.shot == shot && known.facts.isCurrent(p, shot) {
		return known.graph, known.facts.notices, nil
	}
	facts, err := goFactsOf(ctx, p, shot)
	if err != nil {
		return nil, nil, err
	}
	var nodes []graph.Node
	files := shot.Manifest.Searched()
	for i, o := range shot.Outlines(ctx, files) {
		if o.IsDocs() {
			continue
		}
		for _, c := range o.Chunks {
			nodes = append(nodes, graph.Node{Path: files[i].Path, Language: o.Language, Chunk: c})
		}
	}
	g := graph.New(nodes, facts.facts)
	// A graph that was cut short by the context would lack links for all later questions.
	if ctx.Err() == nil {
		p.Recall.Keep(key, drawn{shot, g, facts})
	}
	return g, facts.notices, ctx.Err()
}

// start chooses where to begin: the definitions that the question names, else the best hits of the search.
func (r *research) start(hits []foundChunk) {
	for _, name := range r.intent.Names {
		for _, n := range r.graph.Named(name) {
			r.starts = append(r.starts, n)
			r.noteMeant(n, name)
		}
	}
	if r.named = len(r.starts) > 0; r.named {
		return
	}
	for _, h := range hits {
		if n := r.graph.NodeAt(h.file.Path, h.piece.Start); n >= 0 && len(r.starts) < maxStarts {
			r.starts = append(r.starts, n)
		}
	}
}

// noteMeant notes which of the names of a definition the question means: a constant of a group, a method of an interface. The
// name of a type means all of it.
func (r *research) noteMeant(n int, name string) {
	symbols := r.graph.Nodes[n].Symbols
	last := name[strings.LastIndexAny(name, ".:#")+1:]
	// With one symbol, or the type itself, all of the definition is meant.
	if len(symbols) < 2 || r.graph.Nodes[n].Kind.IsType() && last == symbols[0] {
		last = ""
	}
	// Two names of one definition mean all of it.
	if known, ok := r.names[n]; ok && known != last {
		last = ""
	}
	r.names[n] = last
}

// follow follows references as the question and the focus ask for.
func (r *research) follow(ctx context.Context) {
	way := graph.Traversal{Depth: r.depth, Max: maxReached, Names: r.names, Hop: func(hop, found int) {
		if r.in.Hop != nil {
			r.in.Hop(hop, r.depth, found)
		}
	}}
	switch r.intent.Kind {
	case graph.Callers:
		way.Direction, way.Kinds = graph.In, []chunk.EdgeKind{chunk.Calls}
	case graph.Users:
		way.Direction = graph.In
	case graph.Callees:
		way.Direction, way.Kinds = graph.Out, []chunk.EdgeKind{chunk.Calls}
	case graph.Implementers:
		way.Direction, way.Kinds = graph.In, []chunk.EdgeKind{chunk.Inherits}
	case graph.Reaches:
		r.findPath(ctx, way.Hop)
		return
	default:
		way.Direction, way.Kinds = directionOf(r.in.Focus)
	}
	r.steps = r.graph.Follow(ctx, r.starts, way)
	r.chains = r.graph.Chains(r.steps, maxChains)
}

// directionOf returns in which direction, and along which links, a question without an intent of its own is followed.
func directionOf(focus string) (graph.Direction, []chunk.EdgeKind) {
	switch focus {
	case "flow":
		return graph.Out, []chunk.EdgeKind{chunk.Calls}
	case "dependencies":
		return graph.Out, nil
	case "patterns":
		return graph.Both, []chunk.EdgeKind{chunk.Inherits}
	default:
		return graph.Both, nil
	}
}

// findPath looks for a way from the first name to the last one, at most ten hops long, in the one direction or the other.
func (r *research) findPath(ctx context.Context, hop func(int, int)) {
	from, to := r.graph.Named(r.intent.Names[0]), r.graph.Named(r.intent.Names[len(r.intent.Names)-1])
	hop(1, len(from))
	// A question does not say which of the two uses the other.
	chain, ok := r.graph.Path(ctx, from, to, 2*r.depth, r.names)
	if !ok {
		chain, ok = r.graph.Path(ctx, to, from, 2*r.depth, r.names)
	}
	if !ok {
		// Without a way, the answer still names both ends.
		r.steps = r.graph.Follow(ctx, r.starts, graph.Traversal{})
		return
	}
	r.chains = []graph.Chain{chain}
	for i, n := range chain.Nodes {
		s := graph.Step{Node: n, Hop: i, From: -1, Confidence: 1, Exact: true}
		if i > 0 {
			s.From, s.Confidence, s.Exact = chain.Nodes[i-1], chain.Confidence, chain.Exact
		}
		r.steps = append(r.steps, s)
	}
}

// result puts the answer together.
func (r *research) result() ResearchResult {
	result := ResearchResult{Query: r.in.Query, Depth: r.depth, Focus: r.in.Focus, Count: len(r.steps), References: []ResearchItem{}, Topics: r.topics()}
	for _, s := range r.steps[:min(len(r.steps), maxReferences)] {
		n := r.graph.Nodes[s.Node]
		item := ResearchItem{
			Path: n.Path, Line: n.StartLine, Symbol: n.Name(), Kind: string(n.Kind), Relationship: relationship(s), Hop: s.Hop,
			Confidence: float64(int(100*s.Confidence+0.5)) / 100, Exact: s.Exact && s.From >= 0,
		}
		if s.From >= 0 {
			item.From = r.graph.Nodes[s.From].Name()
		}
		result.References = append(result.References, item)
	}
	for _, c := range r.chains {
		chain := Chain{Confidence: float64(int(100*c.Confidence+0.5)) / 100, Exact: c.Exact}
		for _, n := range c.Nodes {
			chain.Symbols = append(chain.Symbols, r.graph.Nodes[n].Name())
		}
		result.Chains = append(result.Chains, chain)
	}
	result.Graph = r.graph.Mermaid(r.steps)
	result.Analysis, result.Notices = r.analysis(), r.notices
	return result
}

// relationship describes the connection of a step to the one before it.
func relationship(s graph.Step) string {
	if s.From < 0 {
		return "direct_match"
	}
	words := [...][2]string{chunk.Calls: {"calls", "called_by"}, chunk.Imports: {"imports", "imported_by"}, chunk.Inherits: {"implements", "implemented_by"}, chunk.References: {"references", "referenced_by"}}
	pair := words[s.Kind]
	// The relationship is that of the found node to the node before it.
	if s.Inward {
		return pair[0]
	}
	return pair[1]
}

// topics are names that come up often around the answer.
func (r *research) topics() []string {
	seen, list := map[string]bool{}, []string{}
	for _, s := range r.steps {
		name := r.graph.Nodes[s.Node].Name()
		if s.Hop > 0 && !seen[name] && len(list) < maxTopics {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// analysis describes in words what was found.
func (r *research) analysis() string {
	var b strings.Builder
	switch {
	case len(r.starts) == 0:
		return "Nothing in the code belongs to this question."
	case r.named:
		fmt.Fprintf(&b, "The question is about %s.", r.list(r.starts))
	default:
		fmt.Fprintf(&b, "The question names no definition. A search has found %s.", r.list(r.starts))
	}
	fmt.Fprintf(&b, " %s\n", r.summary())
	for _, s := range sections(r.in.Focus) {
		b.WriteString(s(r))
	}
	return b.String()
}

func (r *research) list(nodes []int) string {
	var list []string
	for _, n := range nodes {
		name := fmt.Sprintf("`%s` (%s:%d)", r.graph.Nodes[n].Name(), r.graph.Nodes[n].Path, r.graph.Nodes[n].StartLine)
		if r.graph.IsForeign(n) {
			name = fmt.Sprintf("`%s` (of the package %s)", r.graph.Nodes[n].Name(), r.graph.Nodes[n].Path)
		}
		if len(list) < 5 && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	if len(nodes) > len(list) {
		list = append(list, fmt.Sprintf("%d more", len(nodes)-len(list)))
	}
	return strings.Join(list, ", ")
}

// summary is one sentence about what following has found.
func (r *research) summary() string {
	reached := 0
	for _, s := range r.steps {
		if s.Hop > 0 {
			reached++
		}
	}
	hops := withNoun(r.depth, "hop")
	switch r.intent.Kind {
	case graph.Callers:
		return fmt.Sprintf("Callers within %s, direct or through others: %s.", hops, withNoun(reached, "definition"))
	case graph.Users:
		return fmt.Sprintf("Users within %s: %s.", hops, withNoun(reached, "definition"))
	case graph.Callees:
		return fmt.Sprintf("It calls %s within %s.", withNoun(reached, "definition"), hops)
	case graph.Implementers:
		return fmt.Sprintf("What implements, extends or conforms to it: %s.", withNoun(reached, "type"))
	case graph.Reaches:
		if len(r.chains) == 0 {
			return fmt.Sprintf("No way leads from one to the other within %s.", withNoun(2*r.depth, "hop"))
		}
		return fmt.Sprintf("A way of %s leads there.", withNoun(len(r.chains[0].Nodes)-1, "hop"))
	}
	return fmt.Sprintf("Connected with it within %s: %s.", hops, withNoun(reached, "definition"))
}

// withNoun returns a number with its noun.
func withNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
