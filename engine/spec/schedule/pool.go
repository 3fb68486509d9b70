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

// ParseRotation reads a rotation; round-robin and least-loaded are accepted too.
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
	Provider string // that starts it
	Model    string // "" leaves the choice to the spec and the project
	Max      int    // runs side by side, 0 = no limit
	Weight   int    // share of the starts, at least 1
}

// Pool hands out agents. It belongs to one goroutine.
type Pool struct {
	rotation Rotation
	random   func(n int) int       // 0 <= result < n
	slots    []*agentSlot          // of the agents in the list
	onDemand map[string]*agentSlot // of providers that tasks require and no agent in the list has
	last     int                   // position in the round that was used last
}

// agentSlot is an agent with its running tasks.
type agentSlot struct {
	Agent
	running int
	until   time.Time // it is postponed until then
	why     string    // it is postponed, in a few words
}

// NewPool returns a pool of the agents, in the order of the list. Tasks that require
// another provider get that one, without a limit.
func NewPool(agents []Agent, rotation Rotation, random func(n int) int) *Pool {
	p := &Pool{rotation: rotation, random: random, onDemand: map[string]*agentSlot{}, last: -1}
	for _, a := range agents {
		p.slots = append(p.slots, &agentSlot{Agent: a})
	}
	return p
}

// Take returns an agent for a provider, any agent for "". ok is false if no agent is free:
// then wait is how long until a postponed agent is available again, 0 if a run has to end
// first.
func (p *Pool) Take(provider string, now time.Time) (a Agent, wait time.Duration, ok bool) {
	var free []*agentSlot
	for _, s := range p.slotsFor(provider) {
		left := timeUntil(s.until, now)
		switch {
		case left > 0:
			// The agent that is available first decides.
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

// slotsFor lists the agents that can run tasks for a provider. It does not check whether
// a provider that no agent has exists.
func (p *Pool) slotsFor(provider string) []*agentSlot {
	var fit []*agentSlot
	for _, s := range p.slots {
		if provider == "" || s.Provider == provider || s.Name == provider {
			fit = append(fit, s)
		}
	}
	if len(fit) == 0 && provider != "" {
		// The seat is kept, because it remembers a postponement.
		if p.onDemand[provider] == nil {
			p.onDemand[provider] = &agentSlot{Agent: Agent{Name: provider, Provider: provider}}
		}
		fit = append(fit, p.onDemand[provider])
	}
	return fit
}

// GiveBack ends a run of an agent. If until is not zero, the agent is postponed until then,
// for a reason in a few words.
func (p *Pool) GiveBack(name string, until time.Time, why string) {
	s := p.onDemand[name]
	// The name can be that of a provider outside of the list.
	if i := slices.IndexFunc(p.slots, func(s *agentSlot) bool { return s.Name == name }); i >= 0 {
		s = p.slots[i]
	}
	s.running--
	// Another run of the agent may have asked for a longer wait.
	if until.After(s.until) {
		s.until, s.why = until, why
	}
}

// choose returns one of the free agents, of which there is at least one.
func (p *Pool) choose(free []*agentSlot) *agentSlot {
	switch p.rotation {
	case RoundRobin:
		return p.nextInRound(free)
	case Random:
		return p.drawByWeight(free)
	case LeastLoaded:
		return slices.MinFunc(free, func(a, b *agentSlot) int {
			// The products compare running/share without a division.
			return a.running*b.share() - b.running*a.share()
		})
	case None:
	}
	return free[0]
}

// nextInRound goes round the whole list, in which each agent is as often as its weight,
// and returns the first free one.
func (p *Pool) nextInRound(free []*agentSlot) *agentSlot {
	var round []*agentSlot
	for _, s := range p.slots {
		for range s.share() {
			round = append(round, s)
		}
	}
	for range round {
		// The position is kept from one start to the next, so each agent gets its turn.
		p.last = (p.last + 1) % len(round)
		if slices.Contains(free, round[p.last]) {
			return round[p.last]
		}
	}
	return free[0]
}

// drawByWeight returns a random free agent, by weight.
func (p *Pool) drawByWeight(free []*agentSlot) *agentSlot {
	total := 0
	for _, s := range free {
		total += s.share()
	}
	at := p.random(total)
	for _, s := range free {
		if at -= s.share(); at < 0 {
			return s
		}
	}
	return free[len(free)-1]
}

func (s *agentSlot) share() int { return max(1, s.Weight) }

// AgentInTurn returns the agent that follows after a number of turns, in a round in which each agent is as often as its weight.
func AgentInTurn(agents []Agent, turns int) Agent {
	var round []Agent
	for _, a := range agents {
		for range max(1, a.Weight) {
			round = append(round, a)
		}
	}
	return round[turns%len(round)]
}
