package picture

import "math"

// Chart is values by label.
type Chart struct {
	Title  string
	Labels []string // below it, from left to right; only some of them where there are many
	Of     string   // goes before a label where a bar is named, such as "Week of "
	Bars   bool     // of each series beside those of the others; otherwise lines
	Whole  bool     // values are whole numbers
	Text   func(float64) string
	Series []Series
}

// Series is a row of values, one for each label; NaN where there is none.
type Series struct {
	Name   string // "" needs no legend
	Values []float64
	Class  Class
}

const (
	labelWidth = 70 // pixels for a label below a chart
	maxNumbers = 26 // above the bars of a chart
)

// Chart draws a chart whose values are in an area, with its title above that and labels on the left and below.
func (p *Picture) Chart(c Chart, area Box) {
	most := 0.0
	for _, s := range c.Series {
		for _, v := range s.Values {
			if !math.IsNaN(v) {
				most = max(most, v)
			}
		}
	}
	step := niceStep(most)
	if c.Whole {
		step = max(step, 1)
	}
	// A chart of zeros needs a height to divide by.
	high := max(math.Ceil(most/step)*step, step)
	right, base := area.X+area.Width, area.Y+area.Height
	y := func(v float64) float64 { return base - v/high*area.Height }
	p.Text(Label{X: area.X - 40, Y: area.Y - 16, Text: c.Title, Bold: true}, Ink)
	for i := range int(math.Round(high/step)) + 1 {
		v := float64(i) * step
		p.Line([]Point{{X: area.X, Y: y(v)}, {X: right, Y: y(v)}}, Axis)
		p.Text(Label{X: area.X - 8, Y: y(v) + 4, Text: c.Text(v), Anchor: End, Size: 11}, Faint)
	}
	place := area.Width / float64(max(len(c.Labels), 1))
	x := func(i int) float64 {
		if c.Bars {
			return area.X + (float64(i)+0.5)*place
		}
		return area.X + area.Width*float64(i)/float64(max(len(c.Labels)-1, 1))
	}
	// Labels that overlap cannot be read.
	every := max(1, int(math.Ceil(labelWidth/place)))
	for i := 0; i < len(c.Labels); i += every {
		p.Text(Label{X: x(i), Y: base + 17, Text: c.Labels[i], Anchor: Middle, Size: 11}, Faint)
	}
	for k, s := range c.Series {
		if s.Name != "" {
			legend := area.Y - 30 + 14*float64(k)
			p.Text(Label{X: right - 22, Y: legend + 4, Text: s.Name, Anchor: End, Size: 11}, Ink)
			if c.Bars {
				p.Rect(Box{X: right - 16, Y: legend - 4, Width: 16, Height: 8}, s.Class)
			} else {
				p.Line([]Point{{X: right - 16, Y: legend}, {X: right, Y: legend}}, s.Class)
			}
		}
		if !c.Bars {
			p.plot(s, x, y)
			continue
		}
		width := place * 0.7 / float64(len(c.Series))
		for i, v := range s.Values {
			left := x(i) - place*0.35 + float64(k)*width
			// A colour alone says nothing to a screen reader, so each bar has a name.
			p.Group(c.Of+c.Labels[i]+": "+c.Text(v)+seriesSuffix(s.Name), "", func() {
				p.Rect(Box{X: left, Y: y(v), Width: width, Height: base - y(v)}, s.Class)
				if v > 0 && len(s.Values)*len(c.Series) <= maxNumbers {
					p.Text(Label{X: left + width/2, Y: y(v) - 4, Text: c.Text(v), Anchor: Middle, Size: 10}, Ink)
				}
			})
		}
	}
}

// plot draws a line through the values that there are.
func (p *Picture) plot(s Series, x func(int) float64, y func(float64) float64) {
	var points []Point
	for i, v := range s.Values {
		if !math.IsNaN(v) {
			points = append(points, Point{x(i), y(v)})
		}
	}
	p.Line(points, s.Class)
}

func seriesSuffix(series string) string {
	if series == "" {
		return ""
	}
	return " " + series
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
