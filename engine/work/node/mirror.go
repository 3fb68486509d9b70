package node

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"chant/engine"
	"chant/engine/fleet"
	"chant/engine/fleet/jetstream"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
)

// The times of a mirror.
const (
	minFetchInterval = 3 * time.Second  // between two fetches, although there is news
	maxFetchInterval = 10 * time.Second // between two fetches without news
)

// mirrorLock names the lock of the process that mirrors all logs of a clone.
const mirrorLock = "mirror"

// mirrorLockOf names the lock of the process that mirrors the log of a spec.
func mirrorLockOf(id string) string { return mirrorLock + "." + id }

// mirror follows a fleet for one clone. Its fields are set before Run.
type mirror struct {
	P      *engine.Project
	Remote *fleet.Remote // of that clone
	Broker *jetstream.Broker

	// Only is a spec whose log alone is mirrored, whether or not a machine works on it; "" = all that machines work on.
	Only string

	Soonest, Latest time.Duration // between two fetches; 0 = 3 and 10 seconds

	// CaughtUp is called when the log of a spec has all that the fleet had of it; may be nil.
	CaughtUp func(id string)

	logs          map[string]*follower
	ended         sync.WaitGroup // followers
	followedLease map[string]string
	said          map[string]bool
	seen          map[string]string // the claims that were fetched last, by spec
	landed        landings
}

// Run mirrors until the context ends, and returns when nothing runs any more. Error: Conflict while another process
// mirrors the same, else that of the context.
func (m *mirror) Run(ctx context.Context) (err error) {
	lock, err := m.lock()
	if err != nil {
		return err
	}
	// Deferred first, so that the lock is released last: another mirror must not begin while followers still write.
	defer func() { err = errors.Join(err, lock.Release()) }()
	ctx, cancel := context.WithCancel(ctx)
	defer m.ended.Wait()
	defer cancel()
	defer m.removePulse()
	m.landed.since = m.P.Now()
	m.logs, m.followedLease, m.said = map[string]*follower{}, map[string]string{}, map[string]bool{}
	news, err := m.Broker.Watch(ctx)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := m.Remote.Fetch(ctx); err != nil {
			// The mirror waits for a remote that is away for a while.
			m.warnOnce(ctx, "the remote cannot be fetched: "+err.Error())
		} else {
			m.followClaims(ctx)
		}
		m.writePulse(ctx)
		news = m.wait(ctx, news)
	}
	return ctx.Err()
}

// lock takes the lock of who mirrors these logs.
func (m *mirror) lock() (*lockfile.Lock, error) {
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

func (m *mirror) lockName() string {
	if m.Only != "" {
		return mirrorLockOf(m.Only)
	}
	return mirrorLock
}

// wait waits until the next fetch is due, and returns the news that are left.
func (m *mirror) wait(ctx context.Context, news <-chan fleet.Change) <-chan fleet.Change {
	soon, late := m.P.After(cmp.Or(m.Soonest, minFetchInterval)), m.P.After(cmp.Or(m.Latest, maxFetchInterval))
	// News come in bursts, and each fetch starts git.
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
				// The server is gone, so from now on only time decides.
				news = nil
				continue
			}
			switch c.Kind {
			case fleet.Landed:
				m.landed.add(m.P.Now())
				// A claim that existed between two fetches only was never seen.
				m.follow(ctx, c.ID, c.Worker, "")
			case fleet.Offered, fleet.Taken, fleet.PutBack, fleet.Finished, fleet.Refused:
			}
			changed = changed || c.Kind != fleet.Offered
		}
	}
	return news
}

// followClaims follows the logs of the specs that have a claim, as the machine that holds it writes them, and lets those end
// whose work is over.
func (m *mirror) followClaims(ctx context.Context) {
	claims, err := m.Remote.Claims(ctx)
	if err != nil {
		m.warnOnce(ctx, err.Error())
	}
	m.signal(claims)
	for id, c := range claims {
		// The log of a run that has ended is read once more, for what came after the last look.
		if c.State == fleet.Working || m.followedLease[id] != c.Lease {
			m.follow(ctx, id, c.Worker, c.Lease)
		}
	}
	if _, claimed := claims[m.Only]; m.Only != "" && !claimed && m.CaughtUp != nil {
		// There is nothing to wait for.
		m.CaughtUp(m.Only)
	}
	for id, f := range m.logs {
		// A failed look at the claims says nothing, so nothing ends because of it.
		f.setOver(err == nil && claims[id].State != fleet.Working)
		if f.hasEnded() {
			delete(m.logs, id)
		}
	}
	for id := range m.followedLease {
		if _, still := claims[id]; !still {
			delete(m.followedLease, id)
		}
	}
}

// signal lets those look again who watch this clone if claims have changed.
func (m *mirror) signal(claims map[string]fleet.Held) {
	now := make(map[string]string, len(claims))
	for id, c := range claims {
		now[id] = c.Hash
	}
	if maps.Equal(now, m.seen) {
		return
	}
	m.seen = now
	m.wakeWatchers()
}

