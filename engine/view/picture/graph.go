package picture

import (
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/text"
)

// This file has the graph of specs as data: which exist and which must be done before which. It selects parts of the
// graph, and writes it as text, Mermaid, DOT and SVG.
//
// It decides nothing: what a spec waits for, and whether it is ready, is the answer of engine/spec.
//
// Rules:
//
//   - The needs of a graph lead to the same order as spec.Graph.WaitsFor and Members, but a need that follows from others
//     is left out: of lower siblings, of members of a driver, and of what a member inherits from its driver. Those that
//     a spec names in depends_on are all there.
//   - A need that closes a cycle and one that does not exist are shown, never dropped.
//   - The same graph gives the same bytes in every format.
//
// Decisions:
//
// 2026-11-29: a picture has the order and the lanes of the text: one row for each spec, arrows along lanes. Rejected: boxes
// in layers with crossings reduced and rows by least squares, 550 lines that were here until then, for the same needs in
// another place; github.com/goccy/go-graphviz, which brings a WebAssembly runtime and Graphviz along; drawing Mermaid in
// the reader's browser, since no page carries its 3 MB and pictures are files, too.
//
// 2026-11-26: in text, each vertex has a line and each source one lane. Rejected: boxes joined by lines, because lines that
// meet before a box cannot be told from lines that part, and a graph of more than four layers is wider than a terminal.
//
// 2026-11-26: needs that follow are left out. Rejected: all of them, since a driver with a hundred members in order has
// five thousand, which nobody can read or draw.

// Graph is a set of specs with their needs.
type Graph struct {
	Specs   []Spec     `json:"specs"`             // in the order of their ids
	Needs   []Need     `json:"needs"`             // in the order of their specs
	Cycles  [][]string `json:"cycles,omitempty"`  // each as the ids along it, with the first repeated at the end
	Missing []string   `json:"missing,omitempty"` // ids that are needed and do not exist
}

// Spec is a spec in a graph.
type Spec struct {
	ID      string          `json:"id"`
	Title   string          `json:"title,omitempty"`
	Status  string          `json:"status"` // one of the seven, or invalid, missing, archived
	Type    spec.Type       `json:"type,omitempty"`
	Labels  spec.StringList `json:"labels,omitempty"`
	Ready   bool            `json:"ready,omitempty"`
	Blocked bool            `json:"blocked,omitempty"`
	Done    bool            `json:"done,omitempty"`  // specs that need it wait for it no longer
	Cycle   bool            `json:"cycle,omitempty"` // it is part of a cycle
	Error   string          `json:"error,omitempty"` // of an invalid one
}

// The statuses of what is no readable active spec.
const (
	Missing  = "missing"
	Archived = "archived"
	Invalid  = string(spec.Invalid)
)

// Need says that a spec waits for another one.
type Need struct {
	Spec  string `json:"spec"`
	Needs string `json:"needs"` // must be done before
	Kind  Kind   `json:"kind"`
	Cycle bool   `json:"cycle,omitempty"` // both are in the same cycle
}

// Kind is why a spec waits for another one.
type Kind string

// The kinds of needs.
const (
	DependsOn Kind = "depends_on" // the spec names it
	Order     Kind = "order"      // it is the member before, and the spec has no depends_on
	Member    Kind = "member"     // it is a member of the spec
	Driver    Kind = "driver"     // the spec's driver waits for it
)

// State is the status of a spec with what is computed: ready or blocked in place of pending, "not landed" for a
// completed spec for which others still wait.
func (s Spec) State() string {
	switch {
	case s.Ready:
		return "ready"
	case s.Blocked:
		return "blocked"
	case s.Status == string(spec.Completed) && !s.Done:
		return "not landed"
	}
	return s.Status
}

// Of returns the graph of all specs. broken maps the ids of files that cannot be read to the reasons.
func Of(g *spec.Graph, broken map[string]string) Graph {
	out := Graph{Specs: []Spec{}, Needs: []Need{}, Cycles: g.Cycles()}
	known := map[string]bool{}
	for _, s := range g.Specs() {
		ready, blocked := g.ReadyOrBlocked(s.ID)
		out.Specs = append(out.Specs, Spec{
			ID: s.ID, Title: s.Title, Status: string(s.Status), Type: s.Fields.Type, Labels: s.Fields.Labels,
			Ready: ready, Blocked: blocked, Done: g.Done(s.ID), Cycle: g.CycleOf(s.ID) != nil,
		})
		known[s.ID] = true
	}
	// A file that cannot be read is shown, because others may wait for it.
	for id, why := range broken {
		out.Specs = append(out.Specs, Spec{ID: id, Status: Invalid, Error: why})
		known[id] = true
	}
	f := finder{g: g}
	for _, s := range g.Specs() {
		for _, n := range f.needs(s) {
			n.Cycle = sameCycle(g, n)
			out.Needs = append(out.Needs, n)
			if known[n.Needs] {
				continue
			}
			known[n.Needs] = true
			other := Spec{ID: n.Needs, Status: Missing}
			if g.Archived(n.Needs) {
				other.Status, other.Done = Archived, true
			}
			out.Specs = append(out.Specs, other)
		}
	}
	// Maps have no order, and the same graph gives the same bytes.
	spec.SortByID(out.Specs, func(s Spec) string { return s.ID })
	out.Missing = missingOf(out.Specs)
	return out
}

