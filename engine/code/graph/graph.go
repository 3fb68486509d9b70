package graph

import (
	"path"
	"slices"
	"strings"

	"chant/engine/code/chunk"
	"chant/engine/code/exact"
)

// Node is a definition.
type Node struct {
	Path     string
	Language string
	chunk.Chunk
}

// Name returns the breadcrumb without its blanks, or the first symbol, or the path.
func (n Node) Name() string {
	switch {
	case n.Breadcrumb != "":
		return strings.ReplaceAll(n.Breadcrumb, " > ", ".")
	case len(n.Symbols) > 0:
		return n.Symbols[0]
	}
	return n.Path
}

// Link is a use of a definition by a node.
type Link struct {
	Kind       chunk.EdgeKind
	From, To   int    // nodes
	Name       string // by which the definition is used; one node may define several names
	Confidence float64
	Exact      bool // a type checker has found it
}

// Least is how certain a link must be.
const Least = 0.1

// Graph is the nodes of a worktree and the links between them.
type Graph struct {
	Nodes []Node

	byName  map[string][]int // definitions by each of their symbols
	byFile  map[string][]int // all nodes of a file
	folders []string         // of each node
	tests   []bool           // whether a node belongs to a test
	out     [][]Link         // by the node that they lead from, made when asked for
	in      [][]Link

	checked map[string]checkedFile
	own     int              // how many nodes are of the worktree; the others are used by it
	foreign map[string][]int // the others by their names
}

// New returns the graph of all nodes. Links of the files that facts know are taken from there; facts may be nil.
func New(nodes []Node, facts *exact.Facts) *Graph {
	g := &Graph{Nodes: nodes, own: len(nodes), byName: map[string][]int{}, byFile: map[string][]int{}}
	for i, n := range nodes {
		g.byFile[n.Path] = append(g.byFile[n.Path], i)
		if n.Kind == chunk.File || n.Kind.IsText() || n.Kind == chunk.Unknown {
			continue
		}
		for _, symbol := range n.Symbols {
			g.byName[symbol] = append(g.byName[symbol], i)
		}
	}
	// This adds nodes for what is used from elsewhere, so slices by node are made after it.
	e := newExactLinks(g, facts)
	g.folders, g.tests = make([]string, len(g.Nodes)), make([]bool, len(g.Nodes))
	for i, n := range g.Nodes {
		g.folders[i], g.tests[i] = path.Dir(n.Path), i < g.own && IsTest(n.Path)
	}
	g.out, g.in = make([][]Link, len(g.Nodes)), make([][]Link, len(g.Nodes))
	// Facts come before names, so that a link by name is not added beside a certain one.
	e.link()
	for i := range nodes {
		for _, l := range g.resolve(i) {
			g.add(l)
		}
	}
	g.implement()
	return g
}

// add adds a link, unless there is one of the same kind for the same name.
func (g *Graph) add(l Link) {
	if !slices.ContainsFunc(g.out[l.From], func(o Link) bool { return o.To == l.To && o.Kind == l.Kind && o.Name == l.Name }) {
		g.out[l.From] = append(g.out[l.From], l)
		g.in[l.To] = append(g.in[l.To], l)
	}
}

// Named returns the definitions of a name, which may be qualified: "Open", "Store.Open", "store.Open". What is defined
// elsewhere and used here is found by its qualified name only: "os.Exit".
func (g *Graph) Named(name string) []int {
	parts := strings.FieldsFunc(strings.ReplaceAll(name, "::", "."), func(r rune) bool { return r == '.' || r == '#' || r == '>' || r == ' ' })
	if len(parts) == 0 {
		return nil
	}
	list := g.byName[parts[len(parts)-1]]
	if len(parts) == 1 {
		return slices.Clone(list)
	}
	var fitting []int
	for _, i := range list {
		if g.isQualifiedBy(i, parts[len(parts)-2]) {
			fitting = append(fitting, i)
		}
	}
	if len(fitting) == 0 {
		return slices.Clone(g.foreign[strings.Join(parts, ".")])
	}
	return fitting
}

// isQualifiedBy reports whether a definition belongs to the qualifier before its name: a type, a module or a package.
func (g *Graph) isQualifiedBy(i int, of string) bool {
	if n := g.Nodes[i]; n.Kind == chunk.Interface && n.Symbols[0] == of {
		return true
	}
	crumbs := strings.Split(g.Nodes[i].Breadcrumb, " > ")
	if len(crumbs) > 1 && slices.Contains(crumbs[:len(crumbs)-1], of) {
		return true
	}
	file := path.Base(g.Nodes[i].Path)
	return path.Base(g.folders[i]) == of || strings.TrimSuffix(file, path.Ext(file)) == of
}

