package prompts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"chant/engine/author"
	"chant/engine/author/commands"
	"chant/engine/format/climpt"
	"chant/engine/prompt"
	"chant/engine/prompt/library"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// Arguments of prompts besides the variables of commands.
const (
	idArgument         = "id"
	textArgument       = "input_text"
	editionArgument    = "edition"
	adaptationArgument = "adaptation"
)

// entry is a prompt as clients see it: one that specs are worked with, a command, or a skill.
type entry struct {
	name, title, description string

	own     bool // a prompt that specs are worked with
	agent   string
	command *climpt.Command // nil for one that specs are worked with

	optional []string // variables that a template of specs does without

	skill string   // the file of a skill that the prompt is, "" for others
	asks  argument // what the skill is about
}

// skillEntries are the entries of the skills that begin something, with what they are about.
func skillEntries() []entry {
	about := func(name, text string) argument {
		return argument{mcpgo.PromptArgument{Name: name, Description: text, Required: true}, name}
	}
	return []entry{
		{name: "plan", title: "Plan an idea", description: "Have specs drafted for an idea, whose criteria can fail", skill: "plan.md", asks: about("idea", "What is wanted")},
		{name: "spec", title: "Write a spec", description: "Write one spec, with criteria that fail now", skill: "spec.md", asks: about("description", "What is to be done")},
	}
}

// ownEntry is the entry of a prompt that specs are worked with.
func ownEntry(p author.PromptInfo) entry {
	return entry{name: p.Name, description: p.Purpose, own: true}
}

// commandEntry is the entry of a command: its words joined by "_", behind its agent unless that is climpt.
func commandEntry(agent string, c *commands.Listed) entry {
	name := c.C1 + "_" + c.C2 + "_" + c.C3
	if agent != library.DefaultAgent {
		name = agent + "_" + name
	}
	return entry{name: name, title: c.Title, description: cmp.Or(c.Description, c.Title), agent: agent, command: &c.Command}
}

// distinctNames gives each entry a name of its own, since words may contain "_" themselves: what comes later and has a name
// that is taken gets a number. It returns the entries sorted by name.
func distinctNames(all []entry) []entry {
	taken := map[string]bool{}
	for i := range all {
		// Words may contain "_" themselves, so two commands can get one name.
		name := all[i].name
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", all[i].name, n)
		}
		taken[name], all[i].name = true, name
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return all
}

// argument is an argument of a prompt, and the option of a command that it is.
type argument struct {
	mcpgo.PromptArgument
	option string
}

// arguments are those that the prompt takes. A variable is required unless a spec supplies it or a template does
// without. One that has the name of another argument keeps the prefix that it has as an option. Required arguments are
// first, and the spec of a command last, because hosts take the words behind a slash command in this order.
func (e entry) arguments() []argument {
	if e.skill != "" {
		return []argument{e.asks}
	}
	var out []argument
	add := func(name, option, text string, required bool) {
		// A variable with the name of another argument keeps the prefix that it has as an option.
		if slices.ContainsFunc(out, func(a argument) bool { return a.Name == name }) {
			name = option
		}
		out = append(out, argument{mcpgo.PromptArgument{Name: name, Description: text, Required: required}, option})
	}
	add(idArgument, "spec", "Spec ID (full or partial) to fill it in for", false)
	if e.own {
		return out
	}
	c := e.command
	if c.TakesStdin() {
		add(textArgument, "stdin", "Text that the prompt is about", false)
	}
	if c.TakesFile() {
		add("file", "file", "Path of the file that the prompt is about", false)
	}
	if c.TakesDestination() {
		add("destination", "destination", "Path for what the prompt produces", false)
	}
	for _, kind := range []struct {
		name  string
		known []string
	}{{editionArgument, c.Editions()}, {adaptationArgument, c.Adaptations()}} {
		if choice(kind.known) {
			add(kind.name, kind.name, "One of "+strings.Join(kind.known, ", "), false)
		}
	}
	for _, v := range c.Variables {
		option := "uv-" + v.Name
		supplied := slices.ContainsFunc(prompt.SpecNames(), func(n prompt.SpecName) bool { return n.Name == option })
		add(v.Name, option, v.Description, !supplied && !slices.Contains(e.optional, v.Name))
	}
	// Hosts take the words behind a slash command in this order, so the spec of a command is last.
	out = append(out[1:], out[0])
	// Required arguments come first for the same reason.
	slices.SortStableFunc(out, func(a, b argument) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return out
}

// choice reports whether there is anything to choose between.
func choice(known []string) bool {
	return len(known) > 1 || len(known) == 1 && known[0] != climpt.Default
}

// options makes the options of a command from the arguments of a request. missing is a required argument that the
// request does not have, unknown one that the prompt does not take; "" if there is none. An empty
// argument counts as missing.
func (e entry) options(given map[string]string) (options map[string]string, missing, unknown string) {
	options = map[string]string{}
	known := map[string]bool{}
	for _, a := range e.arguments() {
		known[a.Name] = true
		if value := given[a.Name]; value != "" {
			options[a.option] = value
		} else if a.Required && missing == "" {
			missing = a.Name
		}
	}
	for name := range given {
		// The first by name, so that the error does not depend on the order of a map.
		if !known[name] && (unknown == "" || name < unknown) {
			unknown = name
		}
	}
	return options, missing, unknown
}
