package picture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// edgesOf reads edges such as "0>1 1>2".
func edgesOf(t *testing.T, text string) (n int, edges []edge) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		var e edge
		_, err := fmt.Sscanf(word, "%d>%d", &e.from, &e.to)
		assert.NoError(t, err, "%q", word)
		edges = append(edges, e)
		n = max(n, e.from+1, e.to+1)
	}
	return n, edges
}

// checkLines reports what lines of lanes break: each vertex has one, behind those from which edges lead to it, and each
// edge is a lane, a rest or back.
func checkLines(n int, edges []edge, lines []laneLine, most int) error {
	at := map[int]int{}
	owner := map[int]int{} // by lane: the vertex
	for i, l := range lines {
		at[l.vertex] = i
		var from []int
		place := -1
		for k, m := range l.marks {
			v, known := owner[k]
			switch m {
			case joins, ends:
				if !known {
					return fmt.Errorf("line %d: lane %d belongs to nothing", i, k)
				}
				if from = append(from, v); m == ends {
					delete(owner, k)
				}
			case passes, over:
				if !known {
					return fmt.Errorf("line %d: lane %d passes and belongs to nothing", i, k)
				}
			case vertex:
				if place >= 0 {
					return fmt.Errorf("line %d has two vertices", i)
				}
				if i > 0 && !lines[i-1].ended && !l.alone && k < len(lines[i-1].marks) && lines[i-1].marks[k] == vertex && !known {
					return fmt.Errorf("line %d: the vertex is below another one from which no edge leads here", i)
				}
				if place = k; known { // its lane ends here, in the place of the vertex
					from = append(from, v)
				}
				owner[k] = l.vertex
			}
		}
		from = append(from, l.rest...)
		slices.Sort(from)
		var want []int
		for _, e := range edges {
			if e.to == l.vertex && !slices.Contains(lineOf(lines, e.from).back, e.to) {
				want = append(want, e.from)
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
		if place >= most || !slices.ContainsFunc(edges, func(e edge) bool { return e.from == l.vertex && !slices.Contains(l.back, e.to) }) {
			delete(owner, place)
		}
	}
	if len(lines) != n || len(at) != n {
		return fmt.Errorf("%d lines for %d vertices", len(lines), n)
	}
	return nil
}

func lineOf(lines []laneLine, v int) laneLine {
	return lines[slices.IndexFunc(lines, func(l laneLine) bool { return l.vertex == v })]
}

// FuzzLanes: every graph is drawn by the rules, with few lanes and with many.
func FuzzLanes(f *testing.F) {
	for _, seed := range []string{"", "\x03\x00\x01\x01\x02", "\x02\x00\x00\x00\x01\x01\x00", "\x09\x00\x01\x02\x01\x03\x01\x01\x04\x04\x05\x05\x03\x08\x08"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 200 {
			return
		}
		n := int(data[0])%30 + 1
		var edges []edge
		for i := 1; i+1 < len(data); i += 2 {
			edges = append(edges, edge{int(data[i]) % n, int(data[i+1]) % n})
		}
		for _, most := range []int{1, 2, 40} {
			assert.NoError(t, checkLines(n, edges, lanesOf(n, edges, most), most), "%d %v, %d lanes", n, edges, most)
		}
	})
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
		for _, l := range lanesOf(n+c.more, edges, c.most) {
			text := ""
			for _, m := range l.marks {
				text += string(" |*+'-="[m])
			}
			text += fmt.Sprintf(" %d", l.vertex)
			for _, v := range l.rest {
				text += fmt.Sprintf(" <%d", v)
			}
			for _, v := range l.back {
				text += fmt.Sprintf(" ^%d", v)
			}
			if l.ended {
				text += "."
			}
			got = append(got, text)
		}
		assert.Equal(t, c.want, got, "%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
	}
}
