package chart

import (
	"fmt"
	"html"
	"strings"
)

// Bar is how many specs were created and completed in a month.
type Bar struct {
	Name               string
	Created, Completed int
}

// Months draws two bars for each month: created and completed. It returns "" without bars.
func Months(bars []Bar) string {
	if len(bars) == 0 {
		return ""
	}
	const height, step, width = 120, 56, 20
	highest := 1
	for _, b := range bars {
		highest = max(highest, b.Created, b.Completed)
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" class="months-chart" role="img" aria-label="Specs created and completed by month">`, len(bars)*step+16, height+64)
	out.WriteString("\n" + `<rect class="bar" x="8" y="8" width="10" height="10"/><text x="22" y="17">created</text><rect class="bar done" x="80" y="8" width="10" height="10"/><text x="94" y="17">completed</text>` + "\n")
	for i, b := range bars {
		x := 8 + i*step
		for j, n := range []int{b.Created, b.Completed} {
			h, class := n*height/highest, "bar"
			if j == 1 {
				class = "bar done"
			}
			if n > 0 {
				h = max(h, 2)
			}
			fmt.Fprintf(&out, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"><title>%s: %d</title></rect>`, class, x+j*(width+2), 40+height-h, width, h, html.EscapeString(b.Name), n)
		}
		fmt.Fprintf(&out, `<text x="%d" y="%d">%s</text>`+"\n", x, height+56, html.EscapeString(b.Name))
	}
	fmt.Fprintf(&out, `<line class="axis" x1="0" x2="%d" y1="%d" y2="%d"/></svg>`, len(bars)*step+16, 40+height, 40+height)
	return out.String()
}
