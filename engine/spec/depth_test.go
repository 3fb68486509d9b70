package spec

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// depthGraph builds a graph of specs from the dependencies of each; nil means that the spec has no key depends_on.
func depthGraph(t interface{ Fatal(...any) }, deps map[string][]string) *Graph {
	var specs []*File
	for id, on := range deps {
		key := ""
		if on != nil {
			key = "depends_on: [" + strings.Join(on, ", ") + "]\n"
		}
		text := "---\nstatus: pending\n" + key + "---\n# A\n"
		s, err := Parse(id, id+".md", []byte(text))
		if err != nil {
			t.Fatal(err, text)
		}
		specs = append(specs, s)
	}
	return GraphOf(specs, nil)
}

func TestGraph_Depths(t *testing.T) {
	t.Parallel()
	g := depthGraph(t, map[string][]string{
		"a": nil, "b": {"a"}, "c": {"b", "a"}, "d": {"missing"},
		"drv": nil, "drv.1": nil, "drv.2": nil, // siblings wait for each other
		"after": {"drv"},           // and specs that wait for the driver wait for them
		"x":     {"y"}, "y": {"x"}, // a circle has some depth
	})
	got := g.Depths()
	assert.Equal(t, 1, got["x"]+got["y"], "the circle has depths")
	maps.DeleteFunc(got, func(id string, _ int) bool { return id == "x" || id == "y" })
	want := map[string]int{"a": 0, "b": 1, "c": 2, "d": 0, "drv": 0, "drv.1": 0, "drv.2": 1, "after": 2}
	assert.Equal(t, want, got)
}

// TestGraph_Depths_deepens: in a graph without cycles, the depth of a spec is one more than the greatest depth of the
// specs that it waits for.
func TestGraph_Depths_deepens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		deps := map[string][]string{}
		var ids []string
		for n := range rapid.IntRange(1, 15).Draw(t, "specs") {
			id := fmt.Sprint("s", n)
			deps[id] = []string{}
			if len(ids) > 0 {
				deps[id] = rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 0, min(4, len(ids)), rapid.ID).Draw(t, "on")
			}
			ids = append(ids, id)
		}
		depths := depthGraph(t, deps).Depths()
		for id, on := range deps {
			want := 0
			for _, dep := range on {
				want = max(want, depths[dep]+1)
			}
			if depths[id] != want {
				t.Fatalf("%s has depth %d, want %d; it waits for %v in %v", id, depths[id], want, on, depths)
			}
		}
	})
}
