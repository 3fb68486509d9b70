package tasks

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// chart is the content of a plot.
type chart struct {
	title  string
	labels []string // of the values, from left to right
	lines  []line
	bars   bool // in a file, values are bars
}

// line is one series of values.
type line struct {
	name   string
	values []float64 // NaN where there is none
	dashed bool
}

// The size of a plot on a terminal, in characters.
const (
	plotWidth  = 60
	plotHeight = 10
)

// plot prints the chart for a terminal. The dashed line is made of dots.
func (c chart) plot(w io.Writer) {
	if len(c.lines) == 0 || len(c.lines[0].values) == 0 {
		return
	}
	most, decimals := c.maxValue(), uint(0)
	if most < plotHeight {
		decimals = 1
	}
	var data [][]float64
	var chars []asciigraph.CharSet
	var names []string
	for _, l := range c.lines {
		data = append(data, atLeastTwo(l.values))
		chars = append(chars, asciigraph.DefaultCharSet)
		mark := "─ "
		if l.dashed {
			chars[len(chars)-1], mark = asciigraph.CreateCharSet("·"), "· "
		}
		names = append(names, mark+l.name)
	}
	fmt.Fprintf(w, "%s   (%s)\n", c.title, strings.Join(names, ", "))
	fmt.Fprintln(w, asciigraph.PlotMany(data, asciigraph.Width(plotWidth), asciigraph.Height(plotHeight), asciigraph.LowerBound(0),
		asciigraph.UpperBound(max(most, 1)), asciigraph.Precision(decimals), asciigraph.SeriesChars(chars...)))
	first, last := c.labels[0], c.labels[len(c.labels)-1]
	if len(c.labels) > 1 {
		fmt.Fprintf(w, "  %s%*s\n", first, plotWidth+4-len(first), last)
	} else {
		fmt.Fprintf(w, "  %s\n", first)
	}
}

// atLeastTwo returns values of which a line can be drawn: a single one twice.
func atLeastTwo(values []float64) []float64 {
	// A line needs two points.
	if len(values) == 1 {
		return []float64{values[0], values[0]}
	}
	return values
}

// maxValue is the highest value of all lines.
func (c chart) maxValue() float64 {
	most := 0.0
	for _, l := range c.lines {
		for _, v := range l.values {
			if !math.IsNaN(v) {
				most = math.Max(most, v)
			}
		}
	}
	return most
}
