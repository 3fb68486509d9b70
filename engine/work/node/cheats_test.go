package node_test

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/work/node/fleetstest"
	"chant/engine/work/node/leader"

	"github.com/alecthomas/assert/v2"
)

// siege is a fleet with a server, in which the machine "v" has taken the first spec, and "evil", whose key allows what that of
// a worker allows and which can push to the remote as workers can, wants its own work to land.
type siege struct {
	*machines
	hub, v, evil *jetstream.Broker
	hers         *jetstream.Delivery
	leader       *leader.Leader
	reports      []string
	// tip of the work that evil has completed, in a clone of which r is the remote.
	tip string
	r   *fleet.Remote
}

func newSiege(t *testing.T, settings string) *siege {
	t.Helper()
	files := chained(2)
	files[".chant/config.md"] = strings.Replace(files[".chant/config.md"], "sandbox: off", "sandbox: off\n"+settings, 1)
	s := &siege{machines: newMachines(t, files)}
	connect, keys := fleetstest.Serve(t, map[string]jetstream.Role{"hub": jetstream.HubRole, "v": jetstream.WorkerRole, "evil": jetstream.WorkerRole})
	s.hub, s.v, s.evil = connect("hub"), connect("v"), connect("evil")
	assert.NoError(t, s.hub.Trust(t.Context(), keys))
	lp, lr := s.Clone()
	before := lp.Progress
	lp = lp.WithProgress(func(ev engine.Event) {
		s.reports = append(s.reports, ev.Text)
		before(ev)
	}, nil)
	s.leader = &leader.Leader{P: lp, Remote: lr, Broker: s.hub, Name: "hub"}
	fleetstest.Keep(t, s.hub)
	s.round()
	d, err := s.v.Take(t.Context(), fleet.Node{Name: "v", Providers: []string{"shell"}})
	if err != nil || d.Entry().ID != id(1) {
		t.Fatalf("took %+v, %v", d, err)
	}
	s.hers = d
	return s
}

// round lets the leader land and offer.
func (s *siege) round() {
	s.Helper()
	if _, err := s.leader.Round(s.ctx); err != nil {
		s.Fatal(err)
	}
}

// complete works the first spec in a clone, with a key and a name in its claim, up to the point where it is pushed.
func (s *siege) complete(b *jetstream.Broker, name string) *fleet.Lease {
	s.Helper()
	p, r := s.Clone()
	if b != nil {
		r.Sign = b.Sign
	}
	l := s.abandon(name, id(1), p, r)
	s.tip, s.r = enginetest.Git(s.T, engine.Home(p), "rev-parse", "chant/"+id(1)), r
	return l
}

func (s *siege) push(l *fleet.Lease, change func(*fleet.Claim)) {
	s.Helper()
	if err := l.Push(s.ctx, s.tip, func(c *fleet.Claim) {
		c.State, c.Status = fleet.Completed, "completed"
		change(c)
	}); err != nil {
		s.Fatal(err)
	}
}

func nothing(*fleet.Claim) {}

// TestCheats_claims: completed work does not land whose claim is not that of the machine that it names, or of one that has
// taken the spec; the leader says so.
func TestCheats_claims(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		try    func(s *siege)
		report string
	}{
		"in the name of another, with the own key": {func(s *siege) { s.push(s.complete(s.evil, "v"), nothing) }, `names machine "v", which has not signed it`},
		"in the name of another, without a key":    {func(s *siege) { s.push(s.complete(nil, "v"), nothing) }, `names machine "v", which has not signed it`},
		"in the name of a machine that is none":    {func(s *siege) { s.push(s.complete(s.evil, "nobody"), nothing) }, `names machine "nobody", which has not signed it`},
		"in the name of the hub":                   {func(s *siege) { s.push(s.complete(s.evil, "hub"), nothing) }, `names machine "hub", which has not signed it`},
		"in the own name, for what another has":    {func(s *siege) { s.push(s.complete(s.evil, "evil"), nothing) }, `machine "evil", to which the queue has not given it`},
		"over the claim of another": {func(s *siege) {
			s.complete(s.v, "v") // which has not pushed more than its claim
			if err := s.hers.AnnounceClaim(s.ctx); err != nil {
				s.Fatal(err)
			}
			_, r := s.Clone()
			r.Sign = s.evil.Sign
			if err := r.FetchAll(s.ctx); err != nil {
				s.Fatal(err)
			}
			from, err := r.Claim(s.ctx, id(1))
			if err != nil {
				s.Fatal(err)
			}
			enginetest.Git(s.T, r.Repo.Home(), "fetch", "-q", s.r.Repo.Home(), "chant/"+id(1))
			l, err := r.Take(s.ctx, fleet.Claim{ID: id(1), Worker: "evil", Lease: "x", Base: from.Base}, from)
			if err != nil {
				s.Fatal(err)
			}
			s.push(l, nothing)
		}, `machine "evil", to which the queue has not given it`},
		"with a changed signature of another": {func(s *siege) {
			l := s.complete(s.v, "v")
			s.push(l, nothing)
			signed := l.Claim()
			s.r.Sign = func([]byte) (string, error) { return signed.Signature, nil }
			s.push(l, func(c *fleet.Claim) { c.Evidence = "forged" })
		}, `names machine "v", which has not signed it`},
		"with a signature of the other for something else": {func(s *siege) {
			l := s.complete(s.v, "v")
			text, err := l.Claim().SignedText()
			if err != nil {
				s.Fatal(err)
			}
			old, err := s.v.Sign(text) // of the claim when its work began
			if err != nil {
				s.Fatal(err)
			}
			s.r.Sign = func([]byte) (string, error) { return old, nil }
			s.push(l, nothing)
		}, `names machine "v", which has not signed it`},
	} {
		for _, land := range []string{"merge", "pr"} {
			t.Run(name+", "+land, func(t *testing.T) {
				t.Parallel()
				enginetest.OneOf(t, 2)
				s := newSiege(t, "fleet: {land: "+land+"}")
				before := s.Git("rev-parse", "main")
				c.try(s)
				s.round()
				assert.Equal(t, before, s.Git("rev-parse", "main"), "it has landed")
				got := s.claim(id(1))
				assert.Equal(t, fleet.Ended, got.State)
				assert.Contains(t, got.Reason, c.report)
				if !slices.ContainsFunc(s.reports, func(text string) bool { return strings.Contains(text, c.report) }) {
					t.Errorf("reported %q, want %q", s.reports, c.report)
				}
			})
		}
	}
}

// TestCheats_honest: what the machine has completed to which the queue has given a spec lands, also one that has died and come
// back, and one that the queue does not know any more.
func TestCheats_honest(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(s *siege) error{
		"at once": func(s *siege) error { return s.hers.Finish(s.ctx, fleet.Outcome{}) },
		"after another has taken it and put it back": func(s *siege) error {
			if err := s.hers.AnnounceClaim(s.ctx); err != nil {
				return err
			}
			if err := s.hers.PutBack(s.ctx, 0, ""); err != nil {
				return err
			}
			d, err := s.evil.Take(s.ctx, fleet.Node{Name: "evil", Providers: []string{"shell"}})
			if err != nil {
				return err
			}
			return d.PutBack(s.ctx, 0, "it is being worked on by v")
		},
		"before the queue has heard of its end": func(*siege) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSiege(t, "")
			l := s.complete(s.v, "v")
			assert.NoError(t, meanwhile(s))
			s.push(l, nothing)
			s.round()
			assert.Equal(t, "1", s.Git("rev-list", "--merges", "--count", "main"), "%q", s.reports)
		})
	}
}
