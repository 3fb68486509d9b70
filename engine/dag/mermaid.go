package dag

import (
	"fmt"
	"strings"

	"chant/providers/text"
)

// Mermaid returns the graph as a flowchart of Mermaid, in which arrows lead from what is needed to what needs it.
func (g Graph) Mermaid() []byte {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
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
		switch {
		case strings.ContainsRune("\"#<>&`\\;{}[]()|*~", r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
