package tasks

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strings"
)

// The size of a chart in a file, and of its margins, in pixels.
const (
	svgWidth, svgHeight = 720.0, 360.0
	svgLeft, svgRight   = 56.0, 16.0
	svgTop, svgBottom   = 48.0, 40.0
)

// svg returns the chart as a picture.
func (c chart) svg() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", svgWidth, svgHeight)
	fmt.Fprintf(&b, `<rect width="%g" height="%g" fill="white"/>`+"\n", svgWidth, svgHeight)
	fmt.Fprintf(&b, `<text x="%g" y="24" font-size="16">%s</text>`+"\n", svgLeft, escaped(c.title))
	step := niceStep(c.most())
	top := max(math.Ceil(c.most()/step)*step, step)
	y := func(v float64) float64 { return svgHeight - svgBottom - v/top*(svgHeight-svgTop-svgBottom) }
	for v := 0.0; v <= top+step/2; v += step {
		fmt.Fprintf(&b, `<line x1="%g" y1="%.1f" x2="%g" y2="%.1f" stroke="#ddd"/>`, svgLeft, y(v), svgWidth-svgRight, y(v))
		fmt.Fprintf(&b, `<text x="%g" y="%.1f" text-anchor="end">%s</text>`+"\n", svgLeft-8, y(v)+4, amount(v))
	}
	c.writeLabels(&b)
	for i, l := range c.lines {
		if c.bars {
			c.writeBars(&b, i, y)
		} else {
			c.writeLine(&b, l, y)
		}
		c.writeName(&b, i)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// x returns the middle of the place of a value.
func (c chart) x(i int) float64 {
	n := len(c.labels)
	width := svgWidth - svgLeft - svgRight
	if c.bars {
		return svgLeft + width*(float64(i)+0.5)/float64(n)
	}
	return svgLeft + width*float64(i)/float64(max(n-1, 1))
}

// maxLabels is how many labels fit below a chart.
const maxLabels = 8

func (c chart) writeLabels(b *bytes.Buffer) {
	every := (len(c.labels) + maxLabels - 1) / maxLabels
	for i := 0; i < len(c.labels); i += max(every, 1) {
		anchor := "middle"
		if i == 0 && !c.bars {
			anchor = "start"
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%g" text-anchor="%s">%s</text>`+"\n", c.x(i), svgHeight-svgBottom+20, anchor, escaped(c.labels[i]))
	}
}

func (c chart) writeLine(b *bytes.Buffer, l line, y func(float64) float64) {
	var points []string
	for i, v := range l.values {
		if math.IsNaN(v) {
			continue
		}
		points = append(points, fmt.Sprintf("%.1f,%.1f", c.x(i), y(v)))
	}
	dashes := ""
	if l.dashed {
		dashes = ` stroke-dasharray="6 4"`
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>`+"\n", strings.Join(points, " "), colour(l), dashes)
}

// writeBars draws the bars of one series, beside those of the others.
func (c chart) writeBars(b *bytes.Buffer, series int, y func(float64) float64) {
	l := c.lines[series]
	place := (svgWidth - svgLeft - svgRight) / float64(max(len(c.labels), 1))
	width := place * 0.7 / float64(len(c.lines))
	for i, v := range l.values {
		left := c.x(i) + (float64(series)-float64(len(c.lines))/2)*width
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", left, y(v), width, y(0)-y(v), colour(l))
	}
}

// writeName writes the name of a series in its colour, above the chart on the right.
func (c chart) writeName(b *bytes.Buffer, series int) {
	fmt.Fprintf(b, `<text x="%g" y="%d" text-anchor="end" fill="%s">%s</text>`+"\n", svgWidth-svgRight, 18+16*series, colour(c.lines[series]), escaped(c.lines[series].name))
}

func colour(l line) string {
	if l.dashed {
		return "#888888"
	}
	return "#1f6feb"
}

// niceStep returns a step of 1, 2 or 5 times a power of ten that divides the height of a chart into a few parts.
func niceStep(most float64) float64 {
	if most <= 0 {
		return 1
	}
	rough := most / 5
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= rough {
			return factor * power
		}
	}
	return 10 * power
}

// escaped returns a text as it is written in XML, without characters that XML does not have.
func escaped(text string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")))
}
