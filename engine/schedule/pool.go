package schedule

import (
	"fmt"
	"slices"
	"time"
)

// Rotation is how a pool chooses among agents that are free.
type Rotation string

// The rotations.
const (
	None        Rotation = "none"         // the first of the list that is free
	RoundRobin  Rotation = "round_robin"  // each in turn, by weight
	Random      Rotation = "random"       // by weight
	LeastLoaded Rotation = "least_loaded" // the one with the fewest runs for its weight
)

// ParseRotation reads a rotation; round-robin and least-loaded are spellings too.
func ParseRotation(text string) (Rotation, error) {
	switch text {
	case "":
		return None, nil
	case "round-robin":
		return RoundRobin, nil
	case "least-loaded":
		return LeastLoaded, nil
	}
	for _, r := range []Rotation{None, RoundRobin, Random, LeastLoaded} {
		if text == string(r) {
			return r, nil
		}
	}
	return "", fmt.Errorf("unknown rotation %q (one of none, round_robin, random, least_loaded)", text)
}

// Agent is one way to run a spec.
type Agent struct {
	Name     string // unique in a pool
	Provider string // what starts it
	Model    string // "" leaves the choice to the spec and the project
	Max      int    // runs side by side, 0 = no limit
	Weight   int    // share of the starts, at least 1
}

// Pool hands out agents. It belongs to one goroutine.
type Pool struct {
	rotation Rotation
	random   func(n int) int  // 0 <= result < n
	seats    []*seat          // of the agents of the list
	demanded map[string]*seat // of the providers that tasks demand and no agent has
	last     int              // place in the round that was taken last
}

// seat is an agent with what it is doing.
type seat struct {
	Agent
	running int
	until   time.Time // it is put off till then
	why     string    // in a few words
}

// NewPool makes a pool of the agents, in the order of the list. Each other provider
// that a task demands serves those tasks, without a limit.
func NewPool(agents []Agent, rotation Rotation, random func(n int) int) *Pool {
	p := &Pool{rotation: rotation, random: random, demanded: map[string]*seat{}, last: -1}
	for _, a := range agents {
		p.seats = append(p.seats, &seat{Agent: a})
	}
	return p
}

// Take hands out an agent for a provider, any agent for "". ok is false when none is
// free: then wait is how long until one comes back from being put off, 0 when an
// end has to come first.
func (p *Pool) Take(provider string, now time.Time) (a Agent, wait time.Duration, ok bool) {
	var free []*seat
	for _, s := range p.fitting(provider) {
		left := ahead(s.until, now)
		switch {
		case left > 0:
			if wait == 0 || left < wait {
				wait = left
			}
		case s.Max == 0 || s.running < s.Max:
			free = append(free, s)
		}
	}
	if len(free) == 0 {
		return Agent{}, wait, false
	}
	s := p.choose(free)
	s.running++
	return s.Agent, 0, true
}

// fitting lists the agents that can serve a provider. Whether one that no agent has
// exists is for others to know.
func (p *Pool) fitting(provider string) []*seat {
	var fit []*seat
	for _, s := range p.seats {
		if provider == "" || s.Provider == provider || s.Name == provider {
			fit = append(fit, s)
		}
	}
	if len(fit) == 0 && provider != "" {
		if p.demanded[provider] == nil {
			p.demanded[provider] = &seat{Agent: Agent{Name: provider, Provider: provider}}
		}
		fit = append(fit, p.demanded[provider])
	}
	return fit
}

// GiveBack ends a run of an agent that was taken. Until a time that is not zero it is put
// off, for a reason in a few words.
func (p *Pool) GiveBack(name string, until time.Time, why string) {
	s := p.demanded[name]
	if i := slices.IndexFunc(p.seats, func(s *seat) bool { return s.Name == name }); i >= 0 {
		s = p.seats[i]
	}
	s.running--
	if until.After(s.until) {
		s.until, s.why = until, why
	}
}
