package commands

import (
	"encoding/json"

	"chant/engine/author/commands"
	"chant/engine/spec/next"
	"chant/mcp/toolset"

	"github.com/google/jsonschema-go/jsonschema"
)

// instructions describe to a model how commands are used.
const instructions = `Commands are prompts for recurring work, each with a name of three words: c1 (domain), c2 (action), c3 (target).
Find one with climpt_search in your own words, compare score and description, read what it takes with climpt_describe, and get its text with climpt_execute.
climpt_execute carries out nothing: follow the text that it returns.`

// Set is the toolset "commands".
func Set() toolset.Set {
	return toolset.Set{
		Name: "commands", About: "prompts found by asking for them, for clients of climpt", Instructions: instructions,
		Standalone: toolset.Standalone{Server: "climpt", Prefix: "climpt_"},
		Tools: []toolset.Tool{
			{
				Name: "climpt_search", Title: "Search commands", Effect: toolset.Reads, ArgsOptional: true, ProjectOptional: true, NextOp: next.CommandFind,
				Text:    "Find commands by what you want to do, the most similar first. Score: 0.8 and above is very similar, below 0.2 almost unrelated",
				Params:  []toolset.Param{nonEmptyParam("query"), agent(), {Name: "limit"}},
				Op:      toolset.WithText(commands.Search, searchText),
				Failure: failure("query parameter is required and must be a string", "query"),
			},
			{
				Name: "climpt_describe", Title: "Describe command", Effect: toolset.Reads, ArgsOptional: true, ProjectOptional: true,
				Text:    "Read what a command does and which options and variables it takes",
				Params:  []toolset.Param{agent(), nonEmptyParam("c1"), nonEmptyParam("c2"), nonEmptyParam("c3")},
				Op:      toolset.WithText(commands.Describe, describeText),
				Failure: failure("c1, c2, and c3 parameters are all required", "c1", "c2", "c3"),
			},
			{
				Name: "climpt_execute", Title: "Get the prompt of a command", Effect: toolset.Reads, ArgsOptional: true, ProjectOptional: true,
				Text:     "Return the prompt of a command with its options filled in. Nothing is carried out: follow the prompt",
				Params:   []toolset.Param{nonEmptyParam("agent"), nonEmptyParam("c1"), nonEmptyParam("c2"), nonEmptyParam("c3"), {Name: "options", Refine: anyForm}},
				TextOnly: true, Op: toolset.WithText(commands.Execute, executeText),
				Failure: failure("agent, c1, c2, and c3 parameters are all required", "agent", "c1", "c2", "c3"),
			},
			{
				Name: "climpt_reload", Title: "Reload commands", Effect: toolset.Reads, ArgsOptional: true, ProjectOptional: true,
				Text:    "Read the commands of an agent anew, of all agents if none is named. Changed files are noticed without it, too",
				Params:  []toolset.Param{{Name: "agent"}},
				Op:      toolset.Operation(commands.Reload),
				Failure: failure(""),
			},
		},
	}
}

// nonEmptyParam is a parameter for which an empty text is as good as none.
func nonEmptyParam(name string) toolset.Param {
	minLength := 1
	return toolset.Param{Name: name, Refine: func(s *jsonschema.Schema) { s.MinLength = &minLength }}
}

// agent is the agent of a command where it may be left out.
func agent() toolset.Param {
	return toolset.Param{Name: "agent", Text: "Agent name", Refine: func(s *jsonschema.Schema) { s.Default = json.RawMessage(`"climpt"`) }}
}

// anyForm lets options be an object, as climpt's documents have them, or what its server takes: a list of the words of
// a command line. One line of them is accepted, too.
func anyForm(s *jsonschema.Schema) {
	s.Types = []string{"object", "array", "string"}
	s.Items = &jsonschema.Schema{Type: "string"}
	s.Default = json.RawMessage(`{}`)
}
