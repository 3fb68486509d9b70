package node_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/run/usage"
	"chant/engine/work"
	"chant/engine/work/node/fleetstest"
	"chant/engine/work/node/leader"
	"chant/engine/work/node/worker"

	"github.com/alecthomas/assert/v2"
)

func id(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n) }

// chained returns n specs, each of which depends on the one before and leaves a file.
func chained(n int) map[string]string {
	files := map[string]string{".chant/config.md": "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: off\n---\n"}
	for i := 1; i <= n; i++ {
		front := "status: pending\n"
		if i > 1 && i%2 == 0 {
			front += "depends_on: [" + id(i-1) + "]\n"
		}
		files[".chant/specs/"+id(i)+".md"] = fmt.Sprintf("---\n%s---\n# Spec %d\n\n## Script\n\n```sh\necho %d > f%d.txt\n```\n\n## Acceptance Criteria\n\n- [ ] It is there `$ test -s f%d.txt`\n", front, i, i, i, i)
	}
	return files
}

// machines is a fleet under test: what runs in it ends with the test.
type machines struct {
	*testing.T
	*fleetstest.Fleet
	broker *jetstream.Broker
	ctx    context.Context
	ended  sync.WaitGroup
	told   <-chan fleet.Change
}

func newMachines(t *testing.T, files map[string]string) *machines {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	m := &machines{T: t, Fleet: fleetstest.NewFleet(t, files), broker: fleetstest.New(t), ctx: ctx}
	var err error
	m.told, err = m.broker.Watch(ctx)
	assert.NoError(t, err)
	t.Cleanup(func() { cancel(); m.ended.Wait() })
	return m
}

// lead starts a leader in a clone of its own.
func (m *machines) lead() {
	p, r := m.Clone()
	m.ended.Go(func() { (&leader.Leader{P: p, Remote: r, Broker: m.broker, Name: "hub"}).Run(m.ctx) })
}

// leading returns a leader whose rounds the test makes.
func leading(m *machines, p *engine.Project, r *fleet.Remote) *leader.Leader {
	return &leader.Leader{P: p, Remote: r, Broker: m.broker, Name: "hub"}
}

// join starts a worker in a clone.
func (m *machines) join(name string, p *engine.Project, r *fleet.Remote) {
	r.Light = true // as join does
	w := &worker.Worker{P: p, Remote: r, Broker: m.broker, Node: fleet.Node{Name: name, Slots: 1, Providers: []string{"shell"}}}
	m.ended.Go(func() { w.Run(m.ctx, nil) })
}

// await waits until an entry has had a change.
func (m *machines) await(kind fleet.ChangeKind, id string) fleet.Change {
	m.Helper()
	late := time.After(2 * time.Minute)
	for {
		select {
		case c := <-m.told:
			if c.Kind == kind && c.ID == id {
				return c
			}
		case <-late:
			m.Fatalf("%s was not %s; refs are\n%s", id, kind, m.Git("for-each-ref"))
		}
	}
}

// claim returns the claim on a spec in the remote.
func (m *machines) claim(id string) fleet.Claim {
	m.Helper()
	c, err := fleet.ParseClaim(id, []byte(m.Git("cat-file", "blob", fleet.ClaimRef(id))))
	if err != nil {
		m.Fatal(err)
	}
	return c
}

// abandon claims a spec for a worker that is gone, and works it up to a point in a clone without pushing that.
func (m *machines) abandon(name, id string, p *engine.Project, r *fleet.Remote) *fleet.Lease {
	m.Helper()
	if err := r.Fetch(m.ctx); err != nil {
		m.Fatal(err)
	}
	base, err := r.Tip(m.ctx)
	if err != nil {
		m.Fatal(err)
	}
	l, err := r.Take(m.ctx, fleet.Claim{ID: id, Worker: name, Lease: name, Attempt: 1, Base: base}, fleet.Held{})
	if err != nil {
		m.Fatal(err)
	}
	if _, err := work.WorkOnce(m.ctx, p, work.WorkInput{ID: id, Options: work.Options{NoMerge: true}}, usage.NewBudget(p)); err != nil {
		m.Fatal(err)
	}
	return l
}

