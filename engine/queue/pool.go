package queue

import (
	"cmp"

	"chant/engine"
	"chant/engine/schedule"
)

// width is how many runs go side by side: what was asked for, one where specs were
// named or chained, and what the settings say for everything.
func width(p *engine.Project, in WorkAllInput) int {
	if in.Parallel > 0 {
		return in.Parallel
	}
	if in.Chain || len(in.IDs) > 0 && !in.All {
		return 1
	}
	room := 0
	for _, a := range p.Config.Parallel.Agents {
		room += a.MaxConcurrent
	}
	return max(1, cmp.Or(p.Config.Parallel.MaxConcurrent, room))
}

// SettingsWidth is how many runs the settings allow side by side.
func SettingsWidth(p *engine.Project) int { return width(p, WorkAllInput{All: true}) }

// pool is the agents of the settings; without any, or when one was asked for, the
// one provider.
func pool(p *engine.Project, asked string, random func(n int) int) *schedule.Pool {
	return schedule.NewPool(agents(p, asked), p.Config.Parallel.Rotation, random)
}

// agents lists who may work: the pool's, or the one that was asked for.
func agents(p *engine.Project, asked string) []schedule.Agent {
	if asked != "" || len(p.Config.Parallel.Agents) == 0 {
		name := cmp.Or(asked, p.Config.Defaults.Provider)
		return []schedule.Agent{{Name: name, Provider: name}}
	}
	var agents []schedule.Agent
	for _, a := range p.Config.Parallel.Agents {
		agents = append(agents, schedule.Agent{
			Name: a.Name, Provider: cmp.Or(a.Provider, a.Name), Model: a.Model, Max: a.MaxConcurrent, Weight: a.Weight,
		})
	}
	return agents
}
