package prompts

import (
	"context"
	"slices"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/author/commands"
	"chant/engine/prompt"
	"chant/engine/prompt/library"
	"chant/engine/prompt/template"
)

// all are the prompts of a project, sorted by name. What is wrong with its commands is logged.
func (s *Server) all(ctx context.Context, p *engine.Project) ([]entry, error) {
	own, err := author.Prompts(ctx, p, author.PromptsInput{})
	if err != nil {
		return nil, err
	}
	var out []entry
	for _, each := range own.Prompts {
		// It is for the agent that plans, which chant starts.
		if each.Name != prompt.Plan {
			out = append(out, ownEntry(each))
		}
	}
	for _, each := range skillEntries() {
		// A prompt of the project goes before one of chant.
		if !slices.ContainsFunc(out, func(e entry) bool { return e.name == each.name }) {
			out = append(out, each)
		}
	}
	return distinctNames(append(out, s.commands(ctx, p)...)), nil
}

// commands are the commands of a project besides the prompts that specs are worked with.
func (s *Server) commands(ctx context.Context, p *engine.Project) []entry {
	agents, err := library.Agents(p)
	if err != nil {
		s.Log.Printf("prompts: %v", err)
		return nil
	}
	var out []entry
	for _, agent := range agents {
		r, err := commands.List(ctx, p, commands.ListInput{Agent: agent, Brief: true})
		if err != nil {
			s.Log.Printf("prompts: %v", err)
			continue
		}
		out = slices.Grow(out, len(r.Commands))
		for i := range r.Commands {
			each := &r.Commands[i]
			// Of several records with one name the first counts.
			if each.Source != library.FromChant && (i == 0 || each.Name != r.Commands[i-1].Name) {
				e := commandEntry(agent, each)
				if each.Source == library.FromTemplate {
					e.optional = optionalVariables(p, each.C3)
				}
				out = append(out, e)
			}
		}
	}
	return out
}

// optionalVariables are the variables without which a spec can be added from a template; none where it cannot be read.
func optionalVariables(p *engine.Project, name string) []string {
	var out []string
	t, err := template.Find(p, name)
	if err != nil {
		// Rendering reports what is wrong.
		return nil
	}
	for _, v := range t.Variables {
		if !v.Needed() {
			out = append(out, v.Name)
		}
	}
	return out
}

// find returns the prompt with a name. Errors: those of author.Prompt for an unknown one.
func (s *Server) find(ctx context.Context, p *engine.Project, name string) (entry, error) {
	known, err := s.all(ctx, p)
	if err != nil {
		return entry{}, err
	}
	for _, e := range known {
		if e.name == name {
			return e, nil
		}
	}
	// A prompt may have been added meanwhile, and its absence has its own error.
	got, err := author.Prompt(ctx, p, author.PromptInput{Name: name})
	return entry{name: name, description: got.Purpose, own: true}, err
}
