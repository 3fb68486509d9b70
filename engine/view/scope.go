package view

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/gitops"
)

// Scope says of which projects something is shown. The zero Scope is the project of the caller.
type Scope struct {
	Repo    string `json:"repo,omitempty" jsonschema:"Only projects of this repository, by its name in repos of the settings"`
	Project string `json:"project,omitempty" jsonschema:"Only the project of this name or folder"`
	Global  bool   `json:"global,omitempty" jsonschema:"All projects of this repository and of those in repos of the settings"`
}

// IsHere reports whether only the project of the caller is shown.
func (s Scope) IsHere() bool { return s == Scope{} }

// Place is one of several projects that are shown together.
type Place struct {
	Repo    string // the name of the repository; "" for that of the caller, if the settings have no name for it
	Project string // the folder of the project from the top of the repository, "" for the top
	Of      *engine.Project
}

// Prefix begins the ids of the specs of a place where those of several places are shown: repo:, repo/project: or project:.
func (p Place) Prefix() string {
	if name := path.Join(p.Repo, p.Project); name != "" {
		return name + ":"
	}
	return ""
}

// Places opens the projects of a scope, in the order of their names: first those of the repository of the caller. One that
// cannot be read is a warning. Errors: NotFound if the settings have no such repository, no project has that name, or none can
// be read; Usage for a scope that contradicts itself.
func Places(ctx context.Context, p *engine.Project, in Scope) ([]Place, error) {
	if in.IsHere() {
		return []Place{{Of: p}}, nil
	}
	repos, err := reposOf(p, in)
	if err != nil {
		return nil, err
	}
	var all []Place
	var failed []error
	var names []string
	for _, r := range repos {
		places, problems := r.open(ctx, p)
		failed = append(failed, problems...)
		for _, one := range places {
			names = append(names, one.Name())
			if in.Project == "" || one.isNamed(in.Project) {
				all = append(all, one)
			}
		}
	}
	for _, err := range failed {
		engine.Warn(p, "", err.Error())
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case len(all) > 0:
		return all, nil
	case len(names) > 0:
		return nil, engine.Fail(engine.NotFound, next.Guide.On("projects"), "%s", spec.Unknown("project", in.Project, names))
	}
	return nil, engine.Fail(engine.NotFound, next.Config.On().Flag("validate"), "no project can be read there")
}

// Name is how a place is called in messages and by --project.
func (p Place) Name() string {
	if p.Project != "" {
		return p.Project
	}
	return p.Of.Config.Project.Name
}

// isNamed reports whether a name is that of a project: its folder, the last part of that, or what its settings call it.
func (p Place) isNamed(name string) bool {
	return name == p.Of.Config.Project.Name || p.Project != "" && (name == p.Project || name == path.Base(p.Project))
}

// repoAt is a repository whose projects are shown.
type repoAt struct{ name, dir string }

// reposOf lists the repositories of a scope.
func reposOf(p *engine.Project, in Scope) ([]repoAt, error) {
	if in.Repo != "" && in.Global {
		return nil, engine.Fail(engine.Usage, next.List.Help(), "--global is all repositories, and --repo is one (use either)")
	}
	here := repoAt{dir: p.Repo.Whole().Home()}
	var others []repoAt
	var names []string
	for _, r := range p.Config.Repos {
		names = append(names, r.Name)
		// The repository of the caller may be among them.
		if disk.RealPath(r.Path) == here.dir {
			here.name = r.Name
			continue
		}
		others = append(others, repoAt{r.Name, r.Path})
	}
	switch {
	case in.Global:
		return append([]repoAt{here}, others...), nil
	case in.Repo == "" || in.Repo == here.name:
		return []repoAt{here}, nil
	}
	if i := slices.IndexFunc(others, func(r repoAt) bool { return r.name == in.Repo }); i >= 0 {
		return others[i : i+1], nil
	}
	if len(names) == 0 {
		return nil, engine.Fail(engine.NotFound, next.Guide.On("settings"), "the settings name no repositories, and so not %q (use repos: [{name: %s, path: ...}])", spec.Echo(in.Repo), spec.Echo(in.Repo))
	}
	return nil, engine.Fail(engine.NotFound, next.Config.On(), "%s", spec.Unknown("repository", in.Repo, names))
}

