package engine

import (
	"cmp"

	"chant/engine/schedule"
)

// width is how many runs go side by side: what was asked for, one where specs were
// named or chained, and what the settings say for everything.
func (e *Engine) width(in WorkAllInput) int {
	if in.Parallel > 0 {
		return in.Parallel
	}
	if in.Chain || len(in.IDs) > 0 && !in.All {
		return 1
	}
	room := 0
	for _, a := range e.config.Parallel.Agents {
		room += int(a.MaxConcurrent)
	}
	return max(1, cmp.Or(int(e.config.Parallel.MaxConcurrent), room))
}

// SettingsWidth is how many runs the settings allow side by side.
func SettingsWidth(e *Engine) int { return e.width(WorkAllInput{All: true}) }

// pool is the agents of the settings; without any, or when one was asked for, the
// one provider.
func (e *Engine) pool(asked string, random func(n int) int) *schedule.Pool {
	return schedule.NewPool(e.agents(asked), schedule.Rotation(e.config.Parallel.Rotation), random)
}

// agents lists who may work: the pool's, or the one that was asked for.
func (e *Engine) agents(asked string) []schedule.Agent {
	if asked != "" || len(e.config.Parallel.Agents) == 0 {
		name := cmp.Or(asked, e.config.Defaults.Provider)
		return []schedule.Agent{{Name: name, Provider: name}}
	}
	var agents []schedule.Agent
	for _, a := range e.config.Parallel.Agents {
		agents = append(agents, schedule.Agent{
			Name: a.Name, Provider: cmp.Or(a.Provider, a.Name), Model: a.Model, Max: int(a.MaxConcurrent), Weight: int(a.Weight),
		})
	}
	return agents
}
