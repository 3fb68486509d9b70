package lint

import (
	"slices"

	"chant/engine/spec"
)

// Project is what specs are looked at in. It is for one reading of them and for one
// goroutine.
type Project struct {
	Graph    *spec.Graph
	Settings Settings
	World    World

	claims *claims // of target files, made when they are first asked for
}

// World answers what cannot be seen in specs. A nil function is not asked.
type World struct {
	// Command says whether a shell would find this program in a folder of the tree; "" is
	// where the project's commands run.
	Command  func(word, dir string) bool
	Schema   func(path string) error // why a file is no output schema
	Context  func(path string) error // why a file cannot be quoted
	Provider func(name string) error // why a provider cannot be had
	Shell    func(s *spec.Spec) bool // whether the provider shell works it
	Prompt   func(name string) error // why a prompt cannot be used
	Extends  func(name string) error // why nothing of that name can be put behind one
}

// Check lists everything that is to be said of one spec.
func (p *Project) Check(s *spec.Spec) []Finding {
	return p.run(s, append(gates(), advice()...))
}

// Obstacles lists the errors of one spec that stop work on it.
func (p *Project) Obstacles(s *spec.Spec) []Finding {
	return slices.DeleteFunc(p.run(s, gates()), func(f Finding) bool {
		r, _ := ruleNamed(f.Rule)
		return f.Severity != Error || !r.Stops
	})
}

func (p *Project) run(s *spec.Spec, checks []func(*linter)) []Finding {
	l := &linter{Project: p, s: s}
	for _, check := range checks {
		check(l)
	}
	return l.out
}

// gates come first, in the order in which a person would mend things: every check with a
// rule that can stop work is among them.
func gates() []func(*linter) {
	return []func(*linter){
		(*linter).title, (*linter).name, (*linter).kind, (*linter).dependencies, (*linter).members, (*linter).cycle,
		(*linter).approval, (*linter).priority, (*linter).required, (*linter).outputSchema, (*linter).emptyCommands,
	}
}

// advice are all the others.
func advice() []func(*linter) {
	return []func(*linter){
		(*linter).status, (*linter).agent, (*linter).script, (*linter).prompts, (*linter).context, (*linter).keys, (*linter).items, (*linter).entries,
		(*linter).criteria, (*linter).openCriteria, (*linter).boxes, (*linter).deadCommands, (*linter).nearCommands, (*linter).verbs, (*linter).duplicates,
		(*linter).documentation, (*linter).research, (*linter).driver,
		(*linter).complexity, (*linter).coupling, (*linter).modelWaste, (*linter).overlap,
	}
}