// open opens the projects of a repository. problems says which cannot be read, and why.
func (r repoAt) open(ctx context.Context, p *engine.Project) (places []Place, problems []error) {
	name := r.name
	if name == "" {
		name = r.dir
	}
	fail := func(err error) []error {
		var known *engine.Error
		// Its hint is for a caller who is in that folder.
		if errors.As(err, &known) {
			err = errors.New(known.Message)
		}
		return append(problems, fmt.Errorf("%q is left out: %w", name, err))
	}
	repo, err := gitops.Open(r.dir)
	if err != nil {
		return nil, fail(err)
	}
	folders, err := store.Folders(ctx, repo)
	// A project that git does not track is known where the caller is in it.
	if own := p.Repo.Folder(); err == nil && r.dir == p.Repo.Whole().Home() && !slices.Contains(folders, own) {
		folders = append([]string{own}, folders...)
	}
	if err != nil {
		return nil, fail(err)
	}
	if len(folders) == 0 {
		return nil, fail(errors.New("it has no project"))
	}
	for _, folder := range folders {
		one, err := gitops.Open(r.dir)
		if err != nil {
			return places, fail(err)
		}
		one.Within(folder)
		opened, err := engine.OpenIn(one, p.Options)
		if err != nil {
			name = path.Join(name, folder)
			problems = fail(err)
			continue
		}
		places = append(places, Place{r.name, folder, opened})
	}
	return places, problems
}

// eachPlace calls an operation for each project of a scope. What cannot be read of one is a warning, unless the input is wrong
// for all.
func eachPlace(ctx context.Context, p *engine.Project, in Scope, act func(Place) error) error {
	places, err := Places(ctx, p, in)
	if err != nil {
		return err
	}
	var failed []error
	for _, place := range places {
		err := act(place)
		var known *engine.Error
		switch {
		case err == nil:
			continue
		case errors.As(err, &known) && known.Code == engine.Usage, ctx.Err() != nil:
			return err
		}
		failed = append(failed, err)
		engine.Warn(p, "", fmt.Sprintf("%q is left out: %s", strings.TrimSuffix(place.Prefix(), ":"), err))
	}
	if len(failed) == len(places) {
		return failed[0]
	}
	return nil
}

// mark has a row say where its spec is.
func (p Place) mark(r *Row) { r.Repo, r.Project, r.ID = p.Repo, p.Project, p.Prefix()+r.ID }

// ListAll is List for the projects of a scope, in their order, or in the order that is asked for.
func ListAll(ctx context.Context, p *engine.Project, in ListInput) (ListResult, error) {
	if in.Scope.IsHere() {
		return List(ctx, p, in)
	}
	start, err := in.Cursor.Start(next.List.Help())
	if err != nil {
		return ListResult{}, err
	}
	rows, near := []Row{}, ""
	err = eachPlace(ctx, p, in.Scope, func(place Place) error {
		one := in
		one.Scope, one.Limit, one.Cursor = Scope{}, 0, ""
		r, err := List(ctx, place.Of, one)
		for i := range r.Specs {
			place.mark(&r.Specs[i])
		}
		rows = append(rows, r.Specs...)
		if r.Near != "" {
			near = r.Near
		}
		return err
	})
	if err != nil {
		return ListResult{}, err
	}
	if in.Sort != "" {
		sortRows(rows, in.Sort, in.Reverse)
	} else if in.Reverse {
		slices.Reverse(rows)
	}
	r := ListResult{Limit: in.Limit}
	r.Specs, r.Page = engine.Cut(rows, start, in.Limit)
	if len(rows) == 0 {
		r.Near = near
	}
	return r, nil
}

// SearchAll is Search for the specs of the projects of a scope: those of all that contain the query, then those that are
// related.
func SearchAll(ctx context.Context, p *engine.Project, in SearchInput) (SearchResult, error) {
	if in.Scope.IsHere() {
		return Search(ctx, p, in)
	}
	start, err := in.Cursor.Start(next.Search.Help())
	if err != nil {
		return SearchResult{}, err
	}
	all := []FoundSpec{}
	err = eachPlace(ctx, p, in.Scope, func(place Place) error {
		one := in
		one.Scope, one.Limit, one.Cursor = Scope{}, 0, ""
		r, err := Search(ctx, place.Of, one)
		for i := range r.Specs {
			place.mark(&r.Specs[i].Row)
		}
		all = append(all, r.Specs...)
		return err
	})
	if err != nil {
		return SearchResult{}, err
	}
	slices.SortStableFunc(all, func(a, b FoundSpec) int { return matchRank(a.Match) - matchRank(b.Match) })
	r := SearchResult{Limit: in.Limit}
	r.Specs, r.Page = engine.Cut(all, start, in.Limit)
	return r, nil
}

