package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"chant/engine/spec"
	"chant/engine/store/index"

	"github.com/alecthomas/assert/v2"
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
	if s := g.Spec(id); s != nil {
		fmt.Fprintf(&out, "%s %q on %q, landed %v\n", s.Status, s.Title, s.Branch, s.Landed)
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
			assert.NoError(t, err)
			indexed(p)
			for round := range 3 {
				for _, id := range ids {
					near, err := p.LoadAround(context.Background(), id)
					assert.NoError(t, err)
					got, want := describeIn(near, id), describeIn(all, id)
					assert.Equal(t, want, got, "round %d, %s:", round, id)
				}
				if got := p.load(); round > 0 && !reflect.DeepEqual(idsOf(got), idsOf(all)) {
					t.Errorf("round %d: %q, want %q", round, idsOf(got), idsOf(all))
				}
			}
		})
	}
}

// TestAround_afterChanges: whatever changes between two queries, what they say of each spec is what the files say.
func TestAround_afterChanges(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending", idC, "completed", "2026-11-20-004-ddd", "pending")
	p.Index, p.Target = IndexAlways, "trunk"
	driver := func(member string) string {
		return "---\nstatus: pending\ntype: driver\nmembers: [" + member + "]\ndepends_on: [" + idB + "]\n---\n# A driver\n"
	}
	now, later := time.Now(), time.Now().Add(time.Hour)
	at := func(path string, modified time.Time) {
		assert.NoError(t, os.Chtimes(filepath.Join(p.home, path), modified, modified))
	}
	const last = "2026-11-20-004-ddd"
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"nothing", func() {}},
		{"a key members, written in place", func() { p.put(SpecPath(last), driver(idA)) }},
		{"another one, with the time of before", func() { p.put(SpecPath(last), driver(idC)); at(SpecPath(last), now) }},
		{"in the future", func() { p.put(SpecPath(last), driver(idA)); at(SpecPath(last), later) }},
		{"a new file in the future", func() {
			p.put(SpecPath("x"), driver("y"))
			p.put(SpecPath("y"), withStatus("pending"))
			at(SpecPath("x"), later)
		}},
		{"a driver no longer", func() { p.put(SpecPath(last), withStatus("pending")); p.put(SpecPath("x"), withStatus("failed")) }},
		{"a driver on the branch of its run", func() { p.runBranch(idC, driver(idA)) }},
		{"a spec on a branch only, whose name cannot be an id", func() { p.git("branch", "chant/foo/bar") }},
		{"a link on a branch", func() {
			p.git("worktree", "add", "-q", "-b", "chant/"+last, filepath.Join(p.home, "..", "linked"), "trunk")
			linked := filepath.Join(p.home, "..", "linked")
			if err := errors.Join(os.Remove(filepath.Join(linked, SpecPath(last))), os.Symlink(idC+".md", filepath.Join(linked, SpecPath(last)))); err != nil {
				t.Fatal(err)
			}
			p.git("-C", linked, "commit", "-qam", "a link")
		}},
		{"removed", func() { assert.NoError(t, os.Remove(filepath.Join(p.home, SpecPath("y")))) }},
	} {
		step.do()
		for round := range 4 {
			p.Clock = nil
			if round == 2 {
				p.Clock = func() time.Time { return time.Now().Add(10 * time.Second) } // what was just written has settled
			}
			p.compareWithFiles(fmt.Sprint(step.name, ", round ", round))
		}
	}
}

// TestAround_brokenRefs: if the index cannot say which drivers name a spec, all specs are read.
func TestAround_brokenRefs(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending", idC, "pending")
	p.put(SpecPath(idC), "---\nstatus: pending\ntype: driver\nmembers: ["+idA+"]\ndepends_on: ["+idB+"]\n---\n# A driver\n")
	indexed(p)
	p.load()
	db, err := sql.Open("sqlite", filepath.Join(p.State(), index.Name))
	assert.NoError(t, err)
	_, err = db.Exec("DROP TABLE ref")
	assert.NoError(t, err)
	assert.NoError(t, db.Close())
	near, err := p.LoadAround(context.Background(), idA)
	if err != nil || near.Graph().Ready(idA) {
		t.Errorf("it waits for nothing: %v, %v", idsOf(near), err)
	}
	p.compareWithFiles("after it")
}

// compareWithFiles compares what all queries say of each spec with what the files say.
func (p *project) compareWithFiles(when string) {
	p.t.Helper()
	ctx := context.Background()
	all, _, err := p.LoadFiles(ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	ids := idsOf(all)
	set, first, total, err := p.LoadFirst(ctx, 3)
	if err != nil || total != len(ids) || !reflect.DeepEqual(first, ids[:3]) {
		p.t.Fatalf("%s: first %q of %d, %v; want %q", when, first, total, err, ids)
	}
	for i, id := range ids {
		near, err := p.LoadAround(ctx, id)
		if err != nil {
			p.t.Fatal(err)
		}
		want := describeIn(all, id)
		if got := describeIn(near, id); got != want {
			p.t.Errorf("%s, around %s:\n%swant\n%s", when, id, got, want)
		}
		if i < len(first) && describeIn(set, id) != want {
			p.t.Errorf("%s, the first ones, %s:\n%swant\n%s", when, id, describeIn(set, id), want)
		}
	}
	if names, err := p.IDs(ctx); err != nil || len(names) != len(ids) {
		p.t.Errorf("%s: ids %q, %v; want %q", when, names, err, ids)
	}
	if loaded, err := p.Load(ctx); err != nil || !reflect.DeepEqual(idsOf(loaded), ids) {
		p.t.Errorf("%s: loaded %q, %v; want %q", when, idsOf(loaded), err, ids)
	}
}

// TestLoad_otherFilesOfTheTarget: in a commit, only files with the name of a spec are specs.
func TestLoad_otherFilesOfTheTarget(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var ids []string
	for i := range 3 * fewPlaces {
		ids = append(ids, fmt.Sprintf("2026-11-20-%03d-abc", i))
		p.put(SpecPath(ids[i]), withStatus("pending"))
	}
	p.git("add", "-A")
	p.git("commit", "-qm", "specs")
	p.git("switch", "-qc", "side")
	p.git("switch", "-q", "trunk")
	p.git("rm", "-q", SpecPath(ids[20]))
	p.put(SpecsDir+"/"+ids[20], withStatus("completed"))
	p.git("add", "-A")
	p.git("commit", "-qm", "no spec")
	p.git("switch", "-q", "side")
	p.Target = "trunk"
	indexed(p)
	for range 2 {
		got := p.load()
		assert.Equal(t, len(ids), len(got.Specs))
		assert.Equal(t, spec.Pending, got.Specs[20].Status)
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
	assert.NoError(t, err)
	indexed(p)
	for round := range 3 {
		for _, limit := range []int{1, 5, len(ids), 1000} {
			set, first, total, err := p.LoadFirst(context.Background(), limit)
			want := idsOf(all)
			assert.NoError(t, err, "round %d", round)
			assert.Equal(t, len(want), total, "round %d", round)
			assert.Equal(t, want[:min(limit, len(want))], first, "round %d", round)
			for _, id := range first {
				got, want := describeIn(set, id), describeIn(all, id)
				assert.Equal(t, want, got, "round %d, %s:", round, id)
			}
		}
	}
}
