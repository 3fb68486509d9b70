package view

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/task/taskboard"
	"chant/providers/cli"
)

// WordsInput is empty: the words are those of the whole project.
type WordsInput struct{}

// WordsResult lists the words that a project knows, each once and sorted, for those who complete what a person types.
type WordsResult struct {
	Providers []string `json:"providers"` // built in, and those of .chant/providers
	Models    []string `json:"models"`    // that settings and specs name
	People    []string `json:"people"`    // members of the settings, and those whom specs name
	Branches  []string `json:"branches"`  // that are not of runs
	Tags      []string `json:"tags"`
	Keys      []string `json:"keys"` // numbers of tasks, such as AUTH-12

	Projects   []string `json:"projects"` // prefixes of numbers of tasks
	Statuses   []string `json:"statuses"` // of tasks, like the following
	Priorities []string `json:"priorities"`
	Types      []string `json:"types"`
	Fields     []string `json:"fields"` // names of custom fields
}

// Words returns the words of a project. Specs and settings that cannot be read are left out.
func Words(ctx context.Context, p *engine.Project, _ WordsInput) (WordsResult, error) {
	r := WordsResult{Providers: cli.Names(), Models: []string{p.Config.Defaults.Model, p.Config.Defaults.SplitModel}}
	for _, a := range p.Config.Parallel.Agents {
		r.Models = append(r.Models, a.Model)
	}
	for pattern := range p.Config.Prices {
		// A pattern is no model.
		if !strings.Contains(pattern, "*") {
			r.Models = append(r.Models, pattern)
		}
	}
	if files, err := os.ReadDir(filepath.Join(engine.Home(p), filepath.FromSlash(store.ProvidersDir))); err == nil {
		for _, f := range files {
			if name, is := strings.CutSuffix(f.Name(), ".md"); is {
				r.Providers = append(r.Providers, name)
			}
		}
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return WordsResult{}, engine.Wrap(err, "")
	}
	for _, s := range set.Specs {
		r.addSpec(s)
	}
	if err := r.addBranches(ctx, p); err != nil {
		return WordsResult{}, engine.Wrap(err, "")
	}
	// A completion is still useful without the settings of tasks.
	if board, err := taskboard.Open(ctx, p, ""); err == nil {
		r.addBoard(board, set.Specs)
	}
	r.settle()
	return r, ctx.Err()
}

func (r *WordsResult) addSpec(s *spec.Spec) {
	r.Models = append(r.Models, string(s.Fields.Model))
	r.People = append(r.People, string(s.Fields.Assignee), string(s.Fields.Reporter))
	r.Tags = append(r.Tags, s.Fields.Labels...)
	r.Keys = append(r.Keys, string(s.Fields.Task))
}

// addBranches adds the branches on which work can land.
func (r *WordsResult) addBranches(ctx context.Context, p *engine.Project) error {
	all, err := p.Repo.Branches(ctx, "")
	for _, b := range all {
		name := strings.TrimPrefix(b.Name, "refs/heads/")
		// Nothing lands on the branch of a run.
		if !strings.HasPrefix(name, p.Config.Defaults.BranchPrefix) {
			r.Branches = append(r.Branches, name)
		}
	}
	return err
}

func (r *WordsResult) addBoard(board taskboard.Board, specs []*spec.Spec) {
	known := board.EnumHints("")
	r.Statuses, r.Priorities, r.Types, r.Fields = known["statuses"], known["priorities"], known["types"], known["custom_fields"]
	r.People = append(r.People, known["members"]...)
	r.Tags = append(r.Tags, known["tags"]...)
	for _, one := range board.Projects(specs) {
		r.Projects = append(r.Projects, one.Prefix)
	}
}

// settle sorts the lists without an order of their own, and leaves out empty and repeated words.
func (r *WordsResult) settle() {
	for _, list := range []*[]string{&r.Models, &r.People, &r.Branches, &r.Tags, &r.Keys, &r.Projects} {
		slices.Sort(*list)
		// The star of the settings means any value.
		*list = slices.DeleteFunc(slices.Compact(*list), func(word string) bool { return word == "" || word == "*" })
	}
}
