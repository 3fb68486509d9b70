package graph

import (
	"fmt"
	"strings"

	"chant/engine/code/chunk"
)

const maxDrawn = 24

// Mermaid draws what Follow has found as a flowchart of at most 24 nodes: an arrow leads from what uses to what is used,
// dotted if that is uncertain. It is empty if nothing was reached.
func (g *Graph) Mermaid(steps []Step) string {
	var nodes, arrows strings.Builder
	drawn := map[int]string{}
	label := func(n int) string {
		if name, ok := drawn[n]; ok {
			return name
		}
		name := fmt.Sprintf("n%d", len(drawn))
		drawn[n] = name
		fmt.Fprintf(&nodes, "  %s[\"%s\"]\n", name, escape(g.Nodes[n].Name()))
		return name
	}
	for _, s := range steps {
		// A diagram with more nodes cannot be read.
		if s.From < 0 || len(drawn) >= maxDrawn {
			continue
		}
		from, to := label(s.From), label(s.Node)
		if s.Inward {
			from, to = to, from
		}
		arrow := "-->"
		if s.Confidence < 0.7 {
			arrow = "-.->"
		}
		if s.Kind == chunk.Inherits {
			arrow += "|implements|"
		}
		fmt.Fprintf(&arrows, "  %s %s %s\n", from, arrow, to)
	}
	if len(drawn) == 0 {
		return ""
	}
	return "flowchart LR\n" + nodes.String() + arrows.String()
}

// escape returns a text for a label in quotes.
func escape(s string) string {
	return strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;", "\n", " ").Replace(s)
}

// Imports returns what a file imports, in its order.
func (g *Graph) Imports(file string) []string {
	var list []string
	for _, i := range g.byFile[file] {
		for _, e := range g.Nodes[i].Edges {
			if e.Kind == chunk.Imports {
				list = append(list, e.Name)
			}
		}
	}
	return list
}

// NodeAt returns the node that starts at a byte of a file; -1 if there is none.
func (g *Graph) NodeAt(file string, start int) int {
	for _, i := range g.byFile[file] {
		if g.Nodes[i].Start == start {
			return i
		}
	}
	return -1
}
