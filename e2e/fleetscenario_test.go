package e2e

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// fleetPlan is how much work a test gives to how many machines.
type fleetPlan struct {
	specs, depth int // layers of specs, each of which needs some of the layer before
	hosts, slots int // runs side by side on each host
	seconds      int // that each agent takes
	seed         uint64
}

// fleetSpec is a spec of a plan.
type fleetSpec struct {
	id    string
	layer int
	needs []int // the specs that land before, by their places in the list
}

// list makes the specs of a plan, in layers of about the same size. Each spec needs one or two of the layer before, so that
// the graph is as deep as the plan says. The same plan makes the same specs.
func (p fleetPlan) list() []fleetSpec {
	random := rand.New(rand.NewPCG(p.seed, 23))
	depth := max(1, min(p.depth, p.specs))
	out := make([]fleetSpec, p.specs)
	starts := make([]int, depth+1) // of each layer
	for layer := range depth + 1 {
		starts[layer] = layer * p.specs / depth
	}
	for layer := range depth {
		for i := starts[layer]; i < starts[layer+1]; i++ {
			out[i] = fleetSpec{id: fmt.Sprintf("2026-01-%02d-%03d-abc", i/900+1, i%900+1), layer: layer}
			for range min(layer, 1) * (1 + random.IntN(2)) {
				before := starts[layer-1] + random.IntN(starts[layer]-starts[layer-1])
				if !slices.Contains(out[i].needs, before) {
					out[i].needs = append(out[i].needs, before)
				}
			}
		}
	}
	return out
}

// file is what the agent of a spec makes.
func (s fleetSpec) file() string { return "out/" + s.id + ".txt" }

// text is the file of the spec. Its agent is a script that works for some seconds; its criterion holds only if what it
// needs has landed before it started.
func (s fleetSpec) text(all []fleetSpec, seconds int) string {
	var needs, files []string
	for _, n := range s.needs {
		needs = append(needs, all[n].id)
		files = append(files, "test -s "+all[n].file()+" && ")
	}
	return fmt.Sprintf("---\nstatus: pending\ndepends_on: [%s]\n---\n# Write %s\n\n## Script\n\n```sh\nsleep %d\nmkdir -p out\necho %s > %s\ngit add out\ngit diff --cached --quiet || git commit -q -m 'write %s'\n```\n\n"+
		"## Acceptance Criteria\n\n- [ ] it is there `$ %stest -s %s`\n",
		strings.Join(needs, ", "), s.id, seconds, s.id, s.file(), s.id, strings.Join(files, ""), s.file())
}

// ideal is how long the work of the agents takes at least, if each slot starts the first spec that is ready and nothing
// else takes time.
func (p fleetPlan) ideal() time.Duration {
	specs := p.list()
	waits := make([]int, len(specs)) // for how many
	dependents := make([][]int, len(specs))
	var ready, running intHeap // running: the times of the ends, with the specs
	for i, s := range specs {
		waits[i] = len(s.needs)
		for _, n := range s.needs {
			dependents[n] = append(dependents[n], i)
		}
		if waits[i] == 0 {
			heap.Push(&ready, i)
		}
	}
	now := 0
	for len(ready) > 0 || len(running) > 0 {
		for len(ready) > 0 && len(running) < p.hosts*p.slots {
			heap.Push(&running, (now+p.seconds)*len(specs)+heap.Pop(&ready).(int))
		}
		ended := heap.Pop(&running).(int)
		now = ended / len(specs)
		for _, d := range dependents[ended%len(specs)] {
			if waits[d]--; waits[d] == 0 {
				heap.Push(&ready, d)
			}
		}
	}
	return time.Duration(now) * time.Second
}

// intHeap is a heap of integers.
type intHeap []int

func (h intHeap) Len() int           { return len(h) }
func (h intHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h intHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *intHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *intHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// TestFleetPlan: the specs of a plan are as many and as deep as it says, and the ideal time is that of the longest path or
// of the slots.
func TestFleetPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plan  fleetPlan
		ideal time.Duration
	}{
		{fleetPlan{specs: 1, depth: 1, hosts: 1, slots: 1, seconds: 2}, 2 * time.Second},
		{fleetPlan{specs: 10, depth: 1, hosts: 1, slots: 1, seconds: 2}, 20 * time.Second},
		{fleetPlan{specs: 10, depth: 1, hosts: 2, slots: 2, seconds: 2}, 6 * time.Second},
		{fleetPlan{specs: 10, depth: 10, hosts: 2, slots: 2, seconds: 2}, 20 * time.Second},
		{fleetPlan{specs: 10, depth: 20, hosts: 2, slots: 2, seconds: 0}, 0},
		{fleetPlan{specs: 1000, depth: 10, hosts: 10, slots: 5, seconds: 2}, 40 * time.Second},
	} {
		specs, deepest := c.plan.list(), 0
		depths, ids := make([]int, len(specs)), map[string]bool{}
		for i, s := range specs {
			for _, n := range s.needs {
				depths[i] = max(depths[i], depths[n]+1)
			}
			assert.Equal(t, s.layer, depths[i], "%+v: spec %d is at depth", c.plan, i)
			assert.Equal(t, len(s.needs) > 0, s.layer > 0, "%+v: spec %d is at depth", c.plan, i)
			deepest = max(deepest, depths[i]+1)
			ids[s.id] = true
		}
		assert.Equal(t, c.plan.specs, len(ids))
		assert.Equal(t, min(c.plan.depth, c.plan.specs), deepest)
		assert.Equal(t, c.ideal, c.plan.ideal(), "%+v: ideal", c.plan)
	}
}
