package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"chant/engine/spec"
)

// indexed makes a project use the index for few files, as if all of them had settled.
func indexed(p *project) {
	p.Index = IndexAlways
	p.Clock = func() time.Time { return time.Now().Add(time.Hour) }
}

// randomStore writes specs that depend on each other, drive each other and are missing in random ways.
func randomStore(p *project, r *rand.Rand) []string {
	var ids []string
	for i := range 24 {
		id := fmt.Sprintf("2026-11-20-%03d-abc", i)
		switch r.IntN(4) {
		case 0:
			id = fmt.Sprintf("2026-11-20-%03d-abc.%d", r.IntN(6), 1+r.IntN(3)) // its driver may be missing
		case 1:
			id = fmt.Sprintf("2026-11-20-%03d-abc.%d.1", r.IntN(6), 1+r.IntN(3))
		}
		ids = append(ids, id)
	}
	some := func() string { return ids[r.IntN(len(ids))] }
	for _, id := range ids {
		front := "status: " + []string{"pending", "pending", "completed", "cancelled", "failed"}[r.IntN(5)] + "\n"
		switch r.IntN(5) {
		case 0:
			front += "depends_on: []\n"
		case 1, 2:
			front += "depends_on: [" + some() + ", " + some() + "]\n"
		case 3:
			front += "type: driver\nmembers: [" + some() + "]\n"
		}
		if r.IntN(6) == 0 {
			front += "approval: {required: true, status: pending}\n"
		}
		body := "# " + id + "\n"
		if r.IntN(3) == 0 {
			body += "\n## Acceptance Criteria\n\n- [ ] it is done\n"
		}
		path := SpecPath(id)
		switch r.IntN(10) {
		case 0:
			continue // it is missing
		case 1:
			path = ".chant/archive/2026-11-20/" + id + ".md"
		case 2:
			front = "status: [\n" // it cannot be read
		}
		p.put(path, "---\n"+front+"---\n"+body)
	}
	return ids
}

// describeIn describes all that a graph says of a spec.
func describeIn(set *Set, id string) string {
	g := set.Graph()
	var out strings.Builder
	fmt.Fprintf(&out, "ready %v, blocked %v, done %v, container %v, open driver %v\n", g.Ready(id), g.Blocked(id), g.Done(id), g.Container(id), g.OpenDriver(id))
	fmt.Fprintf(&out, "members %q, drivers %q, waits %q\n", g.Members(id), g.Drivers(id), g.WaitsFor(id))
	if g.Spec(id) != nil {
		fmt.Fprintf(&out, "blockers %+v\n", g.Blockers(id))
	}
	return out.String()
}

// TestAround_asLoad: what the graph around a spec says of it is what the graph of all specs says, whichever of them come
// from rows.
func TestAround_asLoad(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			p := newProject(t)
			ids := randomStore(p, r)
			if seed%3 == 1 {
				p.runBranch(ids[0], "---\nstatus: in_progress\n---\n# On its branch\n")
			}
			all, _, err := p.LoadFiles(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			indexed(p)
			for round := range 3 {
				for _, id := range ids {
					near, err := p.Around(context.Background(), id)
					if err != nil {
						t.Fatal(err)
					}
					if got, want := describeIn(near, id), describeIn(all, id); got != want {
						t.Errorf("round %d, %s:\n%swant\n%s", round, id, got, want)
					}
				}
				if got := p.load(); round > 0 && !reflect.DeepEqual(idsOf(got), idsOf(all)) {
					t.Errorf("round %d: %q, want %q", round, idsOf(got), idsOf(all))
				}
			}
		})
	}
}

func idsOf(set *Set) []string {
	out := set.IDs()
	spec.SortIDs(out)
	return out
}

// TestFirst_asLoad: the first specs are those of all, and their graph is as that of all.
func TestFirst_asLoad(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	ids := randomStore(p, rand.New(rand.NewPCG(99, 1)))
	p.runBranch("2026-11-20-900-abc", "---\nstatus: in_progress\n---\n# Only on its branch\n")
	all, _, err := p.LoadFiles(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	indexed(p)
	for round := range 3 {
		for _, limit := range []int{1, 5, len(ids), 1000} {
			set, first, total, err := p.First(context.Background(), limit)
			want := idsOf(all)
			if err != nil || total != len(want) || !reflect.DeepEqual(first, want[:min(limit, len(want))]) {
				t.Fatalf("round %d: %q of %d, %v; want %q", round, first, total, err, want)
			}
			for _, id := range first {
				if got, want := describeIn(set, id), describeIn(all, id); got != want {
					t.Errorf("round %d, %s:\n%swant\n%s", round, id, got, want)
				}
			}
		}
	}
}
