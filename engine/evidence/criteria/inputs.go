package criteria

import (
	"path"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/fileset"
)

// Inputs lists the globs of the files that an item's commands depend on, or spec.InputsAuto, and none if that is every file. It is so, too, if an
// agent may have written the commands, or if a command computes one of their variables: nothing says what that reads.
func (item Item) Inputs() []string {
	var out []string
	for _, step := range item.Steps {
		if item.Added || item.Source == FromHeldOut || len(step.Options.Inputs) == 0 || isComputed(step.Options) {
			return nil
		}
		out = append(out, step.Options.Inputs...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func isComputed(o spec.CommandOptions) bool {
	for _, value := range o.Env {
		if strings.HasPrefix(value, "$ ") {
			return true
		}
	}
	return false
}

// Reads reports whether a command of the item names a file, or the file is one of Inputs by its own path, which may be below
// .chant. Links that lead to it are not looked for. id is that of the spec.
func (item Item) Reads(file, id string) bool {
	for _, step := range item.Steps {
		isFile := func(word string) bool { return path.Join(step.Options.Dir, word) == file }
		if IsNamed(step.Line, []string{file}) || slices.ContainsFunc(words().FindAllString(step.Line, -1), isFile) {
			return true
		}
	}
	return slices.ContainsFunc(item.Inputs(), func(glob string) bool {
		return len(fileset.Tree{{Path: file}}.Matching(id, glob)) > 0
	})
}

// HasInputs reports whether the result of an item can count for another tree.
func (p Plan) HasInputs() bool {
	return slices.ContainsFunc(p.Items, func(item Item) bool { return item.Inputs() != nil })
}

// Without returns the plan without the items that have one of these verdicts.
func (p Plan) Without(known []Verdict) Plan {
	p.Items = slices.DeleteFunc(slices.Clone(p.Items), func(item Item) bool {
		return slices.ContainsFunc(known, func(v Verdict) bool { return v.ID == item.ID })
	})
	return p
}

// Find returns the verdict of an item and the tree that its commands ran in, if it may count for a tree with the same inputs: it
// holds, and never failed.
func (r Report) Find(item Item) (v Verdict, tree string, ok bool) {
	at := slices.IndexFunc(r.Criteria, func(v Verdict) bool { return v.ID == item.ID })
	if at < 0 {
		return v, "", false
	}
	v = r.Criteria[at]
	if v.How != ByRunning || !v.Holds || v.Flaky || len(v.Evidence) == 0 {
		return v, "", false
	}
	tree = v.Evidence[0].Tree
	if tree == "" {
		tree = r.Tree
	}
	v.Evidence = slices.Clone(v.Evidence)
	for i := range v.Evidence {
		v.Evidence[i].Tree = tree
	}
	// These may have changed without another result.
	v.Number, v.Text, v.Line, v.Guard = item.Number, item.Text, item.Line, item.Guard
	return v, tree, true
}

// Join adds verdicts that were known before, in the order of the plan. based is as for Conclude.
func (r *Report) Join(known []Verdict, based bool) {
	r.Criteria = append(r.Criteria, known...)
	slices.SortFunc(r.Criteria, func(a, b Verdict) int { return a.Number - b.Number })
	r.Verified, r.Verdict = Holds(r.Criteria), Conclude(r.Criteria, based)
}