// follow follows the log of a spec as a machine writes it, unless it is followed. The lease is that of the claim, "" for a
// spec that has landed.
func (m *mirror) follow(ctx context.Context, id, node, lease string) {
	if node == "" {
		return
	}
	if lease != "" {
		m.followedLease[id] = lease
	}
	if f := m.logs[id]; f != nil && !f.hasEnded() {
		if f.node == node {
			f.setOver(lease == "")
			return
		}
		// Its claim has passed to another machine.
		f.stop()
		// Two followers must not write the same file.
		<-f.ended
	}
	if m.Only != "" && m.Only != id || !hasLog(m.P, id) || m.isMirroredElsewhere(id) {
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

// isMirroredElsewhere reports whether the log of a spec is left to another process.
func (m *mirror) isMirroredElsewhere(id string) bool {
	// Each kind of mirror leaves to the other what that one has begun.
	other := mirrorLockOf(id)
	if m.Only != "" {
		other = mirrorLock
	}
	_, held := lockfile.HeldBy(m.P.Store.LockPath(other))
	return held
}

// warnOnce warns of something that stays as it is until a person changes it.
func (m *mirror) warnOnce(ctx context.Context, text string) {
	if ctx.Err() == nil && !m.said[text] {
		m.said[text] = true
		engine.Warn(m.P, "", text)
	}
}

// logCalm is how long nothing must have come before a log counts as complete whose run is over.
const logCalm = 5 * time.Second

// follower mirrors the log of one spec.
type follower struct {
	p        *engine.Project
	broker   *jetstream.Broker
	id       string
	node     string // whose log it is
	stop     context.CancelFunc
	caughtUp func(id string) // may be nil
	ended    chan struct{}   // closed when it has ended
	over     atomic.Bool     // no machine works on the spec
}

func (f *follower) setOver(over bool) { f.over.Store(over) }

func (f *follower) hasEnded() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

// hasLog reports whether a spec of this clone may have the id, and so a log.
func hasLog(p *engine.Project, id string) bool {
	return spec.ValidName(id) == nil && p.Store.Exists(id)
}

// run mirrors until the context ends, or the run of the spec is over and nothing more comes.
func (f *follower) run(ctx context.Context) {
	if err := f.copy(ctx); err != nil && ctx.Err() == nil {
		engine.Warn(f.p, f.id, "its log is not mirrored: "+err.Error())
	}
}

func (f *follower) copy(ctx context.Context) (err error) {
	path, err := f.p.Store.Local(local.Logs, f.id+".log")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Followed before the file is opened, so that nothing is missed in between.
	pieces, err := f.broker.Follow(ctx, f.node, f.id)
	if err != nil {
		return err
	}
	c, err := openCopy(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	look, came := f.p.After(logCalm), false
	for {
		select {
		case piece, open := <-pieces:
			if !open {
				return nil
			}
			if came = true; len(piece) == 0 {
				f.reportCaughtUp(c)
				continue
			}
			if f.isWorkedHere() {
				// The process that works here writes the log itself.
				return nil
			}
			if err := c.add(piece); err != nil {
				return err
			}
		case <-look:
			// A run that is over may still have pieces on their way, so it takes a while without any.
			if f.over.Load() && !came {
				return nil
			}
			look, came = f.p.After(logCalm), false
		}
	}
}

func (f *follower) reportCaughtUp(c *logCopy) {
	c.caughtUp()
	if f.caughtUp != nil {
		f.caughtUp(f.id)
	}
}

// isWorkedHere reports whether a process works on the spec in this clone.
func (f *follower) isWorkedHere() bool {
	_, held := f.p.Store.Holder(f.id)
	return held
}

// isMirrored reports whether a process mirrors all logs of a clone.
func isMirrored(p *engine.Project) bool {
	_, held := lockfile.HeldBy(p.Store.LockPath(mirrorLock))
	return held
}

// landingSpan is the time over which landings are counted, and pulseTime how long the server may take to say how the
// fleet is.
const (
	landingSpan = 5 * time.Minute
	pulseTime   = 3 * time.Second
)

// landings has the times of the landings that were reported in the last minutes.
type landings struct {
	since time.Time // when counting began
	times []time.Time
}

func (l *landings) add(now time.Time) { l.times = append(l.times, now) }

// perMinute returns how many landings there were in a minute, on average.
func (l *landings) perMinute(now time.Time) float64 {
	for len(l.times) > 0 && now.Sub(l.times[0]) > landingSpan {
		l.times = l.times[1:]
	}
	span := min(landingSpan, max(time.Minute, now.Sub(l.since)))
	return float64(len(l.times)) / span.Minutes()
}

// writePulse writes how the fleet is. While the server is away, what was written last grows old.
func (m *mirror) writePulse(ctx context.Context) {
	if m.Only != "" {
		return
	}
	limited, cancel := context.WithTimeout(ctx, pulseTime)
	defer cancel()
	nodes, err := m.Broker.Nodes(limited)
	var queue fleet.Backlog
	if err == nil {
		queue, err = m.Broker.Backlog(limited)
	}
	// What was written last grows old, which is how readers see that the server is away.
	if err != nil {
		return
	}
	now := m.P.Now()
	p := fleet.Pulse{At: now, Machines: []fleet.Machine{}, Waiting: queue.Waiting, Oldest: queue.Oldest, Landings: m.landed.perMinute(now)}
	for _, n := range nodes {
		p.Machines = append(p.Machines, fleet.Machine{Name: n.Name, Slots: n.Slots, Busy: len(n.Running)})
		p.Slots, p.Busy = p.Slots+n.Slots, p.Busy+len(n.Running)
	}
	if err := fleet.WritePulse(m.P.Repo, p); err != nil {
		m.warnOnce(ctx, "how the fleet is cannot be kept: "+err.Error())
		return
	}
	m.wakeWatchers()
}

// removePulse removes what beat has written.
func (m *mirror) removePulse() {
	if m.Only != "" {
		return
	}
	if err := fleet.RemovePulse(m.P.Repo); err != nil {
		engine.Warn(m.P, "", "how the fleet was stays written in this clone: "+err.Error())
	}
}

// wakeWatchers lets those look again who watch the locks of this clone, as the board does.
func (m *mirror) wakeWatchers() {
	now := m.P.Now()
	// Readers look from time to time anyway.
	_ = os.Chtimes(m.P.Store.LockPath(m.lockName()), now, now)
}
