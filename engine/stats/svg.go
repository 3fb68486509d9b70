package stats

import (
	"fmt"
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
)

// SVG draws the figures: specs and cost by week, and a line for each provider and model. name begins the ids in it.
func (s Stats) SVG(name, title string) []byte {
	charts := []picture.Chart{{
		Title: "Specs landed by week", Whole: true, Text: func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) },
		Series: []picture.Series{{Values: s.LandedByWeek(), Class: picture.Value}},
	}}
	if costs, known := s.CostByWeek(); known {
		charts = append(charts, picture.Chart{
			Title: "Cost of agents by week", Text: func(v float64) string { return fmt.Sprintf("$%.2f", v) },
			Series: []picture.Series{{Values: costs, Class: picture.Other}},
		})
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
		c.Bars, c.Of = true, "Week of "
		for _, week := range s.Weeks {
			c.Labels = append(c.Labels, week.Begins)
		}
		p.Chart(c, picture.Box{X: left, Y: top + 16, Width: width - left - right, Height: chartHeight})
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
