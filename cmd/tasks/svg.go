package tasks

import (
	"strings"

	"chant/engine/view/picture"
)

// svg returns the chart as a picture.
func (c chart) svg() []byte {
	draw := picture.Chart{Title: c.title, Labels: c.labels, Bars: c.bars, Text: amount}
	var names []string
	for _, l := range c.lines {
		class := picture.Value
		if l.dashed {
			class = picture.Ideal
		}
		draw.Series = append(draw.Series, picture.Series{Name: l.name, Values: l.values, Class: class})
		names = append(names, l.name)
	}
	p := picture.New(picture.Options{Name: "chart", Title: c.title, Description: strings.Join(names, ", "), Width: 720, Height: 360})
	p.Chart(draw, picture.Box{X: 56, Y: 56, Width: 648, Height: 260})
	return p.Bytes()
}
