package layered

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// edgesOf reads edges such as "0>1 1>2".
func edgesOf(t *testing.T, text string) (n int, edges []Edge) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		var e Edge
		if _, err := fmt.Sscanf(word, "%d>%d", &e.From, &e.To); err != nil {
			t.Fatalf("%q: %v", word, err)
		}
		edges = append(edges, e)
		n = max(n, e.From+1, e.To+1)
	}
	return n, edges
}

// drawn shows the grid of a layout: a digit for each vertex and a dot where an edge passes.
func drawn(l Layout) string {
	grid := make([][]byte, l.Rows)
	for i := range grid {
		grid[i] = []byte(strings.Repeat(" ", l.Layers))
	}
	for _, r := range l.Routes {
		for i, s := range r.Spots {
			if i > 0 && i < len(r.Spots)-1 {
				grid[s.Row][s.Layer] = '.'
			}
		}
	}
	for v, s := range l.Spots {
		grid[s.Row][s.Layer] = "0123456789abcdefghijklmnopqrstuvwxyz"[v]
	}
	var out []string
	for _, line := range grid {
		out = append(out, strings.TrimRight(string(line), " "))
	}
	return strings.Join(out[:max(0, len(out)-1)], "\n") // below the last row, there is a gap
}

func TestArrange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edges string
		more  int // vertices without edges
		want  []string
		back  int
	}{
		"nothing":                 {"", 0, []string{""}, 0},
		"a chain":                 {"0>1 1>2", 0, []string{"012"}, 0},
		"a chain backwards":       {"2>1 1>0", 0, []string{"210"}, 0},
		"it parts and meets":      {"0>1 0>2 1>3 2>3", 0, []string{" 1", "0 3", " 2"}, 0},
		"an edge over a layer":    {"0>1 1>2 0>2", 0, []string{" 1", "0", " .2"}, 0},
		"crossings are removed":   {"0>3 1>2", 0, []string{"03", "", "12"}, 0},
		"late rather than early":  {"0>1 1>2 3>2", 0, []string{"01", "  2", " 3"}, 0},
		"parts, the largest one":  {"0>1 2>3 3>4", 0, []string{"234", "", "01"}, 0},
		"a cycle":                 {"0>1 1>2 2>0", 0, []string{" 1", "0", " .2"}, 1},
		"to itself":               {"0>0 1>2", 0, []string{"12", "", "0"}, 1},
		"into a cycle":            {"1>2 2>1 0>1", 0, []string{"012"}, 1},
		"without edges, in rows":  {"0>1", 6, []string{"01", "", "2345", "", "67"}, 0},
		"twice the same":          {"0>1 0>1", 0, []string{"01"}, 0},
		"two sources of two ends": {"0>2 0>3 1>2 1>3", 0, []string{"02", "", "13"}, 0},
	} {
		n, edges := edgesOf(t, c.edges)
		l := Arrange(n+c.more, edges)
		back := 0
		for _, r := range l.Routes {
			if r.Back {
				back++
			}
		}
		if got := drawn(l); got != strings.Join(c.want, "\n") || back != c.back {
			t.Errorf("%s: %d back\n%s\nwant %d\n%s", name, back, got, c.back, strings.Join(c.want, "\n"))
		}
	}
}

// checkLayout reports what a layout breaks of the rules of the package.
func checkLayout(n int, edges []Edge, l Layout) error {
	taken := map[Spot]bool{}
	for v, s := range l.Spots {
		if taken[s] || s.Layer < 0 || s.Layer >= l.Layers || s.Row < 0 || s.Row >= l.Rows {
			return fmt.Errorf("vertex %d is at %v, taken or outside of %d x %d", v, s, l.Layers, l.Rows)
		}
		taken[s] = true
	}
	if apart := gapsOf(l); apart < Gap {
		return fmt.Errorf("vertices of a layer are %d rows apart", apart)
	}
	for i, r := range l.Routes {
		if r.Spots[0] != l.Spots[edges[i].From] || r.Spots[len(r.Spots)-1] != l.Spots[edges[i].To] {
			return fmt.Errorf("edge %v begins or ends elsewhere: %v", edges[i], r.Spots)
		}
		ends := r.Spots[len(r.Spots)-1].Layer - r.Spots[0].Layer
		if !r.Back && ends < 1 || r.Back && ends > 0 {
			return fmt.Errorf("edge %v leads over %d layers, back %v", edges[i], ends, r.Back)
		}
		for k, s := range r.Spots {
			inside := k > 0 && k < len(r.Spots)-1
			if inside && taken[s] {
				return fmt.Errorf("edge %v passes %v, which is taken", edges[i], s)
			}
			if inside {
				taken[s] = true
			}
		}
	}
	listed := len(l.Alone)
	for _, p := range l.Parts {
		listed += len(p.Vertices)
	}
	if listed != n {
		return fmt.Errorf("%d of %d vertices are in a part or alone", listed, n)
	}
	return nil
}