// TestFleet_comesBack: a worker that has completed a spec and died before it could push does so when it comes back,
// without working it again.
func TestFleet_comesBack(t *testing.T) {
	t.Parallel()
	m := newMachines(t, chained(1))
	p, r := m.Clone()
	m.abandon("back", id(1), p, r)
	tip := enginetest.Git(t, engine.Home(p), "rev-parse", "chant/"+id(1))
	m.join("back", p, r)
	m.lead()
	m.await(fleet.Landed, id(1))
	assert.Contains(t, m.Git("branch", "--contains", tip), "main", "%s is not what has landed", tip)
}

// TestFleet_comesBackLate: what a worker did, and another one has landed meanwhile, is kept in the remote.
func TestFleet_comesBackLate(t *testing.T) {
	t.Parallel()
	m := newMachines(t, chained(1))
	late, lr := m.Clone()
	m.abandon("late", id(1), late, lr)
	enginetest.Git(t, engine.Home(late)+"/.chant/worktrees/"+id(1), "commit", "-q", "--allow-empty", "-m", "what only this worker has")
	tip := enginetest.Git(t, engine.Home(late), "rev-parse", "chant/"+id(1))
	m.lead()
	p, r := m.Clone()
	m.join("other", p, r)
	m.await(fleet.Landed, id(1))
	drain := make(chan struct{})
	close(drain)
	lr.Light = true
	w := &worker.Worker{P: late, Remote: lr, Broker: m.broker, Node: fleet.Node{Name: "late", Slots: 1}}
	assert.NoError(t, w.Run(m.ctx, drain))
	assert.Equal(t, tip, m.Git("for-each-ref", "--format=%(objectname)", "refs/chant/rescue"))
	left := enginetest.Git(t, engine.Home(late), "branch", "--list", "chant/*")
	assert.Equal(t, "", left, "branches are left")
}

// TestLeader_landedMeanwhile: a worker that has claimed a spec without having seen its landing does not land it again,
// and its claim does not wait for ever.
func TestLeader_landedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]fleet.ClaimState{"completed": fleet.Completed, "returned": fleet.Returned, "ended": fleet.Ended} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.OneOf(t, 2)
			m := newMachines(t, chained(1))
			blind, br := m.Clone()
			enginetest.Git(t, engine.Home(blind), "config", "user.name", "Blind") // else its commits may be those of the other
			base := m.Git("rev-parse", "main")
			m.lead()
			p, r := m.Clone()
			m.join("other", p, r)
			m.await(fleet.Landed, id(1))
			assert.NoError(t, m.broker.Register(m.ctx, fleet.Node{Name: "blind", Running: []string{id(1)}}))
			lease, err := br.Take(m.ctx, fleet.Claim{ID: id(1), Worker: "blind", Lease: "x", Attempt: 1, Base: base}, fleet.Held{})
			assert.NoError(t, err)
			_, err = work.WorkOnce(m.ctx, blind, work.WorkInput{ID: id(1), Options: work.Options{NoMerge: true}}, usage.NewBudget(blind))
			assert.NoError(t, err)
			tip := enginetest.Git(t, engine.Home(blind), "rev-parse", "chant/"+id(1))
			assert.NoError(t, lease.Push(m.ctx, tip, func(c *fleet.Claim) { c.State = state }))
			assert.NoError(t, m.broker.Unregister(m.ctx, "blind"))
			for late := time.After(time.Minute); m.Git("for-each-ref", "refs/chant/claims", "refs/heads/chant") != ""; {
				select {
				case <-late:
					t.Fatalf("left:\n%s", m.Git("for-each-ref"))
				case <-time.After(50 * time.Millisecond):
				}
			}
			assert.Equal(t, "1", m.Git("rev-list", "--merges", "--count", "main"))
			got := m.Git("for-each-ref", "--format=%(objectname)", "refs/chant/rescue")
			assert.NotEqual(t, "", got)
			assert.Equal(t, tip, m.Git("merge-base", tip, got))
		})
	}
}

