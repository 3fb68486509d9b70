package node

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/work/node/fleetstest"

	"github.com/alecthomas/assert/v2"
)

// mirrorScene is a fleet with one spec, a clone that is mirrored and one of a worker.
type mirrorScene struct {
	*testing.T
	*fleetstest.Fleet
	broker *jetstream.Broker
	home   *engine.Project
	at     *fleet.Remote // of home
	worker *fleet.Remote
}

func newMirrorScene(t *testing.T) *mirrorScene {
	t.Helper()
	s := &mirrorScene{T: t, broker: fleetstest.New(t)}
	s.Fleet = fleetstest.NewFleet(t, map[string]string{".chant/specs/" + id + ".md": "---\nstatus: pending\n---\n# One\n"})
	s.home, s.at = s.Clone()
	_, s.worker = s.Clone()
	return s
}

// claim has a worker claim the spec.
func (s *mirrorScene) claim() *fleet.Lease {
	s.Helper()
	if err := s.worker.Fetch(s.Context()); err != nil {
		s.Fatal(err)
	}
	base, err := s.worker.Tip(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	l, err := s.worker.Take(s.Context(), fleet.Claim{ID: id, Worker: "w", Lease: "l", Attempt: 1, Base: base}, fleet.Held{})
	if err != nil {
		s.Fatal(err)
	}
	return l
}

func (s *mirrorScene) log(text string) { s.logAs("w", text) }

func (s *mirrorScene) logAs(node, text string) {
	s.Helper()
	if err := s.broker.Log(s.Context(), node, id, []byte(text)); err != nil {
		s.Fatal(err)
	}
}

// start mirrors until the returned function is called, which returns how it ended.
func (s *mirrorScene) start(m *mirror) (stop func() error) {
	ctx, cancel := context.WithCancel(s.Context())
	m.P, m.Remote, m.Broker = s.home, s.at, s.broker
	var ended sync.WaitGroup
	var err error
	ended.Go(func() { err = m.Run(ctx) })
	return sync.OnceValue(func() error { cancel(); ended.Wait(); return err })
}

// await waits until a condition holds.
func (s *mirrorScene) await(what string, holds func() bool) {
	s.Helper()
	late := time.After(time.Minute)
	for !holds() {
		select {
		case <-late:
			s.Fatalf("it never happens that %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s *mirrorScene) logIs(want string) func() bool {
	return func() bool {
		got, err := os.ReadFile(s.home.Store.LogPath(id))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.Fatal(err)
		}
		return string(got) == want
	}
}

func (s *mirrorScene) claimIs(state fleet.ClaimState) func() bool {
	return func() bool {
		c, err := s.at.Claim(s.Context(), id)
		if err != nil {
			s.Fatal(err)
		}
		return c.State == state
	}
}

// TestMirror: claims and logs come here, a mirror that begins again writes nothing twice, and an earlier log stays.
func TestMirror(t *testing.T) {
	t.Parallel()
	s := newMirrorScene(t)
	assert.NoError(t, s.home.Store.NoteInLog(id, "earlier", s.home.Now))
	earlier, err := os.ReadFile(s.home.Store.LogPath(id))
	assert.NoError(t, err)
	lease := s.claim()
	s.log(lines("ab"))
	stop := s.start(&mirror{Soonest: time.Millisecond, Latest: time.Millisecond})
	s.await("the log has come", s.logIs(string(earlier)+lines("ab")))
	s.await("the claim has come", s.claimIs(fleet.Working))
	s.log(lines("c"))
	s.await("the log has grown", s.logIs(string(earlier)+lines("abc")))
	assert.IsError(t, stop(), context.Canceled)
	s.log(lines("d"))
	stop = s.start(&mirror{Soonest: time.Millisecond, Latest: time.Millisecond})
	s.await("what was missed has come", s.logIs(string(earlier)+lines("abcd")))
	assert.NoError(t, lease.Push(t.Context(), lease.PushedTip(), func(c *fleet.Claim) { c.State = fleet.Ended }))
	s.await("the claim has ended", s.claimIs(fleet.Ended))
	assert.IsError(t, stop(), context.Canceled)
	assert.True(t, s.logIs(string(earlier)+lines("abcd"))(), "the log has changed")
}

// TestMirror_news: a change that the queue reports is fetched without waiting for the next fetch.
func TestMirror_news(t *testing.T) {
	t.Parallel()
	s := newMirrorScene(t)
	fetched := make(chan struct{}, 1)
	stop := s.start(&mirror{Soonest: time.Millisecond, Latest: time.Hour, CaughtUp: func(string) { fetched <- struct{}{} }})
	defer stop()
	// The news come only once the mirror watches, which a first change shows that is repeated until it is heard.
	tell := func() {
		assert.NoError(t, s.broker.Tell(t.Context(), fleet.Change{Kind: fleet.Landed, ID: id, Node: "hub", Worker: "w"}))
	}
	s.await("a change is heard", func() bool {
		tell()
		select {
		case <-fetched:
			return true
		default:
			return false
		}
	})
	s.claim()
	tell()
	s.await("the claim has come", s.claimIs(fleet.Working))
}

// TestMirror_others: only what the machine with the claim logs comes here, whoever else writes about the spec, before and after.
func TestMirror_others(t *testing.T) {
	t.Parallel()
	s := newMirrorScene(t)
	lease := s.claim()
	s.logAs("evil", "2026-01-01T00:00:00Z forged before\n")
	s.log(lines("a"))
	stop := s.start(&mirror{Soonest: time.Millisecond, Latest: time.Millisecond})
	defer stop()
	s.await("the log has come", s.logIs(lines("a")))
	s.logAs("evil", "2026-01-01T00:00:00Z forged meanwhile\n")
	s.log(lines("b"))
	s.await("the log has grown", s.logIs(lines("ab")))
	assert.NoError(t, lease.Push(t.Context(), lease.PushedTip(), func(c *fleet.Claim) { c.Worker, c.Lease = "next", "m" }))
	s.logAs("next", lines("c"))
	s.await("the log of the next machine has come", s.logIs(lines("abc")))
	s.log("2026-01-01T00:00:00Z replayed\n")
	s.logAs("next", lines("d"))
	s.await("the log has grown again", s.logIs(lines("abcd")))
}

// TestMirror_landed: the log of a spec comes whose claim was gone before anybody could fetch it, once it has landed.
func TestMirror_landed(t *testing.T) {
	t.Parallel()
	s := newMirrorScene(t)
	s.log(lines("ab"))
	s.logAs("evil", "2026-01-01T00:00:00Z forged\n")
	stop := s.start(&mirror{Soonest: time.Millisecond, Latest: time.Hour})
	defer stop()
	s.await("the log has come", func() bool {
		assert.NoError(t, s.broker.Tell(t.Context(), fleet.Change{Kind: fleet.Landed, ID: id, Node: "hub", Worker: "w"}))
		return s.logIs(lines("ab"))()
	})
}

// TestMirror_one: the log of one spec is mirrored, and not while another process mirrors it; without a claim there is none.
func TestMirror_one(t *testing.T) {
	t.Parallel()
	s := newMirrorScene(t)
	s.log(lines("ab"))
	none := make(chan string, 1)
	unclaimed := s.start(&mirror{Only: id, CaughtUp: func(id string) { none <- id }})
	got := <-none
	assert.Equal(t, id, got)
	assert.True(t, s.logIs("")(), "%q is complete, or its log has come from nobody", got)
	assert.IsError(t, unclaimed(), context.Canceled)
	s.claim()
	whole := make(chan string, 1)
	stop := s.start(&mirror{Only: id, CaughtUp: func(id string) { whole <- id }})
	defer stop()
	got = <-whole
	assert.Equal(t, id, got)
	assert.True(t, s.logIs(lines("ab"))(), "%q is complete, or its log is not", got)
	err := (&mirror{P: s.home, Remote: s.at, Broker: s.broker, Only: id}).Run(t.Context())
	known, ok := errors.AsType[*engine.Error](err)
	assert.True(t, ok, "a second mirror: %v, want a conflict", err)
	assert.Equal(t, engine.Conflict, known.Code, "a second mirror: %v, want a conflict", err)
}

// TestMirror_foreign: ids that are no specs here get no file.
func TestMirror_foreign(t *testing.T) {
	t.Parallel()
	s := newMirrorScene(t)
	for _, bad := range []string{"../../evil", "2026-01-02-009-abc", ""} {
		assert.False(t, hasLog(s.home, bad), "%q has a log", bad)
	}
	assert.True(t, hasLog(s.home, id), "%q has no log", id)
}

// TestMirror_pulse: the clone says how the fleet is while it is mirrored, and how many landings there are.
func TestMirror_pulse(t *testing.T) {
	t.Parallel()
	s := newMirrorScene(t)
	assert.NoError(t, s.broker.Register(t.Context(), fleet.Node{Name: "w", Slots: 3, Running: []string{id}}))
	stop := s.start(&mirror{Soonest: time.Millisecond, Latest: 10 * time.Millisecond})
	s.await("the fleet is described", func() bool {
		p, is := fleet.ReadPulse(s.home.Repo)
		return is && p.Slots == 3 && p.Busy == 1 && len(p.Machines) == 1 && p.Machines[0].Name == "w" && p.Landings == 0
	})
	s.await("a landing is counted", func() bool {
		assert.NoError(t, s.broker.Tell(t.Context(), fleet.Change{Kind: fleet.Landed, ID: id}))
		p, _ := fleet.ReadPulse(s.home.Repo)
		return p.Landings > 0
	})
	assert.IsError(t, stop(), context.Canceled)
	p, is := fleet.ReadPulse(s.home.Repo)
	assert.False(t, is, "after the end: %+v", p)
}

// TestLandings: landings count for some minutes, and the first minute is whole.
func TestLandings(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	l := landings{since: begin}
	for i := range 6 {
		l.add(begin.Add(time.Duration(i) * time.Second))
	}
	for after, want := range map[time.Duration]float64{10 * time.Second: 6, 2 * time.Minute: 3, 5 * time.Minute: 1.2} {
		seen := l
		assert.Equal(t, want, seen.perMinute(begin.Add(after)), "after %s", after)
	}
	assert.Equal(t, 0.6, l.perMinute(begin.Add(5*time.Minute+3*time.Second)), "after the first were forgotten")
	assert.Equal(t, 0, l.perMinute(begin.Add(time.Hour)), "after an hour")
}
