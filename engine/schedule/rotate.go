package schedule

import "slices"

// choose takes one of the free agents, at least one.
func (p *Pool) choose(free []*seat) *seat {
	switch p.rotation {
	case RoundRobin:
		return p.next(free)
	case Random:
		return p.draw(free)
	case LeastLoaded:
		return slices.MinFunc(free, func(a, b *seat) int {
			return a.running*b.share() - b.running*a.share() // the quotients, without dividing
		})
	case None:
	}
	return free[0]
}

// next goes round the whole list, each agent as often as its weight, and takes the
// first that is free.
func (p *Pool) next(free []*seat) *seat {
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

func (p *Pool) draw(free []*seat) *seat {
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
