package prompt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// variable matches a name between double braces, with blanks around it, and the blocks that other
// template languages write there.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{[ \t]*([#/]?[A-Za-z][A-Za-z0-9_.]*)(?:[ \t][^{}\r\n]*)?\}\}`)
})

// Fill replaces variables by their values. A variable without a value stays as it is, and the values are not searched
// for variables.
func Fill(text string, values map[string]string) string {
	var out strings.Builder
	at := 0
	for _, use := range uses(text) {
		value, known := values[use.name]
		if !known || !use.plain {
			continue
		}
		out.WriteString(text[at:use.start])
		out.WriteString(value)
		at = use.end
	}
	out.WriteString(text[at:])
	return out.String()
}

// use is a place in a text that names a variable.
type use struct {
	name       string
	start, end int
	plain      bool // only the name is between the braces
}

// uses lists the places that name a variable or a block, in order.
func uses(text string) []use {
	var out []use
	for _, m := range variable().FindAllStringSubmatchIndex(text, -1) {
		u := use{name: text[m[2]:m[3]], start: m[0], end: m[1]}
		u.plain = strings.TrimSpace(strings.Trim(text[u.start:u.end], "{}")) == u.name
		out = append(out, u)
	}
	return out
}

// Use is a name in a prompt that no variable has.
type Use struct {
	Name string // as it is between the braces
	Line int    // of the prompt's file
}

// Unknown lists the names in a prompt that chant does not fill in, in the order of the file, without those in the
// prompt that it extends. `${{ github.ref }}` is for another program.
func (p Prompt) Unknown() []Use {
	var out []Use
	for _, u := range uses(p.body) {
		if u.start > 0 && p.body[u.start-1] == '$' {
			continue
		}
		if u.plain && slices.ContainsFunc(Variables(), func(v Variable) bool { return v.Name == u.name }) {
			continue
		}
		out = append(out, Use{strings.TrimSpace(strings.Trim(p.body[u.start:u.end], "{}")), p.lineOf(u.start)})
	}
	return out
}

// Variable is a variable of prompts, with its meaning.
type Variable struct{ Name, Text string }

// Variables lists all variables. One that has no value where a prompt is used is empty there.
func Variables() []Variable {
	return []Variable{
		{"project.name", "The name of the project."},
		{"spec", "Id, text and target files of the spec in one."},
		{"spec.id", "The id of the spec."},
		{"spec.title", "Its title."},
		{"spec.type", "Its type, such as code or research."},
		{"spec.model", "The model that works at it, empty where the agent chooses."},
		{"spec.description", "Its text without the discussion of its approval."},
		{"spec.quoted", "The same in a fence that nothing in it can close."},
		{"spec.path", "The file of the spec that the agent reads and ticks."},
		{"spec.target_files", "Its target files, one a line."},
		{"spec.criteria", "Its acceptance criteria, with who says whether each holds."},
		{"spec.checks", "The commands that its criteria and `verify` run when the agent is done, in order."},
		{"spec.context", "The files under its key `context`, each quoted behind its path."},
		{"judge.criteria", "The criteria that are to be judged, with the ids for the answer."},
		{"conflict.files", "The files in which branch and target conflict, one a line."},
		{"target", "The branch that the work lands on."},
		{"worktree.path", "The folder that the agent works in."},
		{"worktree.branch", "The branch of the run."},
		{"worktree.isolated", "true in a worktree of its own, false in a person's."},
		{"attempt", "The number of the attempt, from 1."},
		{"attempt.reason", "Why the last attempt failed, empty for the first."},
		{"attempt.note", "The same as an entry of a list, with what the commands that failed have printed."},
	}
}
