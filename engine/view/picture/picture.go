// Package picture writes SVG: a drawing of rectangles, lines and texts, with a title and a description.
//
// # Rules
//
//   - A picture is one element <svg>, which can be a file or part of a page. It has no script, no reference to anything
//     outside of it, and no position that depends on a font.
//   - Its role is img, so that a screen reader reads title and description. If parts of it are links, its role is group.
//   - Colours are classes (Class), each with one colour for a light and one for a dark background. They have a contrast of
//     at least 4.5 to 1 for texts and 3 to 1 for lines. Nothing may be said by a colour alone; callers write it too.
//   - Texts may contain anything. Characters that XML does not have are left out.
//
// # Decisions
//
// 2026-11-26: colours are in a style element that asks for the scheme of the reader. Rejected: attributes, which have one
// scheme; and currentColor, which is black in an image. Where a page forbids inline styles, it serves Styles itself.
package picture

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// Picture is an SVG while it is drawn. Coordinates are in pixels, from the top left.
type Picture struct {
	name string
	body bytes.Buffer
	head string
}

// Options describe a picture as a whole.
type Options struct {
	Name          string // begins the ids in it: letters, digits and "-", one for each picture of a page
	Title         string
	Description   string
	Width, Height float64
	Links         bool // parts of it are links
}

// New begins a picture.
func New(o Options) *Picture {
	role := "img"
	if o.Links {
		// In an image, a screen reader does not reach links.
		role = "group"
	}
	p := &Picture{name: o.Name}
	p.head = fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="chant-picture" viewBox="0 0 %s %s" width="%[1]s" height="%[2]s" role="%s" aria-labelledby="%[4]s-title %[4]s-description" font-family="system-ui, sans-serif" font-size="12">`+"\n"+
		`<title id="%[4]s-title">%[5]s</title>`+"\n"+`<desc id="%[4]s-description">%[6]s</desc>`+"\n",
		number(o.Width), number(o.Height), role, o.Name, escapeXML(o.Title), escapeXML(o.Description))
	p.head += "<style>" + Styles() + "</style>\n" +
		fmt.Sprintf(`<defs><marker id="%s-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>`+"\n", o.Name)
	p.Rect(Box{Width: o.Width, Height: o.Height}, Background)
	return p
}

// Box is a rectangle.
type Box struct{ X, Y, Width, Height, Round float64 }

// Rect draws a rectangle.
func (p *Picture) Rect(b Box, class Class) {
	round := ""
	if b.Round > 0 {
		round = ` rx="` + number(b.Round) + `"`
	}
	fmt.Fprintf(&p.body, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"%s/>`+"\n", class, number(b.X), number(b.Y), number(b.Width), number(b.Height), round)
}

// Anchor is which end of a text is at its position.
type Anchor string

// The anchors of a text.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Label is a text at a position: that of its anchor, on its base line.
type Label struct {
	X, Y   float64
	Text   string
	Anchor Anchor  // Start if empty
	Size   float64 // in pixels, 12 if 0
	Bold   bool
}

// Text writes a label.
func (p *Picture) Text(l Label, class Class) {
	more := ""
	if l.Anchor != "" && l.Anchor != Start {
		more += ` text-anchor="` + string(l.Anchor) + `"`
	}
	if l.Size > 0 {
		more += ` font-size="` + number(l.Size) + `"`
	}
	if l.Bold {
		more += ` font-weight="bold"`
	}
	fmt.Fprintf(&p.body, `<text class="%s" x="%s" y="%s"%s>%s</text>`+"\n", class, number(l.X), number(l.Y), more, escapeXML(l.Text))
}

// Point is a position.
type Point struct{ X, Y float64 }

// Line draws a straight line through points.
func (p *Picture) Line(points []Point, class Class) {
	var d strings.Builder
	for i, at := range points {
		d.WriteString(string("ML"[min(i, 1)]) + number(at.X) + " " + number(at.Y))
	}
	fmt.Fprintf(&p.body, `<path class="%s" d="%s"/>`+"\n", class, d.String())
}

// Arrow draws an arrow down from one point and then, around a corner, to the edge of a circle around another one.
func (p *Picture) Arrow(from, to Point, radius float64, class Class) {
	d := "M" + number(from.X) + " " + number(from.Y)
	switch corner := 8.0; {
	case from.X == to.X:
		d += "V" + number(to.Y-radius)
	default:
		if from.X > to.X {
			corner, radius = -corner, -radius
		}
		d += fmt.Sprintf("V%[1]sQ%[2]s %[3]s %[4]s %[3]sH%[5]s", number(to.Y-math.Abs(corner)), number(from.X), number(to.Y), number(from.X+corner), number(to.X-radius))
	}
	p.arrow(d, class)
}

// Arc draws an arrow in an arc from one point to another, to the right of both.
func (p *Picture) Arc(from, to Point, width float64, class Class) {
	right := number(max(from.X, to.X) + width)
	p.arrow(fmt.Sprintf("M%s %sC%s %[2]s %[3]s %[4]s %[5]s %[4]s", number(from.X), number(from.Y), right, number(to.Y), number(to.X)), class)
}

// arrow draws a path with an arrowhead at its end.
func (p *Picture) arrow(d string, class Class) {
	fmt.Fprintf(&p.body, `<path class="%s" d="%s" marker-end="url(#%s-arrow)"/>`+"\n", class, d, p.name)
}

// Group draws what draw draws as one thing with a name, which is a link if there is a target. A target with a scheme
// other than http, https and file is left out.
func (p *Picture) Group(name, target string, draw func()) {
	linked := target != "" && isAllowedTarget(target)
	if linked {
		fmt.Fprintf(&p.body, `<a href="%s">`, escapeXML(target))
	}
	fmt.Fprintf(&p.body, "<g><title>%s</title>\n", escapeXML(name))
	draw()
	p.body.WriteString("</g>")
	if linked {
		p.body.WriteString("</a>")
	}
	p.body.WriteString("\n")
}

// isAllowedTarget reports whether a target of a link cannot be a script: it is relative, or names a harmless scheme.
func isAllowedTarget(target string) bool {
	scheme, _, found := strings.Cut(target, ":")
	// A colon behind one of these is part of a path.
	if !found || strings.ContainsAny(scheme, "/?#") {
		return true
	}
	switch strings.ToLower(strings.TrimSpace(scheme)) {
	case "http", "https", "file":
		return true
	}
	return false
}

// Bytes returns the picture.
func (p *Picture) Bytes() []byte {
	return append([]byte(p.head), append(p.body.Bytes(), "</svg>\n"...)...)
}

// number writes a coordinate with at most one decimal.
func number(f float64) string {
	text := strconv.FormatFloat(f, 'f', 1, 64)
	text = strings.TrimSuffix(text, ".0")
	if text == "-0" {
		return "0"
	}
	return text
}

// escapeXML returns a text as it is written in XML, without characters that XML does not have.
func escapeXML(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		// XML does not have these characters, not even escaped.
		if r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")))
}
