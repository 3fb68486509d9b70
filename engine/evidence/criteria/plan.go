package criteria

import (
	"slices"

	"chant/engine/spec"
)

// Source says where an item comes from.
type Source string

// The sources.
const (
	FromCriteria Source = "criterion"
	FromSpec     Source = "spec"    // the key `verify` of the spec
	FromProject  Source = "project" // `verify.defaults` of config.md, and the rules of the project
)

// Item is one thing that must hold.
type Item struct {
	ID      string // of a criterion in the spec
	Number  int    // 1-based
	Text    string
	Source  Source
	Line    int    // of a criterion
	Checked bool   // its box, as it is now
	Guard   bool   // the spec says that it holds before the work
	Added   bool   // not one of the start commit: an agent may have written it
	Red     bool   // its commands must fail: they are tests of what another spec is to do
	Steps   []Step // what to run, in order; with none the box decides
	Tell    string // of a held-out criterion: what the next agent may know when it fails
	Rule    string // the file of rules that asks for it, "" if something else does
}

// Step is one command and how it runs.
type Step struct {
	Line    string
	Options spec.CommandOptions
	Of      Source
}

// Plan is what must hold for a spec, and how it is judged.
type Plan struct {
	Items     []Item
	Variables map[string]string // what the settings add to the environment, unresolved
	Parallel  bool              // items run side by side
	HeldOut   bool              // nothing of the items is announced or cached
}

// PlanFor lists what must hold for a spec: the criteria of start, further criteria of now,
// the commands of start for the whole spec, and those of the project and of its rules about the target files of start,
// each once. Boxes are those of now.
func PlanFor(start, now *spec.File, project spec.Checks) Plan {
	own := start.Checks()
	options := own.CommandOptions.WithDefaults(project.CommandOptions)
	present, began := map[string]spec.Criterion{}, map[string]bool{}
	for _, c := range start.Criteria() {
		began[c.ID] = true
	}
	for _, c := range now.Criteria() {
		present[c.ID] = c
	}
	var out []Item
	for _, c := range spec.JoinCriteria(start.Criteria(), now.Criteria()) {
		item := Item{ID: c.ID, Number: len(out) + 1, Text: c.Text, Source: FromCriteria, Line: c.Line, Checked: present[c.ID].Checked, Guard: isGuard(c, start), Added: !began[c.ID]}
		if at, ok := present[c.ID]; ok {
			item.Line = at.Line
		}
		item.Red = start.Fields.RedFor != "" && !now.Landed && c.Runs() && !item.Guard
		for _, line := range c.Commands {
			item.Steps = append(item.Steps, Step{line, options, FromCriteria})
		}
		out = append(out, item)
	}
	seen := map[string]bool{}
	add := func(from Source, all []spec.Command, around spec.CommandOptions) {
		for _, c := range all {
			item := itemOf(from, c, around)
			if !seen[item.ID] {
				seen[item.ID], item.Number = true, len(out)+1
				out = append(out, item)
			}
		}
	}
	add(FromSpec, own.Commands, options)
	// With tests that must fail, those of the project cannot hold. They run before both land.
	if start.Fields.RedFor != "" && !now.Landed {
		project.Commands, project.Rules = nil, nil
	}
	add(FromProject, project.Commands, project.CommandOptions)
	// The target files of start: an agent could name others in its copy.
	add(FromProject, project.Rules.For(start.Fields.TargetFiles).Commands(), project.CommandOptions)
	return Plan{Items: out, Variables: options.Env, Parallel: options.Parallel != nil && *options.Parallel}
}

// itemOf is the item of a command for a whole spec or project.
func itemOf(from Source, c spec.Command, around spec.CommandOptions) Item {
	options := c.CommandOptions.WithDefaults(around)
	text := c.Name
	if text == "" {
		text = "`$ " + c.Run + "`"
	}
	return Item{ID: spec.TextID("verify " + options.Dir + " " + c.Run), Text: text, Source: from, Rule: c.Rule, Steps: []Step{{c.Run, options, from}}}
}

// Repeated returns the plan with commands that must pass at least n times; only those of items for which is returns true,
// nil for all.
func (p Plan) Repeated(n int, is func(Item) bool) Plan {
	p.Items = slices.Clone(p.Items)
	for i := range p.Items {
		if is != nil && !is(p.Items[i]) {
			continue
		}
		p.Items[i].Steps = slices.Clone(p.Items[i].Steps)
		for j := range p.Items[i].Steps {
			if o := &p.Items[i].Steps[j].Options; o.Repeat == nil || *o.Repeat < n {
				o.Repeat = &n
			}
		}
	}
	return p
}

// Commands lists the commands of all items.
func (p Plan) Commands() []string {
	var out []string
	for _, item := range p.Items {
		for _, step := range item.Steps {
			out = append(out, step.Line)
		}
	}
	return out
}

// Any reports whether the plan has items.
func (p Plan) Any() bool { return len(p.Items) > 0 }

// Runs reports whether any item has commands.
func (p Plan) Runs() bool {
	for _, item := range p.Items {
		if len(item.Steps) > 0 {
			return true
		}
	}
	return false
}