func matchRank(m Match) int {
	if m == Exact {
		return 0
	}
	return 1
}

// ProjectStatus is the status of one of several projects.
type ProjectStatus struct {
	Repo    string `json:"repo,omitempty"`
	Project string `json:"project,omitempty"` // its folder, "" for the top of the repository
	Name    string `json:"name"`              // by its settings
	Brief   string `json:"brief"`
}

// StatusAll is Status for the projects of a scope together. What agents have used is that of each project.
func StatusAll(ctx context.Context, p *engine.Project, in StatusInput) (StatusResult, error) {
	if in.Scope.IsHere() {
		return Status(ctx, p, in)
	}
	all := StatusResult{Sandbox: p.Sandbox().State()}
	err := eachPlace(ctx, p, in.Scope, func(place Place) error {
		one := in
		one.Scope = Scope{}
		r, err := Status(ctx, place.Of, one)
		if err != nil {
			return err
		}
		all.add(place, r)
		return nil
	})
	all.Brief = all.brief()
	return all, err
}

// add adds the status of one project.
func (r *StatusResult) add(place Place, one StatusResult) {
	for _, n := range [][2]*int{
		{&r.Total, &one.Total}, {&r.Pending, &one.Pending}, {&r.InProgress, &one.InProgress}, {&r.Paused, &one.Paused}, {&r.Completed, &one.Completed},
		{&r.Failed, &one.Failed}, {&r.Blocked, &one.Blocked}, {&r.Cancelled, &one.Cancelled}, {&r.NeedsAttention, &one.NeedsAttention}, {&r.Ready, &one.Ready},
		{&r.NeedCriteria, &one.NeedCriteria},
		{&r.Invalid, &one.Invalid}, {&r.QuestionsMore, &one.QuestionsMore}, {&r.OpenMore, &one.OpenMore}, {&r.LandedElsewhere, &one.LandedElsewhere},
	} {
		*n[0] += *n[1]
	}
	prefix := place.Prefix()
	// Commands for a spec are given in the folder of its project.
	there := func(a next.Advice) next.Advice {
		if a.Command.Op != "" {
			a.Command = a.Command.After(fmt.Sprintf("cd %q", engine.Home(place.Of)))
		}
		return a
	}
	for _, q := range one.Questions {
		q.ID, q.Next = prefix+q.ID, there(q.Next)
		r.Questions = append(r.Questions, q)
	}
	for _, q := range one.HeldQueues {
		q.Next = there(q.Next)
		r.HeldQueues = append(r.HeldQueues, q)
	}
	for _, plan := range one.Plans {
		plan.Plan, plan.Next = prefix+plan.Plan, there(plan.Next)
		r.Plans = append(r.Plans, plan)
	}
	for _, v := range one.Runs {
		v.ID, v.Next = prefix+v.ID, there(v.Next)
		r.Runs = append(r.Runs, v)
	}
	for _, o := range one.Open {
		o.ID, o.Next = prefix+o.ID, there(o.Next)
		r.Open = append(r.Open, o)
	}
	for _, a := range one.Activity {
		a.ID = prefix + a.ID
		r.Activity = append(r.Activity, a)
	}
	r.Projects = append(r.Projects, ProjectStatus{place.Repo, place.Project, place.Of.Config.Project.Name, one.Brief})
}

// BoardAll is Board for the projects of a scope together.
func BoardAll(ctx context.Context, p *engine.Project, in Scope) (BoardResult, error) {
	if in.IsHere() {
		return Board(ctx, p, BoardInput{})
	}
	all := BoardResult{Cards: []Card{}}
	err := eachPlace(ctx, p, in, func(place Place) error {
		r, err := Board(ctx, place.Of, BoardInput{})
		all.HeldQueues = append(all.HeldQueues, r.HeldQueues...)
		for _, plan := range r.Plans {
			plan.Plan = place.Prefix() + plan.Plan
			all.Plans = append(all.Plans, plan)
		}
		for _, c := range r.Cards {
			place.mark(&c.Row)
			all.Cards = append(all.Cards, c)
		}
		return err
	})
	all.Total = len(all.Cards)
	return all, err
}
