package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// wellFormed fails unless a drawing is XML.
func wellFormed(t *testing.T, drawing string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(drawing))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v\n%s", err, drawing)
		}
	}
}

// corners returns the positions of the boxes by their titles.
func corners(drawing string) map[string][2]int {
	found := map[string][2]int{}
	for _, m := range regexp.MustCompile(`<title>([^<]*)</title><rect class="box" x="(\d+)" y="(\d+)"`).FindAllStringSubmatch(drawing, -1) {
		x, _ := strconv.Atoi(m[2])
		y, _ := strconv.Atoi(m[3])
		found[m[1]] = [2]int{x, y}
	}
	return found
}

// TestGraph: what is needed is to the left, no two boxes are in one place, and cycles, missing and own ids end nothing.
func TestGraph(t *testing.T) {
	t.Parallel()
	nodes := []Node{
		{ID: "a", Title: "a", Href: "spec/a&b.html", Class: "ready"},
		{ID: "b", Title: "b", After: []string{"a"}},
		{ID: "c", Title: "c", After: []string{"a", "b", "gone", "c"}},
		{ID: "d", Title: "d", Members: []string{"c", "e"}},
		{ID: "e", Title: "e", After: []string{"f"}},
		{ID: "f", Title: "f", After: []string{"e"}},
		{ID: "g", Title: "g <&> \"" + strings.Repeat("long", 20)},
	}
	drawing := Graph(nodes)
	wellFormed(t, drawing)
	if again := Graph(nodes); again != drawing {
		t.Error("the same graph is drawn differently")
	}
	at := corners(drawing)
	if len(at) != len(nodes) {
		t.Fatalf("%d boxes: %v", len(at), at)
	}
	for _, before := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"e", "d"}} {
		if at[before[0]][0] >= at[before[1]][0] {
			t.Errorf("%s is not to the left of %s: %v", before[0], before[1], at)
		}
	}
	places := map[[2]int]string{}
	for name, place := range at {
		if other, taken := places[place]; taken {
			t.Errorf("%s and %s are in one place", name, other)
		}
		places[place] = name
	}
	if n := strings.Count(drawing, `marker-end`); n != 7 { // gone and c itself have none
		t.Errorf("%d arrows", n)
	}
}

// TestGraph_long draws a chain and a star, which must not take long or end the program.
func TestGraph_long(t *testing.T) {
	t.Parallel()
	var chain, star []Node
	for i := range 3000 {
		id := fmt.Sprint(i)
		chain = append(chain, Node{ID: id, Title: id, After: []string{fmt.Sprint(i + 1)}})
		star = append(star, Node{ID: id, Title: id, After: []string{"0"}})
	}
	for _, nodes := range [][]Node{chain, star} {
		if at := corners(Graph(nodes)); len(at) != len(nodes) {
			t.Errorf("%d of %d boxes", len(at), len(nodes))
		}
	}
}

func TestMonths(t *testing.T) {
	t.Parallel()
	if got := Months(nil); got != "" {
		t.Errorf("without bars: %s", got)
	}
	got := Months([]Bar{{"2026-01", 3, 0}, {"<b>", 0, 1000}})
	wellFormed(t, got)
	for _, want := range []string{"2026-01: 3", "&lt;b&gt;: 1000", `height="120"`, `height="2"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}
