package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/run/train"

	"github.com/alecthomas/assert/v2"
)

// trainSpec is a spec whose agent writes a file, and whose criterion is a command.
func trainSpec(file, criterion, more string) string {
	return fmt.Sprintf("---\nstatus: pending\n%s---\n# Write %[2]s\n\n## Script\n\n```sh\necho \"$CHANT_SPEC_ID\" > %[2]s\ngit diff --quiet HEAD -- . && [ -z \"$(git status --porcelain)\" ] || { git add . && git commit -q -m work; }\n```\n\n"+
		"## Acceptance Criteria\n\n- [ ] it holds `$ %[3]s`\n", more, file, criterion)
}

func (p *project) train() train.Train {
	return train.Of(filepath.Join(p.dir, ".git", "chant", "locks"), "main")
}

// awaitCars waits until so many branches wait to land.
func (p *project) awaitCars(n int) []train.Car {
	p.t.Helper()
	var cars []train.Car
	if !eventually(func() bool {
		var err error
		cars, err = p.train().Cars()
		assert.NoError(p.t, err)
		return len(cars) == n
	}) {
		p.t.Fatalf("%d wait to land, not %d: %+v", len(cars), n, cars)
	}
	return cars
}

// neverRed checks that no commit of the target, from one on, has files that exclude each other.
func (p *project) neverRed(since string, together ...string) {
	p.t.Helper()
	for commit := range strings.FieldsSeq(p.git("rev-list", "--first-parent", since+"..main")) {
		files := strings.Fields(p.git("ls-tree", "--name-only", commit))
		if !slices.ContainsFunc(together, func(name string) bool { return !slices.Contains(files, name) }) {
			p.t.Errorf("commit %s of the target has %q", commit, together)
		}
	}
}

// TestTrain has many specs wait to land at the same time: two that hold alone and not together, of which the later one does
// not land; one that conflicts with what a person commits meanwhile; others that land all the same; and a chain of dependents.
func TestTrain(t *testing.T) {
	t.Parallel()
	p := newWalledProject(t)
	p.write("shared.txt", "one\n")
	p.git("add", "shared.txt")
	p.git("commit", "-q", "-m", "shared")
	before := p.git("rev-parse", "main")
	depends := func(n int) string { return "depends_on: [" + parallelID(n) + "]\n" }
	p.addAll(map[string]string{
		parallelID(0): trainSpec("a.txt", "test -s a.txt && test ! -e b.txt", ""),
		parallelID(1): trainSpec("b.txt", "test -s b.txt && test ! -e a.txt", ""),
		parallelID(2): trainSpec("shared.txt", "grep -q abc shared.txt", ""),
		parallelID(3): trainSpec("d.txt", "test -s d.txt", "priority: high\n"),
		parallelID(4): trainSpec("e.txt", "test -s e.txt", depends(3)),
		parallelID(5): trainSpec("f.txt", "test -s e.txt && test -s f.txt", depends(4)),
	})
	assert.NoError(t, p.train().Hold(""))
	work := p.begin("work", "--all", "--parallel", "4", "--json")
	for _, c := range p.awaitCars(4) {
		assert.Equal(t, train.Held, c.State)
	}
	p.write("shared.txt", "two\n")
	p.git("commit", "-q", "-a", "-m", "mine")
	_, err := p.train().Resume("")
	assert.NoError(t, err)
	code := work.end()
	r := resultOf(t, work.said(work.out))
	// It is that of the first that fails.
	assert.True(t, code == 7 || code == 9, "exit %d: %+v %s", code, r, work.said(work.err))
	landed := strings.Fields(p.git("log", "--first-parent", "--merges", "--reverse", "--format=%s", before+"..main"))
	assert.Equal(t, "chant("+parallelID(3)+"):", landed[0], "the most urgent lands first")
	var codes []string
	for _, f := range r.Failed {
		codes = append(codes, f.Code)
		assert.NotEqual(t, "", f.Hint)
		if f.Code == "unverified" {
			assert.Contains(t, f.Reason, "on the merged tree")
		}
	}
	slices.Sort(codes)
	assert.Equal(t, []string{"conflict", "unverified"}, codes, "%+v", r.Failed)
	assert.Equal(t, 4, len(r.Completed), "%+v", r)
	p.neverRed(before, "a.txt", "b.txt")
	p.noLocks()
	p.noProcesses()
}

// TestTrain_killed has processes of their own wait to land, and kills one: the others land, and the work of the killed one
// lands later, each once.
func TestTrain_killed(t *testing.T) {
	t.Parallel()
	p := newWalledProject(t)
	before := p.git("rev-parse", "main")
	specs := map[string]string{}
	for i := range 3 {
		specs[parallelID(i)] = trainSpec(fmt.Sprintf("w%d.txt", i), fmt.Sprintf("test -s w%d.txt", i), "")
	}
	p.addAll(specs)
	assert.NoError(t, p.train().Hold(""))
	var works []*background
	for i := range 3 {
		works = append(works, p.begin("work", parallelID(i)))
	}
	p.awaitCars(3)
	assert.NoError(t, works[1].cmd.Process.Kill())
	works[1].end()
	p.awaitCars(2)
	_, err := p.train().Resume("")
	assert.NoError(t, err)
	for _, i := range []int{0, 2} {
		if code := works[i].end(); code != 0 {
			t.Errorf("exit %d: %s", code, works[i].said(works[i].err))
		}
	}
	p.chant("watch", "--once")
	if p.statusOnMain(parallelID(1)) != "completed" {
		p.chant("work", parallelID(1))
	}
	assert.Equal(t, "3", p.git("rev-list", "--first-parent", "--merges", "--count", before+"..main"))
	p.chant("cleanup", "--yes")
	p.atRest()
}
