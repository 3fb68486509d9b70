package graph

import (
	"slices"
	"strings"

	"chant/engine/code/chunk"
	"chant/engine/code/exact"
)

// dispatched is the certainty that a call of a method of an interface runs the one method that implements it.
const dispatched = 0.9

// checkedFile has the facts about the names of a file that a type checker has read.
type checkedFile struct {
	whole   bool             // all about its types is known
	unknown map[string][]int // the bytes of names that could not be resolved
}

// exactLinks adds the links of facts to a graph.
type exactLinks struct {
	graph   *Graph
	facts   *exact.Facts
	targets [][]int          // the nodes of each target
	runs    map[[2]int][]int // by interfaces and their methods
}

// newExactLinks adds nodes for what the worktree uses from elsewhere, and returns what adds the links.
func newExactLinks(g *Graph, facts *exact.Facts) *exactLinks {
	g.checked, g.foreign = map[string]checkedFile{}, map[string][]int{}
	if facts == nil {
		facts = &exact.Facts{}
	}
	e := &exactLinks{graph: g, facts: facts, targets: make([][]int, len(facts.Targets)), runs: map[[2]int][]int{}}
	for _, f := range facts.Files {
		known := checkedFile{whole: f.Whole, unknown: map[string][]int{}}
		for _, u := range f.Unknown {
			known.unknown[u.Name] = append(known.unknown[u.Name], u.At)
		}
		g.checked[f.Path] = known
	}
	for i, t := range facts.Targets {
		if t.Path != "" {
			e.targets[i] = g.pieces(t.Path, t.At)
			continue
		}
		name := t.Of + "." + t.Name
		e.targets[i] = []int{len(g.Nodes)}
		g.foreign[name] = append(g.foreign[name], len(g.Nodes))
		parts := strings.Split(name, ".")
		g.Nodes = append(g.Nodes, Node{Path: t.Package, Language: "go", Chunk: chunk.Chunk{Kind: t.Kind, Symbols: parts[len(parts)-1:], Breadcrumb: strings.Join(parts, " > ")}})
	}
	for _, r := range facts.Runs {
		e.runs[[2]int{r.Through, r.Method}] = append(e.runs[[2]int{r.Through, r.Method}], r.Runs)
	}
	return e
}

// pieces returns the nodes of what is declared at a byte of a file: more than one for a function that is divided.
func (g *Graph) pieces(file string, at int) []int {
	n := g.nodeAt(file, at)
	if n < 0 {
		return nil
	}
	list := []int{n}
	// A long function is divided into several chunks, and a use of it means all of them.
	for next := n + 1; next < g.own && g.Nodes[n].Kind.IsCallable(); next++ {
		a, b := g.Nodes[next-1], g.Nodes[next]
		if a.Path != b.Path || a.End != b.Start || a.Kind != b.Kind || a.Name() != b.Name() {
			break
		}
		list = append(list, next)
	}
	return list
}

// nodeAt returns the node that contains a byte of a file; -1 if there is none.
func (g *Graph) nodeAt(file string, at int) int {
	list := g.byFile[file]
	i, _ := slices.BinarySearchFunc(list, at, func(n, at int) int {
		if g.Nodes[n].End <= at {
			return -1
		}
		return 1
	})
	if i < len(list) && g.Nodes[list[i]].Start <= at {
		return list[i]
	}
	return -1
}

// link adds the links.
func (e *exactLinks) link() {
	g := e.graph
	for _, f := range e.facts.Files {
		for _, u := range f.Uses {
			if from := g.nodeAt(f.Path, u.At); from >= 0 {
				e.use(from, u)
			}
		}
		// They come afterwards, because what is certain counts more.
		for _, u := range f.Uses {
			if from := g.nodeAt(f.Path, u.At); from >= 0 && u.Kind == chunk.Calls {
				e.dispatch(from, u)
			}
		}
	}
	for _, p := range e.facts.Implements {
		for _, from := range e.targets[p.From] {
			for _, to := range e.targets[p.To] {
				if from != to {
					g.add(Link{Kind: chunk.Inherits, From: from, To: to, Name: lastPart(e.facts.Targets[p.To].Name), Confidence: 1, Exact: true})
				}
			}
		}
	}
}

// use adds the links of one use.
func (e *exactLinks) use(from int, u exact.Use) {
	g := e.graph
	name := lastPart(e.facts.Targets[u.To].Name)
	for _, to := range e.targets[u.To] {
		if from != to {
			g.add(Link{Kind: u.Kind, From: from, To: to, Name: name, Confidence: 1, Exact: true})
		}
	}
}

// dispatch adds links to what a call through an interface may run.
func (e *exactLinks) dispatch(from int, u exact.Use) {
	g := e.graph
	name := lastPart(e.facts.Targets[u.To].Name)
	var runs []int
	count := 0
	for _, t := range e.runs[[2]int{u.Through, u.To}] {
		nodes := e.targets[t]
		// Tests use what they test, but are not used.
		if len(nodes) > 0 && (!g.tests[nodes[0]] || g.tests[from]) {
			count++
			runs = append(runs, nodes...)
		}
	}
	// The more methods a call may run, the less likely it is each of them.
	share := dispatched / float64(max(count, 1))
	for _, to := range runs {
		if share >= Least && from != to {
			g.add(Link{Kind: chunk.Calls, From: from, To: to, Name: name, Confidence: share})
		}
	}
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// isCertain reports whether what an edge of a node names is known, so that it is not to be guessed: a type checker has read
// the file, and has resolved this name wherever the node has it.
func (g *Graph) isCertain(from int, e chunk.Edge) bool {
	n := g.Nodes[from]
	file, ok := g.checked[n.Path]
	if !ok {
		return false
	}
	// A name that is unknown in one place of the node may be any of the edges with that name.
	return !slices.ContainsFunc(file.unknown[e.Name], func(at int) bool { return e.Kind == chunk.Inherits || at >= n.Start && at < n.End })
}

// isWhole reports whether all about the types of a node's file is known.
func (g *Graph) isWhole(n int) bool { return g.checked[g.Nodes[n].Path].whole }

// IsChecked reports whether a type checker has read the file of a node, or the node is defined elsewhere.
func (g *Graph) IsChecked(n int) bool {
	_, ok := g.checked[g.Nodes[n].Path]
	return ok || n >= g.own
}

// IsForeign reports whether a node is defined outside of the worktree. Its path is then the import path of a package.
func (g *Graph) IsForeign(n int) bool { return n >= g.own }
