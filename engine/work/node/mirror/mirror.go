package mirror

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/spec/next"
	"chant/gitops/lockfile"
)

// The times of a mirror.
const (
	soonest = 3 * time.Second  // between two fetches, although there is news
	latest  = 10 * time.Second // between two fetches without news
)

// LockName names the lock of the process that mirrors all logs of a clone.
const LockName = "mirror"

// lockOf names the lock of the process that mirrors the log of a spec.
func lockOf(id string) string { return LockName + "." + id }

// Mirror follows a fleet for one clone. Its fields are set before Run.
type Mirror struct {
	P      *engine.Project
	Remote *fleet.Remote // of that clone
	Broker fleet.Broker

	// Only is a spec whose log alone is mirrored, whether or not a machine works on it; "" = all that machines work on.
	Only string

	Soonest, Latest time.Duration // between two fetches; 0 = 3 and 10 seconds

	// CaughtUp is told when the log of a spec has all that the fleet had of it; may be nil.
	CaughtUp func(id string)

	logs   map[string]*follower
	ended  sync.WaitGroup // followers
	lasted map[string]string
	said   map[string]bool
	seen   map[string]string // the claims that were fetched last, by spec
	landed landings
}

// Run mirrors until the context ends, and returns when nothing runs any more. Error: Conflict while another process
// mirrors the same, else that of the context.
func (m *Mirror) Run(ctx context.Context) (err error) {
	lock, err := m.lock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	ctx, cancel := context.WithCancel(ctx)
	defer m.ended.Wait()
	defer cancel()
	defer m.endBeat()
	m.landed.since = m.P.Now()
	m.logs, m.lasted, m.said = map[string]*follower{}, map[string]string{}, map[string]bool{}
	news, err := m.Broker.Watch(ctx)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := m.Remote.Fetch(ctx); err != nil {
			m.warnOnce(ctx, "the remote cannot be fetched: "+err.Error())
		} else {
			m.followClaims(ctx)
		}
		m.beat(ctx)
		news = m.wait(ctx, news)
	}
	return ctx.Err()
}

// lock takes the lock of who mirrors these logs.
func (m *Mirror) lock() (*lockfile.Lock, error) {
	name := m.lockName()
	path, err := engine.LockFor(m.P, name)
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Acquire(path, name)
	if held, ok := errors.AsType[*lockfile.HeldError](err); ok {
		return nil, engine.Fail(engine.Conflict, next.FleetStatus.On(), "process %d mirrors what the fleet logs in this clone already", held.Holder.PID)
	}
	return lock, err
}

func (m *Mirror) lockName() string {
	if m.Only != "" {
		return lockOf(m.Only)
	}
	return LockName
}

// wait waits until the next fetch is due, and returns the news that are left.
func (m *Mirror) wait(ctx context.Context, news <-chan fleet.Change) <-chan fleet.Change {
	soon, late := m.P.After(cmp.Or(m.Soonest, soonest)), m.P.After(cmp.Or(m.Latest, latest))
	for due, changed := false, false; !due || !changed; {
		select {
		case <-ctx.Done():
			return news
		case <-late:
			return news
		case <-soon:
			due, soon = true, nil
		case c, open := <-news:
			if !open {
				news = nil
				continue
			}
			switch c.Kind {
			case fleet.Landed:
				m.landed.add(m.P.Now())
				m.follow(ctx, c.ID, c.Worker, "") // nobody saw its claim, if it has taken no time
			case fleet.Offered, fleet.Taken, fleet.PutBack, fleet.Finished, fleet.Refused:
			}
			changed = changed || c.Kind != fleet.Offered
		}
	}
	return news
}

// followClaims follows the logs of the specs that have a claim, as the machine that holds it writes them, and lets those end
// whose work is over.
func (m *Mirror) followClaims(ctx context.Context) {
	claims, err := m.Remote.Claims(ctx)
	if err != nil {
		m.warnOnce(ctx, err.Error())
	}
	m.signal(claims)
	for id, c := range claims {
		if c.State == fleet.Working || m.lasted[id] != c.Lease {
			m.follow(ctx, id, c.Worker, c.Lease)
		}
	}
	if _, claimed := claims[m.Only]; m.Only != "" && !claimed && m.CaughtUp != nil {
		m.CaughtUp(m.Only) // there is nothing
	}
	for id, f := range m.logs {
		f.setOver(err == nil && claims[id].State != fleet.Working)
		if f.hasEnded() {
			delete(m.logs, id)
		}
	}
	for id := range m.lasted {
		if _, still := claims[id]; !still {
			delete(m.lasted, id)
		}
	}
}

// signal lets those look again who watch this clone if claims have changed.
func (m *Mirror) signal(claims map[string]fleet.Held) {
	now := make(map[string]string, len(claims))
	for id, c := range claims {
		now[id] = c.Hash
	}
	if maps.Equal(now, m.seen) {
		return
	}
	m.seen = now
	m.touch()
}

// follow follows the log of a spec as a machine writes it, unless it is followed. The lease is that of the claim, "" for a
// spec that has landed.
func (m *Mirror) follow(ctx context.Context, id, node, lease string) {
	if node == "" {
		return
	}
	if lease != "" {
		m.lasted[id] = lease
	}
	if f := m.logs[id]; f != nil && !f.hasEnded() {
		if f.node == node {
			f.setOver(lease == "")
			return
		}
		f.stop() // its claim has passed to another machine
		<-f.ended
	}
	if m.Only != "" && m.Only != id || !hasLog(m.P, id) || m.isLeft(id) {
		return
	}
	ctx, stop := context.WithCancel(ctx)
	f := &follower{p: m.P, broker: m.Broker, id: id, node: node, stop: stop, caughtUp: m.CaughtUp, ended: make(chan struct{})}
	f.setOver(lease == "")
	m.logs[id] = f
	m.ended.Go(func() {
		defer close(f.ended)
		defer stop()
		f.run(ctx)
	})
}

// isLeft reports whether the log of a spec is left to another process.
func (m *Mirror) isLeft(id string) bool {
	other := lockOf(id)
	if m.Only != "" {
		other = LockName
	}
	_, held := lockfile.HeldBy(m.P.Store.LockPath(other))
	return held
}

// warnOnce warns of something that stays as it is until a person changes it.
func (m *Mirror) warnOnce(ctx context.Context, text string) {
	if ctx.Err() == nil && !m.said[text] {
		m.said[text] = true
		engine.Warn(m.P, "", text)
	}
}
