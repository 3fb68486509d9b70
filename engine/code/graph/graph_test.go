package graph_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"chant/engine/code/chunk"
	"chant/engine/code/graph"

	"github.com/alecthomas/assert/v2"
)

// node is a definition that calls others; a qualified name is "of.name".
func node(path string, kind chunk.Kind, crumbs string, calls ...string) graph.Node {
	parts := strings.Split(crumbs, " > ")
	n := graph.Node{Path: path, Language: "go", Chunk: chunk.Chunk{Kind: kind, Symbols: []string{parts[len(parts)-1]}, StartLine: 1}}
	if len(parts) > 1 {
		n.Breadcrumb = crumbs
	}
	for _, call := range calls {
		of, name, ok := strings.Cut(call, ".")
		if !ok {
			of, name = "", call
		}
		n.Edges = append(n.Edges, chunk.Edge{Kind: chunk.Calls, Name: name, Of: of, Line: 1})
	}
	return n
}

func example() *graph.Graph {
	reader := node("io/io.go", chunk.Interface, "Reader")
	reader.Symbols = append(reader.Symbols, "Read", "Close")
	dog := node("pets/dog.swift", chunk.Class, "Dog")
	animal := node("pets/animal.swift", chunk.Protocol, "Animal")
	dog.Language, animal.Language, dog.Inherits = "swift", "swift", []string{"Animal"}
	return graph.New([]graph.Node{
		node("a/a.go", chunk.Function, "start", "load", "b.Open"),
		node("a/a.go", chunk.Function, "load", "start", "parse"),
		node("a/more.go", chunk.Function, "parse"),
		node("b/b.go", chunk.Function, "Open"),
		node("c/c.go", chunk.Function, "Open"),
		node("a/a_test.go", chunk.Function, "helper", "load"),
		node("z/z.go", chunk.Function, "other", "helper"),
		reader,
		node("b/file.go", chunk.Struct, "File"),
		node("b/file.go", chunk.Method, "File > Read"),
		node("b/more.go", chunk.Method, "File > Close"),
		dog, animal,
	}, nil)
}

func followed(t *testing.T, start string, w graph.Traversal) []string {
	t.Helper()
	g := example()
	list := []string{}
	for _, s := range g.Follow(t.Context(), g.Named(start), w) {
		if s.Hop > 0 {
			list = append(list, g.Nodes[s.Node].Path+" "+g.Nodes[s.Node].Name())
		}
	}
	slices.Sort(list)
	return list
}

func TestFollow(t *testing.T) {
	t.Parallel()
	calls, inherits := []chunk.EdgeKind{chunk.Calls}, []chunk.EdgeKind{chunk.Inherits}
	tests := map[string]struct {
		start string
		way   graph.Traversal
		want  []string
	}{
		"callees":                   {"start", graph.Traversal{Kinds: calls, Depth: 1}, []string{"a/a.go load", "b/b.go Open"}},
		"through a cycle":           {"start", graph.Traversal{Kinds: calls, Depth: 5}, []string{"a/a.go load", "a/more.go parse", "b/b.go Open"}},
		"callers":                   {"load", graph.Traversal{Direction: graph.In, Kinds: calls, Depth: 1}, []string{"a/a.go start", "a/a_test.go helper"}},
		"tests are not used":        {"helper", graph.Traversal{Direction: graph.In, Depth: 3}, []string{}},
		"a Go interface":            {"Reader", graph.Traversal{Direction: graph.In, Kinds: inherits, Depth: 1}, []string{"b/file.go File"}},
		"a protocol":                {"Animal", graph.Traversal{Direction: graph.In, Kinds: inherits, Depth: 1}, []string{"pets/dog.swift Dog"}},
		"at most one":               {"load", graph.Traversal{Direction: graph.Both, Depth: 3, Max: 1}, []string{"a/a.go start"}},
		"a name of another package": {"c.Open", graph.Traversal{Direction: graph.In, Depth: 1}, []string{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, followed(t, test.start, test.way))
		})
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	g := example()
	c, ok := g.Path(t.Context(), g.Named("start"), g.Named("parse"), 4, nil)
	var names []string
	for _, n := range c.Nodes {
		names = append(names, g.Nodes[n].Name())
	}
	assert.True(t, ok, "%q, %v, %v", names, c.Confidence, ok)
	assert.Equal(t, []string{"start", "load", "parse"}, names)
	assert.False(t, c.Confidence <= 0.5, "%q, %v, %v", names, c.Confidence, ok)
	assert.False(t, c.Confidence >= 1, "%q, %v, %v", names, c.Confidence, ok)
	_, ok = g.Path(t.Context(), g.Named("parse"), g.Named("start"), 4, nil)
	assert.False(t, ok, "a way leads back")
}

func TestMermaid(t *testing.T) {
	t.Parallel()
	g := example()
	steps := g.Follow(t.Context(), g.Named("Reader"), graph.Traversal{Direction: graph.In, Depth: 1})
	got, want := g.Mermaid(steps), "flowchart LR\n  n0[\"Reader\"]\n  n1[\"File\"]\n  n1 -->|implements| n0\n"
	assert.Equal(t, want, got)
}

func TestReadIntent(t *testing.T) {
	t.Parallel()
	tests := map[string]graph.Intent{
		"what calls parseConfig":              {Kind: graph.Callers, Names: []string{"parseConfig"}},
		"who calls `load`?":                   {Kind: graph.Callers, Names: []string{"load"}},
		"callers of load()":                   {Kind: graph.Callers, Names: []string{"load"}},
		"where is parseConfig called":         {Kind: graph.Callers, Names: []string{"parseConfig"}},
		"what does parseConfig call":          {Kind: graph.Callees, Names: []string{"parseConfig"}},
		"what uses Reader":                    {Kind: graph.Users, Names: []string{"Reader"}},
		"what implements Reader":              {Kind: graph.Implementers, Names: []string{"Reader"}},
		"which types conform to Reader":       {Kind: graph.Implementers, Names: []string{"Reader"}},
		"how does parseConfig reach Reader":   {Kind: graph.Reaches, Names: []string{"parseConfig", "Reader"}},
		"path from parseConfig to Reader":     {Kind: graph.Reaches, Names: []string{"parseConfig", "Reader"}},
		"how is the configuration read":       {},
		"what calls nothing that is defined?": {},
	}
	for question, want := range tests {
		t.Run(question, func(t *testing.T) {
			t.Parallel()
			defined := func(name string) bool { return slices.Contains([]string{"parseConfig", "load", "Reader"}, name) }
			got := graph.ReadIntent(question, defined)
			assert.Equal(t, want.Kind, got.Kind)
			assert.False(t, want.Names != nil && !reflect.DeepEqual(got.Names, want.Names), "%+v, want %+v", got, want)
		})
	}
}
