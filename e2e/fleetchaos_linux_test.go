package e2e

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFleet_chaos works specs while something fails in each round: CHANT_E2E_CHAOS is the number of rounds, and
// CHANT_E2E_SEED repeats them. In the end each spec has landed once, nothing has landed that does not hold, what agents
// have committed is kept, and no process is left. It prints how long after the end of each fault something has
// happened.
func TestFleet_chaos(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/fleet and engine/work/node")
	// Variables are read before: results of go test are kept for what this process has read.
	rounds, seed := number(t, "CHANT_E2E_CHAOS", 0), int(time.Now().UnixNano()%1_000_000)
	short := rounds == 0 // the same few faults each time
	if short {
		rounds, seed = 2, 1
	}
	c := &chaos{
		t: t, short: short, seed: number(t, "CHANT_E2E_SEED", seed),
		outage: time.Duration(number(t, "CHANT_E2E_CHAOS_SECONDS", 2)) * time.Second,
	}
	hosts, slots := number(t, "CHANT_E2E_CHAOS_HOSTS", 3), number(t, "CHANT_E2E_CHAOS_SLOTS", 2)
	if !inOwnNetwork(t) {
		return
	}
	c.random = rand.New(rand.NewPCG(uint64(c.seed), 23))
	t.Logf("CHANT_E2E_SEED=%d", c.seed)
	each := hosts*slots + 2
	if c.outage > 10*time.Second {
		each += hosts * slots // there is to be work when it is over
	}
	c.plan = fleetPlan{specs: each * (rounds + 1), depth: 2*rounds + 1, hosts: hosts, slots: slots, seconds: max(1, int(c.outage/time.Second)/4), seed: uint64(c.seed)}
	c.fleetHosts = newFleetHosts(t, hosts, slots)
	c.small = c.workers[0]
	c.small.limitDisk(fmt.Sprintf("%dm", 48+8*rounds)) // the project grows
	for i, w := range c.workers {
		if i == 1 {
			c.join(w, "--land")
			continue
		}
		c.join(w)
	}
	c.addBad()
	for round := range rounds {
		c.add(c.plan, round*each, (round+1)*each)
		c.added = (round + 1) * each
		c.round(round, c.pick(round))
	}
	c.add(c.plan, rounds*each, c.plan.specs)
	c.added = c.plan.specs
	c.awaitLandings(c.plan.specs)
	c.awaitBad()
	c.end()
	c.check()
}

// chaos is a fleet in which something fails.
type chaos struct {
	*fleetHosts
	t      *testing.T
	short  bool // nothing that takes minutes to build
	seed   int
	random *rand.Rand
	plan   fleetPlan
	outage time.Duration // of what comes back by itself
	small  *fleetNode    // a worker whose disk can be filled
	deck   []fault
	added  int // specs so far
}

// round has something fail, and waits until something happens again, and with what was interrupted.
func (c *chaos) round(number int, f fault) {
	c.t.Helper()
	w := c.workers[c.random.IntN(len(c.workers))]
	if f.ofSmall {
		w = c.small
	}
	name, began := f.name, time.Now()
	if f.ofWorker {
		name += " on " + w.name
	}
	interrupted := f.happen(c, w)
	before, ended := c.state(), time.Now()
	c.t.Logf("round %d: %s, for %s", number+1, name, ended.Sub(began).Round(100*time.Millisecond))
	first := c.await(ended, "something happens", func(now map[string]string) bool { return moved(before, now, nil) })
	what := "nothing was interrupted"
	if len(interrupted) > 0 {
		took := c.await(ended, strings.Join(interrupted, " or ")+" is worked on again", func(now map[string]string) bool { return moved(before, now, interrupted) })
		what = fmt.Sprintf("with what was interrupted after %s", took.Round(100*time.Millisecond))
	}
	c.t.Logf("round %d: first progress after %s, %s", number+1, first.Round(100*time.Millisecond), what)
}

// state is what the remote says about the progress: the target, and the state and the lease of each claim.
func (c *chaos) state() map[string]string {
	c.t.Helper()
	state := map[string]string{}
	const record = "\x01%(refname) %(objectname) %(raw)"
	for text := range strings.SplitSeq(remote{c.t, c.bare}.git("for-each-ref", "--format="+record, "refs/heads/main", "refs/chant/claims"), "\x01") {
		ref, rest, _ := strings.Cut(text, " ")
		id, isClaim := strings.CutPrefix(ref, "refs/chant/claims/")
		switch {
		case isClaim:
			state[id] = field(rest, "worker") + " " + field(rest, "lease") + " " + field(rest, "state")
		case ref != "":
			state["main"], _, _ = strings.Cut(rest, " ")
		}
	}
	return state
}

