package dag

import (
	"fmt"
	"strings"

	"chant/engine/layered"
	"chant/engine/picture"
	"chant/providers/text"
)

// SVGOptions describe a picture of a graph.
type SVGOptions struct {
	Name  string                 // begins the ids in it, "dag" if empty
	Title string                 // "Specs and what they need" if empty
	Link  func(id string) string // the target of a spec; nil or "" for none
}

// The measures of a picture in pixels.
const (
	boxWidth, boxHeight = 220.0, 42.0
	columnWidth         = boxWidth + 64
	rowHeight           = 29.0 // of one row of the layout, of which a box has two
	margin              = 16.0
	inset               = 8.0
)

// SVG draws the graph from left to right: what is needed is on the left of what needs it.
func (g Graph) SVG(o SVGOptions) []byte {
	l := layered.Arrange(len(g.Specs), g.edges())
	if o.Name == "" {
		o.Name = "dag"
	}
	if o.Title == "" {
		o.Title = "Specs and what they need"
	}
	width := 2*margin + max(boxWidth, float64(l.Layers)*columnWidth-columnWidth+boxWidth)
	height := 2*margin + max(boxHeight, float64(l.Rows)*rowHeight)
	p := picture.New(picture.Options{Name: o.Name, Title: o.Title, Description: g.Describe(), Width: width, Height: height, Links: o.Link != nil})
	for i, r := range l.Routes {
		drawNeed(p, g.Needs[i], r)
	}
	for i, s := range g.Specs {
		x, y := corner(l.Spots[i])
		target := ""
		if o.Link != nil {
			target = o.Link(s.ID)
		}
		p.Group(nameOf(s), target, func() { drawSpec(p, s, x, y) })
	}
	if len(g.Specs) == 0 {
		p.Text(picture.Label{X: margin, Y: margin + boxHeight/2, Text: "No specs"}, picture.Faint)
	}
	return p.Bytes()
}

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

// corner returns the top left corner of the box at a spot.
func corner(s layered.Spot) (x, y float64) {
	return margin + float64(s.Layer)*columnWidth, margin + float64(s.Row)*rowHeight + (layered.Gap*rowHeight-boxHeight)/2
}

// drawNeed draws an arrow from what is needed.
func drawNeed(p *picture.Picture, n Need, r layered.Route) {
	class := picture.Link
	if n.Kind != DependsOn {
		class = picture.Dashed
	}
	if n.Cycle || r.Back {
		class = picture.Wrong
	}
	last := len(r.Spots) - 1
	fromX, fromY := corner(r.Spots[0])
	toX, toY := corner(r.Spots[last])
	if n.Spec == n.Needs {
		p.Loop(picture.Point{X: fromX + boxWidth - 20, Y: fromY}, picture.Point{X: fromX + boxWidth - 50, Y: fromY}, -14, class)
		return
	}
	var points []picture.Point
	if r.Back { // from the left of one to the right of the other
		points = append(points, picture.Point{X: fromX, Y: fromY + boxHeight*0.75})
		toX += boxWidth
		toY += boxHeight * 0.25
	} else {
		points = append(points, picture.Point{X: fromX + boxWidth, Y: fromY + boxHeight/2})
		toY += boxHeight / 2
	}
	for _, s := range r.Spots[1:last] {
		x, y := corner(s)
		a, b := picture.Point{X: x, Y: y + boxHeight/2}, picture.Point{X: x + boxWidth, Y: y + boxHeight/2}
		if r.Back {
			a, b = b, a
		}
		points = append(points, a, b)
	}
	p.Arrow(append(points, picture.Point{X: toX, Y: toY}), class)
}

func drawSpec(p *picture.Picture, s Spec, x, y float64) {
	look := groupNamed(groupOf(s))
	p.Rect(picture.Box{X: x, Y: y, Width: boxWidth, Height: boxHeight, Round: 6}, look.box)
	p.Text(picture.Label{X: x + inset, Y: y + 17, Text: fit(s.ID, 22), Size: 11}, picture.Faint)
	p.Text(picture.Label{X: x + boxWidth - inset, Y: y + 17, Text: strings.ReplaceAll(s.State(), "_", " "), Size: 10, Anchor: picture.End}, look.on)
	p.Text(picture.Label{X: x + inset, Y: y + 34, Text: fit(shownTitle(s), 30)}, picture.Ink)
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
		if r >= 0x1100 {
			width = 2
		}
		if used += width; used > columns {
			return s[:i] + "…"
		}
	}
	return s
}
