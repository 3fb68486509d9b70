package node_test

import (
	"strings"
	"testing"
	"time"

	"chant/engine/fleet"
	"chant/engine/work/node/fleetstest"
)

// TestFleet_dayLimit: nothing starts once all machines together have used up the limit of the day.
func TestFleet_dayLimit(t *testing.T) {
	t.Parallel()
	files := chained(1)
	files[".chant/config.md"] = strings.Replace(files[".chant/config.md"], "sandbox: off", "sandbox: off\nlimits: {day: {time: 1s}}", 1)
	m := newMachines(t, files)
	l := fleet.Ledger{In: m.broker, Node: "another", Clone: "c", Timeout: time.Minute}
	if _, err := l.Began(time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Day(fleet.Amount{Time: 2000}); err != nil {
		t.Fatal(err)
	}
	m.lead()
	p, r := m.Clone()
	m.join("w", p, r)
	m.await(fleet.PutBack, id(1))
	if refs := m.Git("for-each-ref", "refs/chant/claims"); refs != "" {
		t.Errorf("it was claimed: %s", refs)
	}
}

// TestFleet_log: what the agent of a worker prints can be followed from elsewhere.
func TestFleet_log(t *testing.T) {
	t.Parallel()
	files := chained(1)
	path := ".chant/specs/" + id(1) + ".md"
	files[path] = strings.Replace(files[path], "echo 1 >", "echo hello from the agent; echo 1 >", 1)
	m := newMachines(t, files)
	m.lead()
	p, r := m.Clone()
	m.join("w", p, r)
	m.await(fleet.Landed, id(1))
	if got := fleetstest.Logged(t, m.broker, "w", id(1)); !strings.Contains(got, "hello from the agent") {
		t.Errorf("the log is %q", got)
	}
}
