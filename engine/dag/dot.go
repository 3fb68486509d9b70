package dag

import (
	"fmt"
	"strings"

	"chant/providers/text"
)

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
		line = text.OneLine(text.Printable(line))
		lines = append(lines, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}
