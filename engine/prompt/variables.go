package prompt

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// variable matches a name between double braces, with blanks around it, and the blocks that other template languages
// write there; and a name of climpt between single braces, without blanks.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{[ \t]*([#/]?[A-Za-z_][A-Za-z0-9_.-]*)(?:[ \t][^{}\r\n]*)?\}\}` +
		`|\{(input_text|input_text_file|destination_path|uv-[A-Za-z0-9_.-]+)\}`)
})

// Fill replaces variables by their values: {{name}} for every name, and {name} for the names of climpt (input_text,
// input_text_file, destination_path and those that begin with "uv-"). The keys of values are names without braces. A
// variable without a value stays as it is, and the values are not searched for variables.
func Fill(text string, values map[string]string) string {
	var out strings.Builder
	at := 0
	for _, use := range uses(text) {
		value, known := values[use.name]
		// Braces that belong to code or to another template language stay as they are.
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

// Names lists the variables that a text uses, each once, in the order of the text. It includes names that no variable
// has.
func Names(text string) []string {
	var out []string
	for _, u := range uses(text) {
		if u.plain && !slices.Contains(out, u.name) {
			out = append(out, u.name)
		}
	}
	return out
}

// use is a place in a text that names a variable.
type use struct {
	name       string
	start, end int
	plain      bool // only the name is between the braces
}

// uses lists the places that name a variable or a block, in order. `${uv-x}` is not one of them.
func uses(text string) []use {
	var out []use
	for _, m := range variable().FindAllStringSubmatchIndex(text, -1) {
		u := use{start: m[0], end: m[1]}
		if m[2] >= 0 {
			u.name = text[m[2]:m[3]]
			u.plain = strings.TrimSpace(strings.Trim(text[u.start:u.end], "{}")) == u.name
		} else {
			u.name, u.plain = text[m[4]:m[5]], true
			// A shell reads `${uv-x}` itself.
			if u.start > 0 && text[u.start-1] == '$' {
				continue
			}
		}
		out = append(out, u)
	}
	return out
}

// Use is a name in a text that no variable has.
type Use struct {
	Name string // as it is between the braces
	Line int
}

// String returns the name with the braces that belong to it.
func (u Use) String() string {
	if strings.HasPrefix(u.Name, uvPrefix) {
		return "{" + u.Name + "}"
	}
	return "{{" + u.Name + "}}"
}

// Unknown lists the names in a prompt that chant does not fill in, in the order of the file, without those in the
// prompt that it extends.
func (p Prompt) Unknown() []Use {
	out := UnknownIn(p.body, isKnown)
	for i := range out {
		// Lines are those of the file, whose front matter the body does not have.
		out[i].Line += p.from - 1
	}
	return out
}

// UnknownIn lists the names in a text that are not known, in the order of the text. Lines are counted from 1.
func UnknownIn(text string, known func(name string) bool) []Use {
	var out []Use
	line, at := 1, 0
	for _, u := range uses(text) {
		line, at = line+strings.Count(text[at:u.start], "\n"), u.start
		// `${{ github.ref }}` is for another program.
		if u.start > 0 && text[u.start-1] == '$' || u.plain && known(u.name) {
			continue
		}
		out = append(out, Use{strings.TrimSpace(strings.Trim(text[u.start:u.end], "{}")), line})
	}
	return out
}

// isKnown reports whether a name may have a value.
func isKnown(name string) bool {
	if strings.HasPrefix(name, uvPrefix) {
		// An option of a command may have any name; only those for fields of a spec are known.
		return !meansSpec(name) || slices.ContainsFunc(SpecNames(), func(n SpecName) bool { return n.Name == name })
	}
	return isCallName(name) || slices.ContainsFunc(Variables(), func(v Variable) bool { return v.Name == name })
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

// uvPrefix begins the names of a command's own variables.
const uvPrefix = "uv-"

// SpecName is a name that the prompt of a command may use for a field of the spec that it is rendered for.
type SpecName struct {
	Name     string // without braces
	Variable string // the variable of Variables with the same value
}

// SpecNames lists the names of climpt that a spec supplies.
func SpecNames() []SpecName {
	return []SpecName{
		{"input_text", "spec.description"},
		{"input_text_file", "spec.path"},
		{"destination_path", "worktree.path"},
		{"uv-spec_id", "spec.id"},
		{"uv-spec_title", "spec.title"},
		{"uv-spec_type", "spec.type"},
		{"uv-spec_body", "spec.description"},
		{"uv-spec_quoted", "spec.quoted"},
		{"uv-spec_path", "spec.path"},
		{"uv-spec_target_files", "spec.target_files"},
		{"uv-spec_criteria", "spec.criteria"},
		{"uv-spec_checks", "spec.checks"},
		{"uv-spec_context", "spec.context"},
	}
}

// AddSpecNames adds the names of SpecNames to the values of the variables that they equal.
func AddSpecNames(values map[string]string) {
	for _, n := range SpecNames() {
		if value, ok := values[n.Variable]; ok {
			values[n.Name] = value
		}
	}
}

// isCallName reports whether a name is one that each call of a command may set.
func isCallName(name string) bool {
	return slices.Contains([]string{"input_text", "input_text_file", "destination_path"}, name)
}

// meansSpec reports whether a name is for a field of a spec, also with another separator than the right one.
func meansSpec(name string) bool {
	after, ok := strings.CutPrefix(name, uvPrefix+"spec")
	return ok && after != "" && strings.ContainsRune("_-.", rune(after[0]))
}
