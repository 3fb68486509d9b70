package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fault is something that fails and works again. happen returns the specs that were being worked on where it happened.
type fault struct {
	name     string
	happen   func(c *chaos, w *fleetNode) (interrupted []string)
	ofWorker bool
	ofSmall  bool
	slow     bool // it builds a program with another library
}

// faults lists what can fail.
func faults() []fault {
	return []fault{
		{name: "power failure", happen: (*chaos).loseWorker, ofWorker: true},
		{name: "chant killed, its agents not", happen: (*chaos).killWorker, ofWorker: true},
		{name: "hub killed", happen: (*chaos).killHub},
		{name: "link down", happen: (*chaos).unplugWorker, ofWorker: true},
		{name: "link of the hub down", happen: (*chaos).unplugHub},
		{name: "clock off", happen: (*chaos).shiftClock, ofWorker: true, slow: true},
		{name: "disk full", happen: (*chaos).fillWorker, ofWorker: true, ofSmall: true},
		{name: "back with unpushed work", happen: (*chaos).comeBack, ofWorker: true},
	}
}

// pick draws a fault: each of them once, in some order, before one is drawn again.
func (c *chaos) pick(int) fault {
	if len(c.deck) == 0 {
		c.deck = slices.DeleteFunc(faults(), func(f fault) bool { return c.short && f.slow })
		c.random.Shuffle(len(c.deck), func(i, j int) { c.deck[i], c.deck[j] = c.deck[j], c.deck[i] })
	}
	f := c.deck[0]
	c.deck = c.deck[1:]
	return f
}

// lasts waits as long as an outage lasts.
func (c *chaos) lasts() {
	select {
	case <-c.t.Context().Done():
	case <-time.After(c.outage):
	}
}

func (c *chaos) loseWorker(w *fleetNode) []string {
	c.t.Helper()
	held := c.awaitHeld(w)
	w.crash()
	w.begin()
	return held
}

// killWorker kills the process of chant alone: the agents that it has started run on.
func (c *chaos) killWorker(w *fleetNode) []string {
	c.t.Helper()
	held := c.awaitHeld(w)
	w.die()
	w.begin()
	return held
}

// die kills the process of the node, and nothing that it has started.
func (n *fleetNode) die() {
	n.t.Helper()
	if err := n.runs.cmd.Process.Kill(); err != nil {
		n.t.Error(err)
	}
	if code := n.runs.end(); code != -1 {
		n.t.Errorf("%s had ended by itself: exit %d\n%s", n.name, code, n.runs.said())
	}
}

func (c *chaos) killHub(*fleetNode) []string {
	c.t.Helper()
	if c.random.IntN(2) == 0 {
		c.hub.crash()
	} else {
		c.hub.die()
	}
	if c.random.IntN(2) == 0 {
		c.lasts()
	}
	c.hub.begin()
	return nil
}

func (c *chaos) unplugWorker(w *fleetNode) []string {
	c.t.Helper()
	held := c.awaitHeld(w)
	w.disconnect()
	c.lasts()
	w.connect()
	return held
}

func (c *chaos) unplugHub(*fleetNode) []string {
	c.t.Helper()
	c.hub.disconnect()
	c.lasts()
	c.hub.connect()
	return nil
}

// shiftClock starts a worker again with a clock that is an hour off, or right if it was off before.
func (c *chaos) shiftClock(w *fleetNode) []string {
	c.t.Helper()
	hour := []int{-3600, 3600}[c.random.IntN(2)]
	if w.clock != 0 {
		hour = 0
	}
	held := c.awaitHeld(w)
	w.crash()
	w.clock = hour
	w.install(clockOff.use(c.t), fmt.Sprintf("%s=%d", clockOffBy, hour))
	w.begin()
	return held
}

func (c *chaos) fillWorker(w *fleetNode) []string {
	c.t.Helper()
	held := c.awaitHeld(w)
	w.fillDisk()
	c.lasts()
	w.emptyDisk()
	return held
}

// comeBack has a worker lose its network while its agents work, and die before it can push what they did. It comes back
// at once, or when others have taken over.
func (c *chaos) comeBack(w *fleetNode) []string {
	c.t.Helper()
	held := c.awaitHeld(w)
	w.disconnect()
	eventually(func() bool { return len(held) == 0 || w.unpushed(c.bare) })
	w.crash()
	w.connect()
	before := c.state()
	if c.random.IntN(2) == 0 && len(held) > 0 {
		c.await(time.Now(), "others take over", func(now map[string]string) bool { return moved(before, now, held) })
	}
	w.begin()
	return held
}

// unpushed reports whether the node has a branch of a run with a commit of its agent that the remote has not.
func (n *fleetNode) unpushed(bare string) bool {
	n.t.Helper()
	for line := range strings.Lines(n.run("git", "-C", filepath.Join(n.dir, "clone"), "for-each-ref", "--format=%(objectname) %(subject)", "refs/heads/chant")) {
		commit, _, _ := strings.Cut(line, " ")
		if _, code := n.try("git", "--git-dir", bare, "cat-file", "-e", commit); code != 0 {
			return true
		}
	}
	return false
}