// TestFleet_killedGit: locks that killed git processes have left, and a checkout that one has left half way, stop
// neither a worker nor a leader.
func TestFleet_killedGit(t *testing.T) {
	t.Parallel()
	m := newMachines(t, chained(1))
	lp, lr := m.Clone()
	p, r := m.Clone()
	for _, own := range []*engine.Project{lp, p} {
		assert.NoError(t, fleet.MarkOwnClone(t.Context(), own.Repo))
	}
	person := t.TempDir()
	enginetest.Git(t, person, "clone", "-q", m.Bare, ".")
	enginetest.Commit(t, person, map[string]string{"half.txt": "all\n"})
	enginetest.Git(t, person, "push", "-q", "origin", "main")
	enginetest.Write(t, engine.Home(p), "half.txt", "ha")
	for _, lock := range []string{engine.Home(lp) + "/.git/index.lock", engine.Home(p) + "/.git/refs/remotes/origin/main.lock"} {
		enginetest.Write(t, "", lock, "")
	}
	m.ended.Go(func() { (&leader.Leader{P: lp, Remote: lr, Broker: m.broker, Name: "hub"}).Run(m.ctx) })
	m.join("w", p, r)
	m.await(fleet.Landed, id(1))
	assert.Equal(t, "all\n", enginetest.Read(t, engine.Home(p), "half.txt"))
}

// TestLeader_refuses: what does not hold on the target does not land, whatever its claim says.
func TestLeader_refuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, dir string){
		"a weakened criterion": func(t *testing.T, dir string) {
			path := ".chant/specs/" + id(1) + ".md"
			enginetest.Write(t, dir, path, strings.Replace(enginetest.Read(t, dir, path), "test -s f1.txt", "true", 1))
			enginetest.Git(t, dir, "rm", "-q", "f1.txt")
		},
		"a criterion that fails": func(t *testing.T, dir string) { enginetest.Git(t, dir, "rm", "-q", "f1.txt") },
		"another spec":           func(t *testing.T, dir string) { enginetest.Write(t, dir, ".chant/specs/"+id(2)+".md", "# B\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachines(t, chained(2))
			p, r := m.Clone()
			lease := m.abandon("bad", id(1), p, r)
			tree := t.TempDir()
			enginetest.Git(t, engine.Home(p), "worktree", "remove", "--force", ".chant/worktrees/"+id(1))
			enginetest.Git(t, engine.Home(p), "worktree", "add", "-q", tree+"/t", "chant/"+id(1))
			change(t, tree+"/t")
			enginetest.Git(t, tree+"/t", "add", "-A")
			enginetest.Git(t, tree+"/t", "commit", "-q", "-m", "chant("+id(1)+"): complete")
			tip := enginetest.Git(t, tree+"/t", "rev-parse", "HEAD")
			assert.NoError(t, lease.Push(t.Context(), tip, func(c *fleet.Claim) { c.State = fleet.Completed }))
			before := m.Git("rev-parse", "main")
			m.lead()
			c := m.await(fleet.Refused, id(1))
			assert.Equal(t, before, m.Git("rev-parse", "main"))
			assert.NotEqual(t, "", c.Outcome.Reason)
			got := m.claim(id(1))
			assert.Equal(t, fleet.Ended, got.State)
			assert.NotEqual(t, "", got.Reason)
		})
	}
}

// TestLeader_targetMoves: a push to the target between a landing and its push does not lose either.
func TestLeader_targetMoves(t *testing.T) {
	t.Parallel()
	m := newMachines(t, chained(1))
	p, r := m.Clone()
	lease := m.abandon("w", id(1), p, r)
	tip := enginetest.Git(t, engine.Home(p), "rev-parse", "chant/"+id(1))
	assert.NoError(t, lease.Push(t.Context(), tip, func(c *fleet.Claim) { c.State = fleet.Completed }))
	person := t.TempDir()
	enginetest.Git(t, person, "clone", "-q", m.Bare, ".")
	enginetest.Git(t, person, "-c", "user.name=P", "-c", "user.email=p@example.com", "commit", "-q", "--allow-empty", "-m", "person")
	lp, lr := m.Clone()
	pushed := false
	progress := lp.Progress
	lp.Progress = func(ev engine.Event) {
		progress(ev)
		if ev.ID == id(1) && !pushed { // the landing is under way
			pushed = true
			enginetest.Git(t, person, "push", "-q", "origin", "main")
		}
	}
	m.ended.Go(func() { (&leader.Leader{P: lp, Remote: lr, Broker: m.broker, Name: "hub"}).Run(m.ctx) })
	m.await(fleet.Landed, id(1))
	assert.True(t, pushed, "nothing was pushed while it landed")
	log := m.Git("log", "--format=%s", "main")
	assert.Equal(t, "1", m.Git("rev-list", "--merges", "--count", "main"))
	assert.Contains(t, log, "person")
}