func field(claim, name string) string {
	if m := regexp.MustCompile(`"` + name + `": "([^"]*)"`).FindStringSubmatch(claim); m != nil {
		return m[1]
	}
	return ""
}

// moved reports whether something has landed or was claimed: any spec, or one of ids.
func moved(before, now map[string]string, ids []string) bool {
	for id, is := range now {
		if is != before[id] && (ids == nil || slices.Contains(ids, id)) {
			return true
		}
	}
	for _, id := range ids { // a claim that is gone has landed
		if before[id] == "" || now[id] == "" {
			return true
		}
	}
	return false
}

// await returns how long after a moment something is so in the remote.
func (c *chaos) await(since time.Time, what string, so func(map[string]string) bool) time.Duration {
	c.t.Helper()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ; <-tick.C {
		now := c.state()
		if so(now) || c.landings() == c.added { // nothing is left that could happen
			return time.Since(since)
		}
		if time.Since(began) > stuckAfter {
			c.t.Fatalf("it is never so that %s; the remote has %q", what, now)
		}
	}
}

// held lists the specs that a worker works on.
func (c *chaos) held(w *fleetNode) (ids []string) {
	c.t.Helper()
	for id, is := range c.state() {
		if strings.HasPrefix(is, w.name+" ") && strings.HasSuffix(is, " working") {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// awaitHeld waits until a worker works on something, or there is nothing to work on.
func (c *chaos) awaitHeld(w *fleetNode) (ids []string) {
	c.t.Helper()
	eventually(func() bool {
		ids = c.held(w)
		return len(ids) > 0 || c.landings() == c.added
	})
	return ids
}

// badID is a spec that does not hold, whatever its agent says.
const badID = "2026-02-01-001-bad"

func (c *chaos) addBad() {
	c.t.Helper()
	text := scriptedSpec(99, "", "git commit -q --allow-empty -m bad")
	text = strings.Replace(text, "test -s f99.txt", "test -s never.txt", 1)
	c.hub.run("sh", "-c", `cd clone && printf %s "$1" > ".chant/specs/$0.md" && git add .chant && git commit -q -m bad && git pull -q --rebase && git push -q origin HEAD:main`, badID, text)
}

// awaitBad waits until the work on the spec that does not hold has ended. Its claim waits for a person.
func (c *chaos) awaitBad() {
	c.t.Helper()
	if !eventually(func() bool { return strings.HasSuffix(c.state()[badID], " ended") }) {
		c.t.Errorf("the spec that does not hold is %q", c.state()[badID])
	}
	if strings.Contains(remote{c.t, c.bare}.git("log", "--format=%(trailers:key=Chant-Event,valueonly)%(trailers:key=Chant-Spec,valueonly)", "main"), "land\n"+badID) {
		c.t.Error("what does not hold has landed")
	}
}

// check looks for what is wrong in the end.
func (c *chaos) check() {
	c.t.Helper()
	problems := slices.DeleteFunc(fleetProblems(c.t, c.bare, c.plan.list()), func(p string) bool {
		return strings.HasPrefix(p, "refs/chant/rescue/") || strings.HasPrefix(p, "refs/") && strings.HasSuffix(p, badID+" is left")
	})
	c.wantNothingLeft(append(append(problems, c.unverified()...), c.lost()...))
}

// unverified lists the landings whose branch has no evidence.
func (c *chaos) unverified() (problems []string) {
	c.t.Helper()
	noted := remote{c.t, c.bare}.git("ls-tree", "-r", "--name-only", "refs/notes/chant")
	noted = strings.ReplaceAll(noted, "/", "")
	for line := range strings.Lines(remote{c.t, c.bare}.git("log", "--first-parent", "--merges", "--format=%P", "main")) {
		if parents := strings.Fields(line); len(parents) != 2 || !strings.Contains(noted, parents[1]) {
			problems = append(problems, fmt.Sprintf("no evidence for the landing of %q", parents))
		}
	}
	return problems
}

// lost lists the commits of agents that no ref leads to, in the remote or in the worker's clone.
func (c *chaos) lost() (problems []string) {
	c.t.Helper()
	kept := remote{c.t, c.bare}.git("rev-list", "--all")
	for _, w := range c.workers {
		const all = `cd clone && git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)' | sed -n 's/^commit //p'`
		here := w.run("sh", "-c", "cd clone && git rev-list --all")
		for commit := range strings.FieldsSeq(w.run("sh", "-c", all)) {
			if strings.Contains(kept, commit) || strings.Contains(here, commit) {
				continue
			}
			if out, err := exec.Command("git", "-C", w.dir+"/clone", "log", "-1", "--format=%s", commit).Output(); err != nil || strings.HasPrefix(string(out), "write ") {
				problems = append(problems, fmt.Sprintf("%s has lost %s %s %v", w.name, commit, out, err))
			}
		}
	}
	return problems
}
