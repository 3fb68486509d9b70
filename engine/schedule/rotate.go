package schedule

import "slices"

// choose returns one of the free agents, of which there is at least one.
func (p *Pool) choose(free []*seat) *seat {
	switch p.rotation {
	case RoundRobin:
		return p.nextInRound(free)
	case Random:
		return p.drawByWeight(free)
	case LeastLoaded:
		return slices.MinFunc(free, func(a, b *seat) int {
			return a.running*b.share() - b.running*a.share() // compares running/share without a division
		})
	case None:
	}
	return free[0]
}

// nextInRound goes round the whole list, in which each agent is as often as its weight,
// and returns the first free one.
func (p *Pool) nextInRound(free []*seat) *seat {
	var round []*seat
	for _, s := range p.seats {
		for range s.share() {
			round = append(round, s)
		}
	}
	for range round {
		p.last = (p.last + 1) % len(round)
		if slices.Contains(free, round[p.last]) {
			return round[p.last]
		}
	}
	return free[0]
}

// drawByWeight returns a random free agent, by weight.
func (p *Pool) drawByWeight(free []*seat) *seat {
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

func (s *seat) share() int { return max(1, s.Weight) }
