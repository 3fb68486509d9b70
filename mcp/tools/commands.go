package tools

import (
	"encoding/json"

	"chant/engine/author/commands"
	"chant/engine/spec/next"
	"chant/mcp/toolset"

	"github.com/google/jsonschema-go/jsonschema"
)

// This file contains the toolset "commands": prompts that an agent finds by asking in its own words, reads about, and
// gets rendered, for clients that were written for the MCP server of climpt.
//
// It contains rows, texts and the errors that those clients know. It decides nothing about commands and renders
// nothing.
//
// Rules:
//
//   - The text of a reply has the form of climpt's documents: an array of results, the record of one command, the
//     prompt. The structured content has the result of the operation; of climpt_execute the metadata has it.
//   - Every failure is an object with the key error, with isError. Its text contains nothing else; the next step, where
//     there is one, is a text of its own behind it.
//
// Decisions:
//
// 2026-11-23: agent is required where a command is executed, as climpt's documents say, and optional elsewhere.
// Rejected: assuming climpt there, because clients expect an error for a call without an agent.
//
// 2026-11-23: the next step is a text behind the error object. Rejected: a key of the object, whose keys clients know.
//
// 2026-11-23: climpt_execute has no structured content. Hosts show that to their models in place of the text, and a
// prompt as an escaped string is harder to follow. Rejected: both.
//
// 2026-11-23: a parameter that no tool takes is refused, as in all toolsets but the one with a dialect. Rejected:
// ignoring it as climpt does, which hides a misspelt option.

// commandInstructions describe to a model how commands are used.
const commandInstructions = `Commands are prompts for recurring work, each with a name of three words: c1 (domain), c2 (action), c3 (target).
Find one with climpt_search in your own words, compare score and description, read what it takes with climpt_describe, and get its text with climpt_execute.
climpt_execute carries out nothing: follow the text that it returns.`

// Commands is the toolset "commands".
func Commands() toolset.Set {
	return toolset.Set{
		Name: "commands", About: "prompts found by asking for them, for clients of climpt", Instructions: commandInstructions,
		Standalone: toolset.Standalone{Server: "climpt", Prefix: "climpt_"},
		Tools: []toolset.Tool{
			{
				Name: "climpt_search", Title: "Search commands", Effect: toolset.Reads, NextOp: next.CommandFind,
				Text:    "Find commands by what you want to do, the most similar first. Score: 0.8 and above is very similar, below 0.2 almost unrelated",
				Params:  []toolset.Param{nonEmptyParam("query"), agent(), {Name: "limit"}},
				Op:      toolset.WithText(commands.Search, searchText),
				Foreign: foreign(commandFailure("query parameter is required and must be a string", "query")),
			},
			{
				Name: "climpt_describe", Title: "Describe command", Effect: toolset.Reads,
				Text:    "Read what a command does and which options and variables it takes",
				Params:  []toolset.Param{agent(), nonEmptyParam("c1"), nonEmptyParam("c2"), nonEmptyParam("c3")},
				Op:      toolset.WithText(commands.Describe, describeText),
				Foreign: foreign(commandFailure("c1, c2, and c3 parameters are all required", "c1", "c2", "c3")),
			},
			{
				Name: "climpt_execute", Title: "Get the prompt of a command", Effect: toolset.Reads,
				Text:    "Return the prompt of a command with its options filled in. Nothing is carried out: follow the prompt",
				Params:  []toolset.Param{nonEmptyParam("agent"), nonEmptyParam("c1"), nonEmptyParam("c2"), nonEmptyParam("c3"), {Name: "options", Refine: anyForm}},
				Op:      toolset.WithText(commands.Execute, executeText),
				Foreign: textOnly(commandFailure("agent, c1, c2, and c3 parameters are all required", "agent", "c1", "c2", "c3")),
			},
			{
				Name: "climpt_reload", Title: "Reload commands", Effect: toolset.Reads,
				Text:    "Read the commands of an agent anew, of all agents if none is named. Changed files are noticed without it, too",
				Params:  []toolset.Param{{Name: "agent"}},
				Op:      toolset.Operation(commands.Reload),
				Foreign: foreign(commandFailure("")),
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

// foreign is what clients of climpt and of rstn expect of every tool.
func foreign(failure func(error, string) (toolset.Failure, bool)) toolset.Foreign {
	return toolset.Foreign{ArgsOptional: true, ProjectOptional: true, Failure: failure}
}

// textOnly is foreign for a tool whose text is all that a model should see.
func textOnly(failure func(error, string) (toolset.Failure, bool)) toolset.Foreign {
	out := foreign(failure)
	out.TextOnly = true
	return out
}
