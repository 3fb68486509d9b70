package engine

import "testing"

// TestEngine_width: a number that was asked for, then the settings', then what the agents
// take together, then one; specs that are named go one after the other.
func TestEngine_width(t *testing.T) {
	t.Parallel()
	agents := poolAgents{{Name: "a", MaxConcurrent: 2}, {Name: "b", MaxConcurrent: 3}}
	for name, c := range map[string]struct {
		most   count
		agents poolAgents
		in     WorkAllInput
		want   int
	}{
		"asked for":    {4, agents, WorkAllInput{All: true, Parallel: 7}, 7},
		"settings":     {4, agents, WorkAllInput{All: true}, 4},
		"the agents'":  {0, agents, WorkAllInput{All: true}, 5},
		"no limit":     {0, poolAgents{{Name: "a"}}, WorkAllInput{All: true}, 1},
		"nothing said": {0, nil, WorkAllInput{All: true}, 1},
		"named":        {4, agents, WorkAllInput{IDs: []string{"1", "2"}}, 1},
		"chained":      {4, agents, WorkAllInput{All: true, Chain: true}, 1},
	} {
		e := &Engine{config: &Config{}}
		e.config.Parallel.MaxConcurrent, e.config.Parallel.Agents = c.most, c.agents
		if got := e.width(c.in); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
