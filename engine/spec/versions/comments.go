package versions

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// keepsComments reports whether a text has every comment that ours or theirs has added to base.
func keepsComments(text []byte, three [3][]byte) bool {
	have, base := commentsIn(text), commentsIn(three[0])
	for _, side := range three[1:] {
		for _, c := range commentsIn(side) {
			// A comment of base may have been removed by one side.
			if !slices.Contains(have, c) && !slices.Contains(base, c) {
				return false
			}
		}
	}
	return true
}

// commentsIn lists the comment lines in a piece of YAML. If the piece alone is not valid YAML, everything from a # to
// the end of its line counts as a comment.
func commentsIn(text []byte) []string {
	var out []string
	add := func(comment string) {
		for line := range strings.Lines(comment) {
			if line = strings.TrimSpace(line); line != "" {
				out = append(out, line)
			}
		}
	}
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) == nil && len(doc.Content) > 0 {
		eachComment(&doc, add)
		return out
	}
	// A piece of a front matter may be indented or refer to an anchor outside of it.
	for line := range bytes.Lines(text) {
		if at := bytes.IndexByte(line, '#'); at >= 0 {
			add(string(line[at:]))
		}
	}
	return out
}

func eachComment(node *yaml.Node, visit func(string)) {
	visit(node.HeadComment)
	visit(node.LineComment)
	visit(node.FootComment)
	for _, inner := range node.Content {
		eachComment(inner, visit)
	}
}

// keepsSpelling reports whether a version keeps the spelling of a side that changed only the spelling of the value.
func keepsSpelling(w threeWays, v version) bool {
	base, got := spelling(w.base.node), spelling(v.node)
	ours, theirs := spelling(w.ours.node), spelling(w.theirs.node)
	if w.ours.equals(w.base) && w.theirs.equals(w.base) {
		// If nobody changed the value, both spellings are good; a side that wins must at least keep its own.
		return got == ours || got == theirs
	}
	return (!w.ours.equals(w.base) || ours == base || ours == got) && (!w.theirs.equals(w.base) || theirs == base || theirs == got)
}

// spelling describes how a value is written: its quotes, its style and the form of its numbers.
func spelling(node *yaml.Node) string {
	if node == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %d %s %q(", node.Kind, node.Style, node.Anchor, node.Value)
	for _, inner := range node.Content {
		b.WriteString(spelling(inner))
	}
	return b.String() + ")"
}
