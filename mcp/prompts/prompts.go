// Package prompts answers the requests of MCP about prompts: their list, one of them with its arguments filled in, and
// completions of the arguments. Hosts show prompts as slash commands.
//
// # Rules
//
//   - The prompts that specs are worked with have their own names. Every other command is c1_c2_c3. A name is looked up
//     among those of all prompts and never taken apart, since words may contain "_".
//   - The skills that init writes for agents are prompts, too, for hosts that read no skills. A prompt of the project with the
//     name of one goes before it.
//   - A command is rendered as by the tool climpt_execute, a prompt that specs are worked with as by `chant prompt`.
//   - What is wrong with the commands of an agent is logged, and the other prompts are listed.
package prompts

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/author/commands"
	"chant/engine/format/agentfile"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Server answers requests about prompts.
type Server struct {
	Project func(context.Context) (*engine.Project, error) // opens the project for one request
	Log     *log.Logger                                    // for failures that a reply cannot report
}

// prompting is the one prompt that the library knows. It represents those of the
// project, which come and go while the server runs.
const prompting = "prompt"

// namedArgument is the argument in which the requested name passes through the library; arguments of clients with this
// name are dropped.
const namedArgument = "\x00name"

// Add makes the library answer prompts/get by way of Lead.
func (s *Server) Add(core *mcpserver.MCPServer) {
	core.AddPrompt(mcpgo.Prompt{Name: prompting}, s.get)
}

// List fills in one page of the list in place of the library's.
func (s *Server) List(ctx context.Context, _ any, m *mcpgo.ListPromptsRequest, r *mcpgo.ListPromptsResult) {
	r.Prompts = r.Prompts[:0]
	p, err := s.Project(ctx)
	var known []entry
	if err == nil {
		known, err = s.all(ctx, p)
	}
	if err != nil {
		s.Log.Printf("prompts/list: %v", err)
		return
	}
	known, r.NextCursor = Page(known, m.Params.Cursor, func(e entry) string { return e.name }, strings.Compare)
	for _, e := range known {
		shown := mcpgo.Prompt{Name: e.name, Title: e.title, Description: e.description}
		for _, a := range e.arguments() {
			shown.Arguments = append(shown.Arguments, a.PromptArgument)
		}
		r.Prompts = append(r.Prompts, shown)
	}
}

// Lead leads a request to the prompt that represents all, and passes on the
// name.
func Lead(_ context.Context, _ any, m *mcpgo.GetPromptRequest) {
	args := map[string]string{namedArgument: m.Params.Name}
	for k, v := range m.Params.Arguments {
		// The client must not choose the name that passes through the library.
		if k != namedArgument {
			args[k] = v
		}
	}
	m.Params.Name, m.Params.Arguments = prompting, args
}

// get returns a prompt with its arguments filled in.
func (s *Server) get(ctx context.Context, r mcpgo.GetPromptRequest) (*mcpgo.GetPromptResult, error) {
	name, given := r.Params.Arguments[namedArgument], r.Params.Arguments
	delete(given, namedArgument)
	p, err := s.Project(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.find(ctx, p, name)
	if err != nil {
		return nil, err
	}
	options, missing, unknown := found.options(given)
	switch {
	case unknown != "":
		return nil, &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("prompts take no argument %q", unknown)}
	case missing != "":
		return nil, &engine.Error{Code: engine.Usage, Message: fmt.Sprintf("prompt %q requires the argument %q", name, missing)}
	}
	render := renderCommand
	switch {
	case found.own:
		render = renderOwn
	case found.skill != "":
		render = renderSkill
	}
	text, err := render(ctx, p, found, options)
	if err != nil {
		return nil, err
	}
	return mcpgo.NewGetPromptResult(found.description, []mcpgo.PromptMessage{
		mcpgo.NewPromptMessage(mcpgo.RoleUser, mcpgo.NewTextContent(text)),
	}), nil
}

// renderOwn is the text of a prompt that specs are worked with, filled in if a spec is named.
func renderOwn(ctx context.Context, p *engine.Project, e entry, options map[string]string) (string, error) {
	if id := options["spec"]; id != "" {
		filled, err := author.RenderPrompt(ctx, p, author.RenderPromptInput{Prompt: e.name, ID: id})
		return filled.Text, err
	}
	got, err := author.Prompt(ctx, p, author.PromptInput{Name: e.name})
	return got.Text, err
}

// renderSkill is the text of a skill, with what it is about.
func renderSkill(_ context.Context, _ *engine.Project, e entry, options map[string]string) (string, error) {
	text, err := agentfile.Instructions(e.skill)
	return text + "\n## " + e.asks.Description + "\n\n" + options[e.asks.option] + "\n", err
}

// renderCommand is the text of a command.
func renderCommand(ctx context.Context, p *engine.Project, e entry, options map[string]string) (string, error) {
	raw, err := json.Marshal(options)
	if err != nil {
		return "", err
	}
	c := e.command.Name
	done, err := commands.Execute(ctx, p, commands.ExecuteInput{Agent: e.agent, C1: c.C1, C2: c.C2, C3: c.C3, Options: raw})
	return done.Text, err
}
