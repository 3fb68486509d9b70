package picture

import (
	"fmt"
	"slices"
	"strings"

	"chant/text"
)

// The measures of a picture in pixels.
const (
	boxWidth, boxHeight = 320.0, 42.0
	rowHeight           = boxHeight + 10
	laneWidth           = 16.0
	margin              = 16.0
	inset               = 8.0
	dot                 = 4.0  // the radius of the mark of a spec
	bend                = 40.0 // how far an arrow beside the boxes leads away from them
)

// maxLanes is how many lanes a picture has at most. Specs that are needed beyond that have arrows beside the boxes.
const maxLanes = 200

// SVG draws the graph as Lines does: a row for each spec, with what it needs above it. An arrow leads along the lane of
// what is needed, or beside the boxes if that has none or the need closes a cycle. link returns the target of a spec, ""
// for none; it may be nil.
func (g Graph) SVG(link func(id string) string) []byte {
	lines := lanesOf(len(g.Specs), g.edges(), maxLanes)
	spots := make([]spot, len(g.Specs))
	width := margin + boxWidth
	for i, l := range lines {
		lane := slices.Index(l.marks, vertex)
		spots[l.vertex] = spot{
			mark: Point{X: margin + laneWidth*(float64(lane)+0.5), Y: margin + rowHeight*(float64(i)+0.5)},
			left: margin + laneWidth*float64(len(l.marks)) + inset,
			back: l.back, rest: l.rest,
		}
		width = max(width, spots[l.vertex].right())
	}
	p := New(Options{
		Name: "dag", Title: "Specs and what they need", Description: g.Describe(),
		Width: width + bend + margin, Height: 2*margin + max(1, float64(len(lines)))*rowHeight, Links: link != nil,
	})
	for i, e := range g.edges() {
		drawNeed(p, g.Needs[i], e, spots)
	}
	for i, s := range g.Specs {
		target := ""
		if link != nil {
			target = link(s.ID)
		}
		p.Group(nameOf(s), target, func() { drawSpec(p, s, spots[i]) })
	}
	if len(g.Specs) == 0 {
		p.Text(Label{X: margin, Y: margin + boxHeight/2, Text: "No specs"}, Faint)
	}
	return p.Bytes()
}

// spot is the place at which a spec is drawn.
type spot struct {
	mark       Point   // on its lane, in the middle of its row
	left       float64 // of its box
	back, rest []int   // as in laneLine
}

func (s spot) right() float64 { return s.left + boxWidth }

// Describe returns the graph in a sentence or two.
func (g Graph) Describe() string {
	if len(g.Specs) == 0 {
		return "No specs."
	}
	var parts []string
	states, n := g.Count()
	for _, state := range states {
		parts = append(parts, fmt.Sprintf("%d %s", n[state], strings.ReplaceAll(state, "_", " ")))
	}
	out := fmt.Sprintf("Specs: %s. Needs between them: %d.", strings.Join(parts, ", "), len(g.Needs))
	if len(g.Cycles) > 0 {
		out += fmt.Sprintf(" Cycles: %d.", len(g.Cycles))
	}
	return out
}

// drawNeed draws an arrow from what is needed.
func drawNeed(p *Picture, n Need, e edge, spots []spot) {
	from, to := spots[e.from], spots[e.to]
	isBack := slices.Contains(from.back, e.to)
	class := Link
	if n.Kind != DependsOn {
		class = Dashed
	}
	if n.Cycle || isBack {
		class = Wrong
	}
	if !isBack && !slices.Contains(to.rest, e.from) {
		p.Arrow(from.mark, to.mark, dot, class)
		return
	}
	apart := dot * 2
	// An arrow from a spec to itself needs a larger arc to be seen.
	if e.from == e.to {
		apart = boxHeight / 4
	}
	p.Arc(Point{X: from.right(), Y: from.mark.Y + apart}, Point{X: to.right(), Y: to.mark.Y - apart}, bend, class)
}

func drawSpec(p *Picture, s Spec, at spot) {
	look := groupNamed(groupOf(s))
	x, y := at.left, at.mark.Y-boxHeight/2
	p.Rect(Box{X: at.mark.X - dot, Y: at.mark.Y - dot, Width: 2 * dot, Height: 2 * dot, Round: dot}, look.box)
	p.Rect(Box{X: x, Y: y, Width: boxWidth, Height: boxHeight, Round: 6}, look.box)
	p.Text(Label{X: x + inset, Y: y + 17, Text: fit(s.ID, 32), Size: 11}, Faint)
	p.Text(Label{X: at.right() - inset, Y: y + 17, Text: strings.ReplaceAll(s.State(), "_", " "), Size: 10, Anchor: End}, look.on)
	p.Text(Label{X: x + inset, Y: y + 34, Text: fit(shownTitle(s), 45)}, Ink)
}

// nameOf returns what a reader hears or sees in place of a box.
func nameOf(s Spec) string {
	name := s.ID + ", " + strings.ReplaceAll(s.State(), "_", " ")
	if title := shownTitle(s); title != "" {
		name += ": " + title
	}
	return name
}

// fit clips a text to so many columns; characters of East Asian scripts take two.
func fit(s string, columns int) string {
	s = text.Printable(s)
	used := 0
	for i, r := range s {
		width := 1
		// From there on are the characters of East Asian scripts.
		if r >= 0x1100 {
			width = 2
		}
		if used += width; used > columns {
			return s[:i] + "…"
		}
	}
	return s
}