// sameCycle reports whether a need is part of a cycle.
func sameCycle(g *spec.Graph, n Need) bool {
	along := g.CycleOf(n.Spec)
	if len(along) == 0 {
		return false
	}
	if n.Spec == n.Needs {
		return true
	}
	for i := 1; i < len(along); i++ {
		if along[i-1] == n.Spec && along[i] == n.Needs {
			return true
		}
	}
	return false
}

func missingOf(specs []Spec) []string {
	var out []string
	for _, s := range specs {
		if s.Status == Missing {
			out = append(out, s.ID)
		}
	}
	return out
}

// index maps ids to places in Specs.
func (g Graph) index() map[string]int {
	at := make(map[string]int, len(g.Specs))
	for i, s := range g.Specs {
		at[s.ID] = i
	}
	return at
}

// Count returns how many specs have each state, and the states in alphabetical order.
func (g Graph) Count() (states []string, n map[string]int) {
	n = map[string]int{}
	for _, s := range g.Specs {
		state := s.State()
		if n[state]++; n[state] == 1 {
			states = append(states, state)
		}
	}
	slices.Sort(states)
	return states, n
}

// DOT returns the graph in the language of Graphviz, in which arrows lead from what is needed to what needs it.
func (g Graph) DOT() []byte {
	var b strings.Builder
	b.WriteString("digraph specs {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n")
	for _, s := range g.Specs {
		label := s.ID
		if title := shownTitle(s); title != "" {
			label += "\n" + title
		}
		more := ""
		if s.Status == Missing {
			more = ", style=\"rounded,dashed\""
		}
		fmt.Fprintf(&b, "  %s [label=%s, color=%s%s];\n", dotText(s.ID), dotText(label+"\n"+s.State()), dotText(colourOf(s)), more)
	}
	for _, n := range g.Needs {
		var more []string
		if n.Kind != DependsOn {
			more = append(more, "style=dashed")
		}
		if n.Cycle {
			more = append(more, "color=\"#cf222e\"", "label=\"cycle\"")
		}
		attributes := ""
		if len(more) > 0 {
			attributes = " [" + strings.Join(more, ", ") + "]"
		}
		fmt.Fprintf(&b, "  %s -> %s%s;\n", dotText(n.Needs), dotText(n.Spec), attributes)
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// dotText returns a text as a quoted identifier. Ends of lines are those between the lines of a label.
func dotText(s string) string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		// Control characters in a title would change what a terminal or a viewer shows.
		line = text.OneLine(text.Printable(line))
		lines = append(lines, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

// Mermaid returns the graph as a flowchart of Mermaid, in which arrows lead from what is needed to what needs it.
func (g Graph) Mermaid() []byte {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	// Mermaid refuses ids with some words, such as end, so vertices are numbered.
	for i, s := range g.Specs {
		label := mermaidText(s.ID)
		if title := shownTitle(s); title != "" {
			label += "<br/>" + mermaidText(title)
		}
		fmt.Fprintf(&b, "  s%d[\"%s<br/>%s\"]:::%s\n", i, label, mermaidText(s.State()), groupOf(s))
	}
	edges := g.edges()
	for i, n := range g.Needs {
		arrow := "-->"
		if n.Kind != DependsOn {
			arrow = "-.->"
		}
		if n.Cycle {
			arrow += "|cycle|"
		}
		fmt.Fprintf(&b, "  s%d %s s%d\n", edges[i].from, arrow, edges[i].to)
	}
	for _, one := range groups() {
		fmt.Fprintf(&b, "  classDef %s stroke:%s,stroke-width:2px%s\n", one.name, one.colour, one.more)
	}
	return []byte(b.String())
}

// mermaidText returns a text as it is written in a label: everything that Mermaid or HTML could read is a character
// number.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range text.OneLine(text.Printable(s)) {
		// Everything that Mermaid or HTML could read is a character number.
		switch {
		case strings.ContainsRune("\"#<>&`\\;{}[]()|*~", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
