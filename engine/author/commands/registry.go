package commands

import (
	"context"
	"errors"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt/library"
	"chant/engine/spec/next"
)

// RegistryInput says whose registry is written.
type RegistryInput struct {
	Agent  string `json:"agent,omitempty" jsonschema:"Agent name (default climpt)"`
	DryRun bool   `json:"dry_run,omitempty" jsonschema:"Only report what would change"`
	Prune  bool   `json:"prune,omitempty" jsonschema:"Leave out commands that have no prompt"`
}

// RegistryResult says what was written.
type RegistryResult struct {
	Agent    string   `json:"agent"`
	Path     string   `json:"path"`
	Commands int      `json:"commands"`
	Written  bool     `json:"written"` // false if nothing changes, and for a dry run
	Added    []string `json:"added,omitempty"`
	Changed  []string `json:"changed,omitempty"`
	Removed  []string `json:"removed,omitempty"`  // they have no prompt
	Orphaned []string `json:"orphaned,omitempty"` // they have no prompt, and are kept
	Warnings []string `json:"warnings,omitempty"`
}

// Registry writes the registry of an agent anew, from the front matter of its prompts. Commands without a prompt are
// kept, unless they are to be pruned. Errors: Invalid with *library.RegistryError for a registry that cannot be read;
// NotFound for an agent without prompts; Conflict for a registry that is written meanwhile.
func Registry(ctx context.Context, p *engine.Project, in RegistryInput) (RegistryResult, error) {
	if err := engine.MayInside(p, "command", ""); err != nil {
		return RegistryResult{}, err
	}
	// A dry run writes nothing, so it needs no lock.
	if in.DryRun {
		return in.write(ctx, p)
	}
	var r RegistryResult
	err := withLock(ctx, p, "command registry", func() error {
		var err error
		r, err = in.write(ctx, p)
		return err
	})
	return r, err
}

// write writes the registry, unless nothing changes or it is a dry run.
func (in RegistryInput) write(ctx context.Context, p *engine.Project) (RegistryResult, error) {
	file, err := library.OpenRegistry(p, in.Agent)
	if bad, ok := errors.AsType[*library.RegistryError](err); ok {
		// The file may have entries that a person can still save.
		e := engine.Fail(engine.Invalid, next.Shell("mv %s %s.broken", bad.Path, bad.Path), "the registry cannot be read, and is not replaced: %s", bad)
		e.Err = bad
		return RegistryResult{}, e
	}
	if err != nil {
		return RegistryResult{}, toEngineError(err)
	}
	prompts, warnings, err := library.Prompts(ctx, p, in.Agent)
	if err != nil {
		return RegistryResult{}, toEngineError(err)
	}
	r := RegistryResult{Agent: file.Agent, Path: file.Path, Warnings: warnings}
	merged, err := r.merge(file.Registry, prompts, in.Prune)
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	r.Commands = len(merged.Commands)
	src, err := merged.Format()
	if err != nil {
		return r, engine.Wrap(err, "")
	}
	// The file keeps its bytes and its time.
	if in.DryRun || string(src) == file.Source {
		return r, nil
	}
	r.Written = true
	return engine.Done(r, file.Write(p, src), "")
}

// merge returns the registry that has the commands of the prompts, in their order, and those of the old one that have
// no prompt. What says the same stays as it is.
func (r *RegistryResult) merge(old climpt.Registry, prompts []climpt.Command, prune bool) (climpt.Registry, error) {
	merged := old
	merged.Commands = nil
	before := map[climpt.Name]climpt.Command{}
	for _, c := range old.Commands {
		// The first record of a name counts.
		if _, twice := before[c.Name]; !twice {
			before[c.Name] = c
		}
	}
	made := map[climpt.Name]bool{}
	for _, c := range prompts {
		made[c.Name] = true
		was, known := before[c.Name]
		full, err := was.Load(r.Path)
		switch {
		case err != nil:
		case !known:
			r.Added = append(r.Added, c.String())
		// What says the same stays as it is, with its own form.
		case full.Same(c):
			c = was
		default:
			r.Changed = append(r.Changed, c.String())
			// Other keys of the old record are kept.
			c, err = c.MergeInto(was)
		}
		if err != nil {
			return merged, err
		}
		merged.Commands = append(merged.Commands, c)
	}
	seen := map[climpt.Name]bool{}
	for _, c := range old.Commands {
		switch first := !seen[c.Name]; {
		case made[c.Name] && first:
			seen[c.Name] = true
		// A second record, which only the registry can have.
		case made[c.Name]:
			merged.Commands = append(merged.Commands, c)
		case prune:
			r.Removed = append(r.Removed, c.String())
		default:
			r.Orphaned = append(r.Orphaned, c.String())
			merged.Commands = append(merged.Commands, c)
		}
	}
	return merged, nil
}
