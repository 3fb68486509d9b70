package chart

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"chant/providers/text"
)

// Node is a spec in a graph.
type Node struct {
	ID, Title, Href, Class string
	After                  []string // the specs that it depends on
	Members                []string // the specs that it consists of
}

// The sizes of a drawing.
const (
	nodeWidth, nodeHeight = 200, 44
	columnGap, rowGap     = 60, 14
	margin                = 12
	titleColumns          = 26
)

// layout is a graph while it is arranged.
type layout struct {
	nodes []Node
	at    map[string]int // of each id, in nodes
	next  [][]int        // from a node to those that come after it
	level []int          // the column of each node
	row   []float64      // its place in the column
}

// Graph draws nodes in columns: each to the right of those it depends on, and a driver to the right of its members.
// Edges to ids that are missing are left out.
func Graph(nodes []Node) string {
	l := &layout{nodes: nodes, at: map[string]int{}, next: make([][]int, len(nodes)), level: make([]int, len(nodes)), row: make([]float64, len(nodes))}
	for i, n := range nodes {
		l.at[n.ID] = i
	}
	for i, n := range nodes {
		for _, before := range slices.Concat(n.After, n.Members) {
			if j, ok := l.at[before]; ok && j != i && !slices.Contains(l.next[j], i) {
				l.next[j] = append(l.next[j], i)
			}
		}
	}
	l.assignLevels()
	rows := l.assignRows()
	return l.draw(rows)
}

// assignLevels gives each node the length of the longest way to it. A cycle is cut where the walk closes it.
func (l *layout) assignLevels() {
	before := make([][]int, len(l.nodes))
	for i, next := range l.next {
		for _, j := range next {
			before[j] = append(before[j], i)
		}
	}
	const unseen, open, done = 0, 1, 2
	state := make([]int, len(l.nodes))
	var visit func(i int) int
	visit = func(i int) int {
		if state[i] != unseen {
			return l.level[i]
		}
		state[i] = open
		for _, j := range before[i] {
			if state[j] != open {
				l.level[i] = max(l.level[i], visit(j)+1)
			}
		}
		state[i] = done
		return l.level[i]
	}
	for i := range l.nodes {
		visit(i)
	}
}

// components returns the parts of the graph that no edge joins, the largest first.
func (l *layout) components() [][]int {
	beside := make([][]int, len(l.nodes))
	for i, next := range l.next {
		for _, j := range next {
			beside[i], beside[j] = append(beside[i], j), append(beside[j], i)
		}
	}
	seen := make([]bool, len(l.nodes))
	var parts [][]int
	for i := range l.nodes {
		if seen[i] {
			continue
		}
		seen[i] = true
		part := []int{i}
		for k := 0; k < len(part); k++ {
			for _, j := range beside[part[k]] {
				if !seen[j] {
					seen[j] = true
					part = append(part, j)
				}
			}
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return parts
}

// sweeps is how often columns are ordered by their neighbours: more change little.
const sweeps = 6

// assignRows places the nodes of each part below those of the one before, and returns the number of rows.
func (l *layout) assignRows() int {
	top := 0
	for _, part := range l.components() {
		columns := map[int][]int{}
		for _, i := range part {
			columns[l.level[i]] = append(columns[l.level[i]], i)
			l.row[i] = float64(len(columns[l.level[i]]) - 1)
		}
		for range sweeps {
			l.orderColumns(columns, part)
		}
		tallest := 0
		for _, column := range columns {
			tallest = max(tallest, len(column))
			for _, i := range column {
				l.row[i] += float64(top)
			}
		}
		top += tallest
	}
	return top
}

// orderColumns orders the nodes of each column by the middle of their neighbours.
func (l *layout) orderColumns(columns map[int][]int, part []int) {
	sum, count := map[int]float64{}, map[int]int{}
	for _, i := range part {
		for _, j := range l.next[i] {
			sum[i], count[i] = sum[i]+l.row[j], count[i]+1
			sum[j], count[j] = sum[j]+l.row[i], count[j]+1
		}
	}
	middle := func(i int) float64 {
		if count[i] == 0 {
			return l.row[i]
		}
		return sum[i] / float64(count[i])
	}
	for _, column := range columns {
		slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(middle(a), middle(b)) })
		for k, i := range column {
			l.row[i] = float64(k)
		}
	}
}

// place returns the upper left corner of a node.
func (l *layout) place(i int) (x, y int) {
	return margin + l.level[i]*(nodeWidth+columnGap), margin + int(l.row[i]*(nodeHeight+rowGap))
}

func (l *layout) draw(rows int) string {
	columns := slices.Max(append([]int{0}, l.level...)) + 1
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="group" aria-label="Graph of %d specs">`+"\n",
		2*margin+columns*(nodeWidth+columnGap)-columnGap, 2*margin+rows*(nodeHeight+rowGap), len(l.nodes))
	out.WriteString(`<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="arrow" d="M0 0L8 4L0 8z"/></marker></defs>` + "\n")
	for i, n := range l.nodes {
		for _, id := range n.After {
			l.drawEdge(&out, id, i, "edge")
		}
		for _, id := range n.Members {
			if !slices.Contains(n.After, id) {
				l.drawEdge(&out, id, i, "edge member")
			}
		}
	}
	for i, n := range l.nodes {
		x, y := l.place(i)
		fmt.Fprintf(&out, `<a href="%s"><g class="node %s"><title>%s</title><rect class="box" x="%d" y="%d" width="%d" height="%d" rx="4"/><text x="%d" y="%d">%s</text><text class="faint" x="%d" y="%d">%s</text></g></a>`+"\n",
			html.EscapeString(n.Href), html.EscapeString(n.Class), html.EscapeString(n.Title), x, y, nodeWidth, nodeHeight,
			x+8, y+18, html.EscapeString(text.Clip(n.Title, titleColumns)), x+8, y+35, html.EscapeString(text.Clip(n.ID, titleColumns)))
	}
	out.WriteString("</svg>")
	return out.String()
}

// drawEdge draws an edge from a node to a later one.
func (l *layout) drawEdge(out *strings.Builder, from string, to int, class string) {
	i, ok := l.at[from]
	if !ok || i == to {
		return
	}
	x1, y1 := l.place(i)
	x2, y2 := l.place(to)
	x1, y1, y2 = x1+nodeWidth, y1+nodeHeight/2, y2+nodeHeight/2
	bend := max(columnGap/2, (x2-x1)/2)
	fmt.Fprintf(out, `<path class="%s" marker-end="url(#arrow)" d="M%d %dC%d %d %d %d %d %d"/>`+"\n", class, x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)
}