// gapsOf returns the smallest distance of two spots in a layer.
func gapsOf(l Layout) int {
	rows := map[int][]int{}
	for _, s := range l.Spots {
		rows[s.Layer] = append(rows[s.Layer], s.Row)
	}
	for _, r := range l.Routes {
		for i := 1; i+1 < len(r.Spots); i++ {
			rows[r.Spots[i].Layer] = append(rows[r.Spots[i].Layer], r.Spots[i].Row)
		}
	}
	least := Gap
	for _, list := range rows {
		slices.Sort(list)
		for i := 1; i < len(list); i++ {
			least = min(least, list[i]-list[i-1])
		}
	}
	return least
}

// checkLines reports what lines of lanes break: each vertex has one, behind those from which edges lead to it, and each
// edge is a lane, a rest or back.
func checkLines(n int, edges []Edge, lines []Line, most int) error {
	at := map[int]int{}
	owner := map[int]int{} // by lane: the vertex
	for i, l := range lines {
		at[l.Vertex] = i
		var from []int
		place := -1
		for k, m := range l.Marks {
			v, known := owner[k]
			switch m {
			case Joins, Ends:
				if !known {
					return fmt.Errorf("line %d: lane %d belongs to nothing", i, k)
				}
				if from = append(from, v); m == Ends {
					delete(owner, k)
				}
			case Passes, Over:
				if !known {
					return fmt.Errorf("line %d: lane %d passes and belongs to nothing", i, k)
				}
			case Vertex:
				if place >= 0 {
					return fmt.Errorf("line %d has two vertices", i)
				}
				if i > 0 && !lines[i-1].Ended && !l.Alone && k < len(lines[i-1].Marks) && lines[i-1].Marks[k] == Vertex && !known {
					return fmt.Errorf("line %d: the vertex is below another one from which no edge leads here", i)
				}
				if place = k; known { // its lane ends here, in the place of the vertex
					from = append(from, v)
				}
				owner[k] = l.Vertex
			}
		}
		from = append(from, l.Rest...)
		slices.Sort(from)
		var want []int
		for _, e := range edges {
			if e.To == l.Vertex && !slices.Contains(lineOf(lines, e.From).Back, e.To) {
				want = append(want, e.From)
			}
		}
		slices.Sort(want)
		if want = slices.Compact(want); place < 0 || !slices.Equal(from, want) {
			return fmt.Errorf("line %d: edges from %v, want %v", i, from, want)
		}
		for _, v := range want {
			if _, listed := at[v]; !listed {
				return fmt.Errorf("line %d: %d comes later", i, v)
			}
		}
		if place >= most || !slices.ContainsFunc(edges, func(e Edge) bool { return e.From == l.Vertex && !slices.Contains(l.Back, e.To) }) {
			delete(owner, place)
		}
	}
	if len(lines) != n || len(at) != n {
		return fmt.Errorf("%d lines for %d vertices", len(lines), n)
	}
	return nil
}

func lineOf(lines []Line, v int) Line {
	return lines[slices.IndexFunc(lines, func(l Line) bool { return l.Vertex == v })]
}

