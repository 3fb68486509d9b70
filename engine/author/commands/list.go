package commands

import (
	"context"
	"path"
	"slices"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt/library"
)

// ListInput says whose commands are listed.
type ListInput struct {
	Agent  string `json:"agent,omitempty" jsonschema:"Agent name (default climpt)"`
	Domain string `json:"domain,omitempty" jsonschema:"Only commands with this domain identifier"`
	Brief  bool   `json:"brief,omitempty" jsonschema:"Do not look at the prompts"`
}

// ListResult lists commands by name.
type ListResult struct {
	Agent    string   `json:"agent"`
	Registry string   `json:"registry,omitempty"` // the file; none if the commands are described by their prompts
	Commands []Listed `json:"commands"`
	engine.Page
	Warnings []string `json:"warnings,omitempty"` // entries that are left out, with their places
}

// Listed is a command with where it comes from.
type Listed struct {
	climpt.Command
	Title        string         `json:"title,omitempty"`
	Source       library.Source `json:"source"`
	File         string         `json:"file,omitempty"`         // the prompt of the default edition
	Problem      string         `json:"problem,omitempty"`      // why it cannot be run
	Unregistered bool           `json:"unregistered,omitempty"` // the registry does not have it, so it is not found
}

// List lists the commands of an agent. Unless it is brief, it also looks at their prompts, and lists those that the
// registry does not have. Errors: NotFound and Invalid with *library.RegistryError.
func List(ctx context.Context, p *engine.Project, in ListInput) (ListResult, error) {
	l, err := library.Open(ctx, p, in.Agent)
	if err != nil {
		return ListResult{}, err
	}
	r := ListResult{Agent: l.Agent, Registry: l.Registry, Commands: []Listed{}, Warnings: l.Warnings}
	entries := l.Entries
	// Looking at the prompts reads each of their files.
	if !in.Brief {
		var more []string
		if entries, more, err = l.WithUnregistered(ctx, p); err != nil {
			return ListResult{}, toEngineError(err)
		}
		r.Warnings = slices.Concat(r.Warnings, more)
	}
	for _, e := range entries {
		if in.Domain != "" && e.C1 != in.Domain {
			continue
		}
		full, err := e.Load(l.Registry)
		row := Listed{Command: full, Title: e.Title, Source: e.Source, File: e.File, Unregistered: e.Unregistered}
		switch {
		case err != nil:
			row.Problem = err.Error()
		case !in.Brief:
			if text, err := l.Text(p, e.Name, variantOf(e)); err != nil {
				row.Problem = toEngineError(err).Error()
			} else {
				row.File = text.File
			}
		}
		r.Commands = append(r.Commands, row)
		// A registry may have many commands.
		if ctx.Err() != nil {
			return r, engine.Wrap(ctx.Err(), "")
		}
	}
	r.Page = engine.Whole(len(r.Commands))
	return r, nil
}

// variantOf is the variant of a command by which it is described.
func variantOf(e library.Entry) climpt.Given {
	edition, adaptation, ok := climpt.VariantOf(path.Base(e.File))
	if !ok || e.Source != library.FromPrompt {
		return climpt.Given{}
	}
	return climpt.Given{Edition: edition, Adaptation: adaptation}
}