// TestFleet_dayLimit: nothing starts once all machines together have used up the limit of the day.
func TestFleet_dayLimit(t *testing.T) {
	t.Parallel()
	files := chained(1)
	files[".chant/config.md"] = strings.Replace(files[".chant/config.md"], "sandbox: off", "sandbox: off\nlimits: {day: {time: 1s}}", 1)
	m := newMachines(t, files)
	l := fleet.Ledger{In: m.broker, Node: "another", Clone: "c", Timeout: time.Minute}
	_, err := l.Began(time.Now())
	assert.NoError(t, err)
	_, err = l.Day(fleet.Amount{Time: 2000})
	assert.NoError(t, err)
	m.lead()
	p, r := m.Clone()
	m.join("w", p, r)
	m.await(fleet.PutBack, id(1))
	assert.Equal(t, "", m.Git("for-each-ref", "refs/chant/claims"), "it was claimed")
}

// TestLeader_over: the claim on a spec that a person has dealt with on the target is removed, and no commit of its branch
// is lost.
func TestLeader_over(t *testing.T) {
	t.Parallel()
	path := ".chant/specs/" + id(1) + ".md"
	for name, c := range map[string]struct {
		person func(t *testing.T, dir, tip string) // in a checkout of the target
		state  fleet.ClaimState
		keeps  bool
	}{
		"merged": {func(t *testing.T, dir, tip string) {
			enginetest.Git(t, dir, "merge", "-q", "--no-ff", "-m", "by hand", tip)
		}, fleet.Completed, false},
		"merged after it had ended": {func(t *testing.T, dir, tip string) {
			enginetest.Git(t, dir, "merge", "-q", "--no-ff", "-m", "by hand", tip)
		}, fleet.Ended, false},
		"cancelled": {func(t *testing.T, dir, _ string) {
			text := enginetest.Read(t, dir, path)
			enginetest.Commit(t, dir, map[string]string{path: strings.Replace(text, "status: pending", "status: cancelled", 1)})
		}, fleet.Ended, true},
		"removed": {func(t *testing.T, dir, _ string) {
			enginetest.Git(t, dir, "rm", "-q", path)
			enginetest.CommitAll(t, dir)
		}, fleet.Returned, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachines(t, chained(1))
			p, r := m.Clone()
			lease := m.abandon("w", id(1), p, r)
			tip := enginetest.Git(t, engine.Home(p), "rev-parse", "chant/"+id(1))
			assert.NoError(t, lease.Push(t.Context(), tip, func(cl *fleet.Claim) { cl.State = c.state }))
			other, _ := m.Clone()
			dir := engine.Home(other)
			c.person(t, dir, "origin/chant/"+id(1))
			enginetest.Git(t, dir, "push", "-q", "origin", "main")
			lp, lr := m.Clone()
			l := leading(m, lp, lr)
			for range 2 { // the first round may only land
				_, err := l.Round(t.Context())
				assert.NoError(t, err)
			}
			refs := m.Git("for-each-ref", "--format=%(refname)")
			assert.NotContains(t, refs, "claims")
			assert.NotContains(t, refs, "heads/chant")
			assert.Equal(t, c.keeps, strings.Contains(refs, "rescue"))
			assert.NotEqual(t, "", m.Git("for-each-ref", "--contains", tip), "%s is lost", tip)
		})
	}
}
