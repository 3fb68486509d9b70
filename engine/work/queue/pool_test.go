package queue

import (
	"testing"

	"chant/engine"
	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// TestWidth uses the number in the input, else that of the settings, else what the agents
// take together, else one; specs that are named run one after the other.
func TestWidth(t *testing.T) {
	t.Parallel()
	agents := config.PoolAgents{{Name: "a", MaxConcurrent: 2}, {Name: "b", MaxConcurrent: 3}}
	for name, c := range map[string]struct {
		most   int
		agents config.PoolAgents
		in     WorkAllInput
		want   int
	}{
		"the input":   {4, agents, WorkAllInput{All: true, Parallel: 7}, 7},
		"settings":    {4, agents, WorkAllInput{All: true}, 4},
		"the agents'": {0, agents, WorkAllInput{All: true}, 5},
		"no limit":    {0, config.PoolAgents{{Name: "a"}}, WorkAllInput{All: true}, 1},
		"no settings": {0, nil, WorkAllInput{All: true}, 1},
		"named":       {4, agents, WorkAllInput{IDs: []string{"1", "2"}}, 1},
		"chained":     {4, agents, WorkAllInput{All: true, Chain: true}, 1},
	} {
		p := &engine.Project{Config: &config.Config{}}
		p.Config.Parallel.MaxConcurrent, p.Config.Parallel.Agents = c.most, c.agents
		assert.Equal(t, c.want, maxParallel(p, c.in), "%s", name)
	}
}
