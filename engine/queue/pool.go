package queue

import (
	"cmp"

	"chant/engine"
	"chant/engine/schedule"
)

// width returns how many runs may work side by side: the number in the input, else one
// if specs were named or chained, else the number in the settings.
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

// SettingsWidth returns how many runs the settings allow side by side.
func SettingsWidth(p *engine.Project) int { return width(p, WorkAllInput{All: true}) }

// pool returns the pool of the agents in the settings. If there are none, or if the
// command names a provider, it contains only that provider or the default one.
func pool(p *engine.Project, asked string, random func(n int) int) *schedule.Pool {
	return schedule.NewPool(agents(p, asked), p.Config.Parallel.Rotation, random)
}

// agents lists the agents that may work: those of the settings, or the provider that the
// command names.
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
