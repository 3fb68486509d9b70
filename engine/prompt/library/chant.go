package library

import (
	"cmp"
	"slices"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt"

	"chant/engine/prompt/template"
	"chant/engine/store"
)

// Domain is the first word of the commands of chant: its prompts, and the templates of specs.
const Domain = "spec"

// chantEntries describes the prompts of chant as commands, those of the project and the shipped ones.
func chantEntries(p *engine.Project) ([]Entry, error) {
	own, err := prompt.List(p)
	if err != nil {
		return nil, err
	}
	names := slices.Concat(own, prompt.ShippedNames())
	slices.Sort(names)
	var out []Entry
	for _, name := range slices.Compact(names) {
		if e, ok := chantEntry(p, name); ok {
			out = append(out, e)
		}
	}
	templates, err := templateEntries(p)
	return append(out, templates...), err
}

// templateEntries describes the templates of specs as commands. Those that cannot be used are left out.
func templateEntries(p *engine.Project) ([]Entry, error) {
	all, err := template.All(p)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, t := range all {
		e := Entry{Source: FromTemplate, template: t.Name, File: t.Path}
		e.Name = climpt.Name{C1: Domain, C2: "add", C3: t.Name}
		// One broken template does not hide the others.
		if t.Err != nil || e.Check() != nil {
			continue
		}
		e.Title, e.Description = t.Name, cmp.Or(t.Description, "Add a spec from the template "+t.Name)
		e.Options = &climpt.Options{Edition: []string{climpt.Default}}
		for _, v := range t.Variables {
			if climpt.CheckVariable(v.Name) == nil {
				e.Variables = append(e.Variables, climpt.Variable{Name: v.Name, Description: v.Description})
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// chantEntry describes a prompt of chant; false for one that cannot be read, or whose name cannot be a command's.
func chantEntry(p *engine.Project, name string) (Entry, bool) {
	found, err := prompt.Find(p, name, false)
	// One broken prompt does not hide the others.
	if err != nil {
		return Entry{}, false
	}
	e := Entry{Source: FromChant, prompt: name}
	e.Name = nameOf(found)
	e.Title, e.Description = found.Title, cmp.Or(found.Description, found.Title, name)
	e.Options = &climpt.Options{Edition: []string{climpt.Default}}
	if !found.Shipped {
		e.File = store.PromptsDir + "/" + name + ".md"
	}
	return e, e.Check() == nil
}

// nameOf is the name of a prompt as a command. A prompt of the project that names none has that of the shipped one
// which it replaces.
func nameOf(found prompt.Prompt) climpt.Name {
	named := climpt.Name{C1: found.C1, C2: found.C2, C3: found.C3}
	if named.Check() == nil {
		return named
	}
	// A project that replaces a shipped prompt keeps the command that its users know.
	if shipped, err := prompt.Shipped(found.Name); err == nil && !found.Shipped {
		return nameOf(shipped)
	}
	return climpt.Name{C1: Domain, C2: "work", C3: found.Name}
}
