package engine

import "fmt"

// permission is what the agent of a run may do.
type permission int

const (
	refused  permission = iota // never: chant does it after the agent's turn
	allowed                    // as outside of a run
	inCopy                     // in the copy of the spec in the run's worktree
	asPerson                   // only outside of runs: a person decides
)

// insideRule says what is allowed inside a run for the run's own spec, and for other specs or in general.
type insideRule struct{ own, other permission }

// insideRules is the only place that decides what an agent may do inside a run. Reading is always allowed.
func insideRules() map[string]insideRule {
	return map[string]insideRule{
		"update":   {inCopy, asPerson},
		"check":    {inCopy, asPerson},
		"finalize": {inCopy, asPerson}, // only checks whether the copy would pass
		"report":   {inCopy, asPerson}, // that the run fails, by its agent
		"task":     {inCopy, asPerson}, // boxes of a list that no spec has, in the worktree
		"comment":  {inCopy, allowed},
		"verify":   {inCopy, asPerson},  // its results are not recorded inside a run
		"attest":   {refused, asPerson}, // evidence as a file, which chant would write where the agent cannot
		"prove":    {refused, asPerson}, // it runs commands of any spec
		"drift":    {refused, allowed},
		"edit":     {refused, asPerson},
		"open":     {refused, asPerson}, // the editor of a person
		"derive":   {refused, asPerson},
		"complete": {refused, asPerson}, // a driver whose members are completed
		"work":     {refused, asPerson},
		"sprint":   {refused, asPerson}, // which tasks a sprint has, and its plan
		"pause":    {refused, asPerson},
		"takeover": {refused, asPerson},
		"status":   {refused, asPerson}, // update with a status; the run's own copy is under update
		"loosen":   {refused, asPerson}, // an edit that weakens the requirements of a spec
		"waive":    {refused, asPerson}, // work without an approval
		"answer":   {refused, asPerson}, // questions of agents
		"approve":  {refused, asPerson},
		"reject":   {refused, asPerson},
		"review":   {refused, asPerson}, // comments of people, by which the next agent works
		"undo":     {refused, asPerson}, // decisions of people
		"archive":  {refused, asPerson},
		"adopt":    {refused, asPerson}, // folders of features, which become specs
		"import":   {refused, asPerson}, // tasks of other tools, which become specs
		"cancel":   {refused, asPerson},
		"command":  {refused, asPerson}, // new commands, and registries of them, which other agents will read
		"merge":    {refused, asPerson},
		"queue":    {refused, asPerson}, // what lands first, and what does not
		"reset":    {refused, asPerson},
		"split":    {refused, asPerson},
		"plan":     {refused, asPerson}, // it starts agents, and makes specs
		"flag":     {refused, asPerson}, // drift that changes statuses
		"hooks":    {refused, asPerson},
		"key":      {refused, asPerson}, // keys whose evidence is believed
		"site":     {refused, asPerson}, // it writes files outside of the worktree
		"deinit":   {refused, asPerson}, // the project itself
		"serve":    {refused, asPerson}, // its pages act as the person who started it
		"board":    {refused, asPerson}, // a screen for a person, with keys for all of this
		"fleet":    {refused, asPerson}, // other machines, and what they work on
		"watch":    {refused, asPerson}, // it would outlive the run and start others
	}
}

// InsideCommands lists the commands of chant that the agent of a run may have run for it outside of its wall. What they
// may do there, insideRules decides.
func InsideCommands() []string {
	return []string{
		"mcp",
		"add", "ask", "check", "update", "finalize", "task", "feature", "hook",
		"list", "ready", "show", "search", "status", "log", "deps", "diff", "activity", "diagnose", "lint", "drift", "verify", "prep", "prompt", "command",
		"index", "code", "docs", "research", "whoami",
	}
}

// MayInside refuses what insideRules does not allow inside a run. id is the spec in question, "" for none.
func MayInside(p *Project, act, id string) error {
	rule, known := insideRules()[act]
	switch {
	// An action without a rule is refused rather than allowed.
	case !known:
		return fmt.Errorf("no rule says whether an agent may %q inside a run", act)
	case rule.other == asPerson:
		return refuseInsideRun(p, id)
	case callerInside(p, id):
		return RefusedInside(id)
	}
	return nil
}

// AppliesToOwnCopy reports whether the caller is inside the spec's run, and the action applies to the copy in its worktree.
func AppliesToOwnCopy(p *Project, act, id string) bool {
	return insideRules()[act].own == inCopy && callerInside(p, id)
}