// resolve returns the links of one node.
func (g *Graph) resolve(from int) []Link {
	var links []Link
	seen := map[[2]int]bool{}
	n := g.Nodes[from]
	edges := n.Edges
	for _, name := range n.Inherits {
		// The capacity is cut, since the edges belong to the node.
		edges = append(edges[:len(edges):len(edges)], chunk.Edge{Kind: chunk.Inherits, Name: lastWord(name)})
	}
	for _, e := range edges {
		if e.Kind == chunk.Imports || g.isCertain(from, e) {
			continue
		}
		list, certain := g.candidates(from, e)
		share := certain / float64(max(len(list), 1))
		// A name that means everything means nothing.
		if share < Least {
			continue
		}
		for _, to := range list {
			if key := [2]int{int(e.Kind), to}; to != from && !seen[key] {
				seen[key] = true
				links = append(links, Link{Kind: e.Kind, From: from, To: to, Name: e.Name, Confidence: share})
			}
		}
	}
	return links
}

// candidates returns the definitions that an edge may mean, and how certain it is that it means one of them.
func (g *Graph) candidates(from int, e chunk.Edge) ([]int, float64) {
	var list []int
	for _, i := range g.byName[e.Name] {
		// Languages use each other's definitions only within a family.
		if canLead(e.Kind, g.Nodes[i].Kind) && (!g.tests[i] || g.tests[from]) && sharesNames(g.Nodes[from].Language, g.Nodes[i].Language) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil, 0
	}
	same := func(is func(int) bool) []int {
		return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return !is(i) })
	}
	// Without a qualifier, the nearest definition is the likeliest: in the file, then in the folder.
	if e.Of == "" || e.Of == "self" || e.Of == "this" || e.Of == "super" {
		if here := same(func(i int) bool { return g.Nodes[i].Path == g.Nodes[from].Path }); len(here) > 0 {
			return here, 1
		}
		if near := same(func(i int) bool { return g.folders[i] == g.folders[from] }); len(near) > 0 {
			return near, 0.95
		}
	} else if fitting := same(func(i int) bool { return g.isQualifiedBy(i, e.Of) }); len(fitting) > 0 {
		return fitting, 0.95
	}
	if len(list) == 1 {
		return list, 0.8
	}
	return list, 0.6
}

// canLead reports whether an edge can lead to a definition of a kind.
func canLead(e chunk.EdgeKind, k chunk.Kind) bool {
	switch e {
	case chunk.Calls:
		return k.IsCallable() || k.IsType() || k == chunk.Variable || k == chunk.Constant
	case chunk.Inherits:
		return k.IsType() && k != chunk.Extension || k == chunk.Namespace
	default:
		return true
	}
}

// sharesNames reports whether code of one language can use definitions of the other by their names.
func sharesNames(a, b string) bool {
	family := func(language string) string {
		switch language {
		case "typescript", "tsx", "javascript", "vue", "svelte":
			return "js"
		case "c", "cpp", "objc":
			return "c"
		case "java", "kotlin", "scala", "groovy":
			return "jvm"
		}
		return language
	}
	return family(a) == family(b)
}

// IsTest reports whether a path is that of a test.
func IsTest(name string) bool {
	base := strings.ToLower(path.Base(name))
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") || strings.HasSuffix(strings.TrimSuffix(name, path.Ext(name)), "Test") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "tests") {
		return true
	}
	for part := range strings.SplitSeq(strings.ToLower(path.Dir(name)), "/") {
		if part == "test" || part == "tests" || part == "__tests__" || part == "testdata" {
			return true
		}
	}
	return false
}

func lastWord(name string) string {
	if at := strings.LastIndexAny(name, ".:"); at >= 0 {
		name = name[at+1:]
	}
	return strings.TrimLeft(name, "*&")
}

// implement adds links from Go types to the interfaces whose methods they have by name, where the facts do not say more.
func (g *Graph) implement() {
	methods := map[[2]string]map[string]bool{} // of types, by folder and name
	types := map[[2]string]int{}
	// Methods of a type may be in any file of its folder.
	for i, n := range g.Nodes[:g.own] {
		if n.Language != "go" || len(n.Symbols) == 0 {
			continue
		}
		if n.Kind == chunk.Method {
			owner, _, _ := strings.Cut(n.Breadcrumb, " > ")
			key := [2]string{g.folders[i], strings.TrimLeft(owner, "*")}
			if methods[key] == nil {
				methods[key] = map[string]bool{}
			}
			methods[key][n.Symbols[0]] = true
		} else if n.Kind.IsType() {
			types[[2]string{g.folders[i], n.Symbols[0]}] = i
		}
	}
	for to, n := range g.Nodes[:g.own] {
		// An interface without methods is implemented by everything.
		if n.Language != "go" || n.Kind != chunk.Interface || len(n.Symbols) < 2 {
			continue
		}
		wanted := n.Symbols[1:]
		for key, has := range methods {
			from, ok := types[key]
			if !ok || from == to || g.tests[to] && !g.tests[from] || !hasAll(has, wanted) {
				continue
			}
			// A type checker has read both, so what it has not found is not there.
			if g.isWhole(from) && g.isWhole(to) || slices.ContainsFunc(g.out[from], func(l Link) bool { return l.To == to && l.Kind == chunk.Inherits }) {
				continue
			}
			g.add(Link{Kind: chunk.Inherits, From: from, To: to, Name: n.Symbols[0], Confidence: min(0.95, 0.6+0.1*float64(len(wanted)))})
		}
	}
}

func hasAll(has map[string]bool, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(name string) bool { return !has[name] })
}
