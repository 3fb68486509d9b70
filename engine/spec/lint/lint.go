package lint

import (
	"slices"

	"chant/engine/spec"
)

// Project is what specs are checked with. It is valid for one reading of all specs, and for one goroutine.
type Project struct {
	Graph    *spec.Graph
	Settings Settings
	World    World

	files *fileIndex // made when it is first needed
}

// World has functions that look outside of the specs. The checks that need a nil function are skipped.
type World struct {
	// Command reports whether a shell would find this program in a folder of the tree; "" is the folder in which the
	// project's commands run.
	Command  func(word, dir string) bool
	Schema   func(path string) error    // why a file is not a valid output schema
	Context  func(path string) error    // why a context file cannot be read
	Provider func(name string) error    // why a provider cannot be used
	Shell    func(s *spec.File) bool    // whether the provider of the spec is the shell
	Prompt   func(name string) error    // why a prompt cannot be used
	Extends  func(name string) error    // why a prompt extension cannot be used
	Priority func(word string) bool     // whether the settings of tasks have this priority
	Other    func(id string) *spec.File // another spec, nil if it cannot be read
	// HeldOut reports whether a spec has a file with held-out criteria, and a commit that has them in the clear.
	HeldOut func(s *spec.File) (has bool, readable string)
	// Matches reports whether a glob matches a file that is committed in the checkout.
	Matches func(glob string) bool
	// Source validates the folder that a spec adopts, by the rules of the tool whose folder it is.
	Source func(s *spec.File) []SourceFinding
}

// Check lists all findings about one spec.
func (p *Project) Check(s *spec.File) []Finding {
	return p.run(s, append(stoppingChecks(), otherChecks()...))
}

// BlockingErrors lists the errors of one spec that stop work on it.
func (p *Project) BlockingErrors(s *spec.File) []Finding {
	return slices.DeleteFunc(p.run(s, stoppingChecks()), func(f Finding) bool {
		r, _ := ruleNamed(f.Rule)
		return f.Severity != Error || !r.Stops
	})
}

func (p *Project) run(s *spec.File, checks []func(*linter)) []Finding {
	l := &linter{Project: p, s: s}
	// They are moved to a file of their own before work begins.
	if blank := spec.BlankHeldOut(s.Doc); blank != s.Doc {
		l.s, l.heldOut = s.WithDoc(blank), true
	}
	if p.World.HeldOut != nil {
		has, readable := p.World.HeldOut(s)
		l.heldOut, l.readable = l.heldOut || has, readable
	}
	for _, check := range checks {
		check(l)
	}
	return l.out
}

// stoppingChecks lists every check with a rule that can stop work, in the order in which a person would correct the
// findings. They come before otherChecks.
func stoppingChecks() []func(*linter) {
	return []func(*linter){
		(*linter).checkTitle, (*linter).checkType, (*linter).checkDependencies, (*linter).checkMembers, (*linter).checkCycle,
		(*linter).checkApproval, (*linter).checkPriority, (*linter).checkRunsOn, (*linter).checkRequired, (*linter).checkOutputSchema, (*linter).checkSource, (*linter).checkEmptyCommands, (*linter).checkRedFor,
		(*linter).checkLateMatter, (*linter).checkNearKeys, (*linter).checkBoxes, (*linter).checkUnread, (*linter).checkHidden,
	}
}

// otherChecks lists the checks that never stop work.
func otherChecks() []func(*linter) {
	return []func(*linter){
		(*linter).checkStatus, (*linter).checkAgent, (*linter).checkScript, (*linter).checkPrompts, (*linter).checkContext, (*linter).checkKeys, (*linter).checkTask, (*linter).checkDuplicateItems, (*linter).checkEntries,
		(*linter).checkCriteria, (*linter).checkReadable, (*linter).checkGuards, (*linter).checkOpenCriteria, (*linter).checkDeadCommands, (*linter).checkInputs, (*linter).checkLostExits, (*linter).checkNearCommands, (*linter).checkVerbs, (*linter).checkDuplicateCriteria,
		(*linter).checkSourceFiles, (*linter).checkDocumentation, (*linter).checkResearch, (*linter).checkDriver,
		(*linter).checkComplexity, (*linter).checkCoupling, (*linter).checkModelWaste, (*linter).checkOverlap,
	}
}
