package stats

import (
	"fmt"
	"math"
	"strconv"

	"chant/engine/picture"
)

// The measures of a picture in pixels.
const (
	width       = 720.0
	left, right = 56.0, 16.0
	chartHeight = 150.0
	headHeight  = 108.0
	lineHeight  = 20.0
	mostAgents  = 12 // lines
	mostLabels  = 9  // below a chart
	mostNumbers = 26 // above the bars of a chart
)

// chart is a row of bars.
type chart struct {
	title  string
	values []float64
	text   func(float64) string
	class  picture.Class
	whole  bool // values are whole numbers
}

// SVG draws the figures: specs and cost by week, and a line for each provider and model. name begins the ids in it.
func (s Stats) SVG(name, title string) []byte {
	charts := []chart{{"Specs landed by week", s.LandedByWeek(), func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }, picture.Value, true}}
	if costs, known := s.CostByWeek(); known {
		charts = append(charts, chart{"Cost of agents by week", costs, func(v float64) string { return fmt.Sprintf("$%.2f", v) }, picture.Other, false})
	}
	agents := s.Agents[:min(len(s.Agents), mostAgents)]
	height := headHeight + float64(len(charts))*(chartHeight+64) + 16
	if len(agents) > 0 {
		height += float64(len(agents)+1)*lineHeight + 8
	}
	p := picture.New(picture.Options{Name: name, Title: title, Description: s.Describe(), Width: width, Height: height})
	p.Text(picture.Label{X: 16, Y: 30, Text: title, Size: 16, Bold: true}, picture.Ink)
	for i, line := range s.Sentences() {
		p.Text(picture.Label{X: 16, Y: 52 + float64(i)*17, Text: line}, picture.Faint)
	}
	top := headHeight + 8
	for _, c := range charts {
		c.draw(p, top, s.Weeks)
		top += chartHeight + 64
	}
	for i, a := range agents {
		if i == 0 {
			p.Text(picture.Label{X: 16, Y: top, Text: "Agents", Bold: true}, picture.Ink)
		}
		p.Text(picture.Label{X: 16, Y: top + float64(i+1)*lineHeight, Text: a.Sentence()}, picture.Ink)
	}
	return p.Bytes()
}

// draw draws the chart below a position.
func (c chart) draw(p *picture.Picture, top float64, weeks []Week) {
	most := 0.0
	for _, v := range c.values {
		most = max(most, v)
	}
	step := niceStep(most)
	if c.whole {
		step = max(step, 1)
	}
	high := max(math.Ceil(most/step)*step, step)
	base := top + 16 + chartHeight
	y := func(v float64) float64 { return base - v/high*chartHeight }
	p.Text(picture.Label{X: 16, Y: top, Text: c.title, Bold: true}, picture.Ink)
	for i := range int(math.Round(high/step)) + 1 {
		v := float64(i) * step
		p.Line([]picture.Point{{X: left, Y: y(v)}, {X: width - right, Y: y(v)}}, picture.Axis)
		p.Text(picture.Label{X: left - 8, Y: y(v) + 4, Text: c.text(v), Anchor: picture.End, Size: 11}, picture.Faint)
	}
	place := (width - left - right) / float64(max(len(c.values), 1))
	every := (len(c.values) + mostLabels - 1) / mostLabels
	for i, v := range c.values {
		middle := left + (float64(i)+0.5)*place
		p.Group("Week of "+weeks[i].Begins+": "+c.text(v), "", func() {
			p.Rect(picture.Box{X: middle - place*0.35, Y: y(v), Width: place * 0.7, Height: base - y(v)}, c.class)
			if v > 0 && len(c.values) <= mostNumbers {
				p.Text(picture.Label{X: middle, Y: y(v) - 4, Text: c.text(v), Anchor: picture.Middle, Size: 10}, picture.Ink)
			}
		})
		if i%every == 0 {
			p.Text(picture.Label{X: middle, Y: base + 17, Text: weeks[i].Begins[5:], Anchor: picture.Middle, Size: 11}, picture.Faint)
		}
	}
}

// niceStep returns 1, 2 or 5 times a power of ten that divides a chart into a few parts.
func niceStep(most float64) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most/4)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= most/4 {
			return factor * power
		}
	}
	return 10 * power
}