// FuzzArrange: every graph is arranged by the rules of the package, twice in the same way.
func FuzzArrange(f *testing.F) {
	for _, seed := range []string{"", "\x03\x00\x01\x01\x02", "\x02\x00\x00\x00\x01\x01\x00", "\x09\x00\x01\x02\x01\x03\x01\x01\x04\x04\x05\x05\x03\x08\x08"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 200 {
			return
		}
		n := int(data[0])%30 + 1
		var edges []Edge
		for i := 1; i+1 < len(data); i += 2 {
			edges = append(edges, Edge{int(data[i]) % n, int(data[i+1]) % n})
		}
		l := Arrange(n, edges)
		if err := checkLayout(n, edges, l); err != nil {
			t.Errorf("%d %v: %v", n, edges, err)
		}
		if again := Arrange(n, edges); fmt.Sprint(again) != fmt.Sprint(l) {
			t.Errorf("%d %v: arranged differently the second time", n, edges)
		}
		for _, most := range []int{1, 2, 40} {
			if err := checkLines(n, edges, Lanes(n, edges, most), most); err != nil {
				t.Errorf("%d %v, %d lanes: %v", n, edges, most, err)
			}
		}
	})
}

// TestArrange_longEdges: edges over so many layers that they cannot all have spots still have both ends.
func TestArrange_longEdges(t *testing.T) {
	t.Parallel()
	const n = 2000
	var edges []Edge
	for v := 1; v < n; v++ {
		edges = append(edges, Edge{v - 1, v})
		if v > 1 {
			edges = append(edges, Edge{0, v})
		}
	}
	l := Arrange(n, edges)
	spots := 0
	for _, r := range l.Routes {
		spots += len(r.Spots) - 2
	}
	if err := checkLayout(n, edges, l); err != nil || l.Layers != n || spots > maxPassing || spots == 0 {
		t.Errorf("%d layers, %d spots are passed, %v", l.Layers, spots, err)
	}
}

// TestLanes draws lines: * a vertex, | a lane, + one that joins, ' one that ends, = a line over a lane.
func TestLanes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edges string
		more  int
		most  int
		want  []string
	}{
		"a chain":               {"0>1 1>2", 0, 9, []string{"* 0", "* 1", "* 2."}},
		"it parts and meets":    {"0>1 0>2 1>3 2>3", 0, 9, []string{"* 0", "+* 1", "*| 2", "*' 3."}},
		"two needs of one":      {"0>2 1>2", 0, 9, []string{"* 0", "|* 1", "*' 2."}},
		"over a lane":           {"0>4 1>2 1>4 0>3 2>3", 0, 9, []string{"* 0", "|* 1", "|+* 2", "+=* 3", "*' 4."}},
		"too few lanes":         {"0>2 1>2", 0, 1, []string{"* 0", "|* 1", "* 2 <1."}},
		"a cycle":               {"0>1 1>0", 0, 9, []string{"* 0", "* 1 ^0."}},
		"to itself, and alone":  {"0>0", 1, 9, []string{"* 0 ^0.", "* 1"}},
		"parts, and one alone":  {"0>1 2>3 3>4", 1, 9, []string{"* 2", "* 3", "* 4.", "* 0", "* 1.", "* 5"}},
		"twice the same":        {"0>1 0>1", 0, 9, []string{"* 0", "* 1."}},
		"a line over and under": {"0>3 1>3 2>3 2>4 1>5", 0, 9, []string{"* 0", "|* 1", "|+* 5", "|| * 2", "*'-+ 3", "   * 4."}},
	} {
		n, edges := edgesOf(t, c.edges)
		var got []string
		for _, l := range Lanes(n+c.more, edges, c.most) {
			text := ""
			for _, m := range l.Marks {
				text += string(" |*+'-="[m])
			}
			text += fmt.Sprintf(" %d", l.Vertex)
			for _, v := range l.Rest {
				text += fmt.Sprintf(" <%d", v)
			}
			for _, v := range l.Back {
				text += fmt.Sprintf(" ^%d", v)
			}
			if l.Ended {
				text += "."
			}
			got = append(got, text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// benchGraph is a graph of n vertices, each with up to three edges from earlier ones, most of them near.
func benchGraph(n int) []Edge {
	var edges []Edge
	state := uint64(1)
	random := func(limit int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % limit
	}
	for v := 1; v < n; v++ {
		for range random(3) {
			edges = append(edges, Edge{max(0, v-1-random(200)), v})
		}
	}
	return edges
}

func BenchmarkArrange(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			edges := benchGraph(n)
			for b.Loop() {
				Arrange(n, edges)
			}
		})
	}
}

func BenchmarkLanes(b *testing.B) {
	edges := benchGraph(10000)
	for b.Loop() {
		Lanes(10000, edges, 12)
	}
}
