package mirror

import (
	"context"
	"os"
	"time"

	"chant/engine"
	"chant/engine/fleet"
)

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

// beat writes how the fleet is. While the server is away, what was written last grows old.
func (m *Mirror) beat(ctx context.Context) {
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
	m.touch()
}

// endBeat removes what beat has written.
func (m *Mirror) endBeat() {
	if m.Only != "" {
		return
	}
	if err := fleet.RemovePulse(m.P.Repo); err != nil {
		engine.Warn(m.P, "", "how the fleet was stays written in this clone: "+err.Error())
	}
}

// touch lets those look again who watch the locks of this clone, as the board does.
func (m *Mirror) touch() {
	now := m.P.Now()
	_ = os.Chtimes(m.P.Store.LockPath(m.lockName()), now, now) // they look from time to time anyway
}
