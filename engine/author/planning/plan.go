package planning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/gitops/lockfile"
	"chant/markdown"
)

// PlanInput is an idea, and how it is planned.
type PlanInput struct {
	Idea     string `json:"idea,omitempty" jsonschema:"What is wanted, in one's own words; beside another source it is added"`
	Provider string `json:"provider,omitempty" jsonschema:"Agent that plans instead of the project's"`
	Model    string `json:"model,omitempty" jsonschema:"Model to use instead of plan.model or the project's"`
	Accept   bool   `json:"accept,omitempty" jsonschema:"Write the specs at once, without a person's decision"`

	FromIssue string `json:"from_issue,omitempty" jsonschema:"Address or number of an issue, read through gh or glab, in place of an idea"`
	FromTodo  string `json:"from_todo,omitempty" jsonschema:"Glob of files whose TODO and FIXME comments are planned"`
	FromDrift bool   `json:"from_drift,omitempty" jsonschema:"Plan how completed specs and the code agree again where it has drifted"`

	Source string `json:"-"` // where the idea is from, if others have written it
	// Decide answers an agent's questions, "" for a proposed answer; nil takes all proposed answers.
	Decide func(context.Context, []Question) ([]string, error) `json:"-"`
}

// PlanResult is a plan as it is now.
type PlanResult struct {
	Plan      string        `json:"plan"` // its id
	Title     string        `json:"title"`
	Status    Status        `json:"status"`
	Path      string        `json:"path"`
	Branch    string        `json:"branch,omitempty"` // until it is accepted
	Base      string        `json:"base"`             // the commit on which its criteria ran
	Source    string        `json:"source,omitempty"`
	Brief     Brief         `json:"brief"`
	Done      []Done        `json:"done"` // what of the idea was there already
	Specs     []PlannedSpec `json:"specs"`
	Amends    []PlannedSpec `json:"amends,omitempty"`  // completed specs that get other wording
	Retires   []Retired     `json:"retires,omitempty"` // completed specs that are archived
	Questions []Question    `json:"questions"`
	Counts    Count         `json:"counts"`
	Cost      Cost          `json:"cost"`
	Commit    string        `json:"commit,omitempty"`  // that added the specs, if this call has accepted it
	Changes   []Change      `json:"changes,omitempty"` // of a revision
	Next      next.Advice   `json:"next,omitzero"`
}

// PlannedSpec is a spec of a plan.
type PlannedSpec struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Status      string   `json:"status"` // planned until the plan is accepted
	DependsOn   []string `json:"depends_on"`
	Wave        int      `json:"wave"` // those of one wave can be worked side by side
	Criteria    []Tried  `json:"criteria"`
	TargetFiles []string `json:"target_files,omitempty"`
	Labels      []string `json:"labels,omitempty"`
	Effort      string   `json:"effort,omitempty"`
}

// maxIdea limits an idea, in bytes: it is a document of requirements at most.
const maxIdea = 1 << 20

// Plan has an agent draft specs for an idea, tries their criteria, and keeps the plan on a branch of its own, or accepts it at
// once. Errors: Usage for an idea without words and for a provider that plans nothing; State without a commit; Agent if the
// agent answers nothing that can be used.
func Plan(ctx context.Context, p *engine.Project, in PlanInput) (_ PlanResult, err error) {
	var d draft
	defer func() { err = d.refusal(err) }()
	if err := engine.MayInside(p, "plan", ""); err != nil {
		return PlanResult{}, err
	}
	// Some editors write a mark of the byte order in front of a file.
	in.Idea = strings.TrimPrefix(in.Idea, "\ufeff")
	mayAmend, err := readSource(ctx, p, &in)
	if err == nil {
		err = checkIdea(in.Idea)
	}
	if err != nil {
		return PlanResult{}, err
	}
	if err := checkRoom(ctx, p); err != nil {
		return PlanResult{}, err
	}
	// Before an agent is paid, since the plan could not be committed.
	if _, err := p.Repo.Identity(ctx); err != nil {
		return PlanResult{}, err
	}
	id, err := newPlanID(ctx, p, in.Idea)
	if err != nil {
		return PlanResult{}, err
	}
	pl, err := newPlanner(ctx, p, id, in)
	if err != nil {
		return PlanResult{}, err
	}
	pl.mayAmend = mayAmend
	d = draft{document: document{
		ID: id, Status: Drafting, Idea: in.Idea, Source: in.Source, Base: pl.base, Created: p.Now(),
		Provider: pl.run.Job.Provider, Model: pl.run.Job.Model, Tried: map[string][]Tried{},
	}}
	answer, err := pl.firstAnswer(ctx, &d, in.Decide)
	if err != nil {
		return PlanResult{}, err
	}
	if err := pl.refine(ctx, &d, answer); err != nil {
		return PlanResult{}, err
	}
	if !in.Accept || d.isEmpty() {
		return d.result(ctx, p)
	}
	return accept(ctx, p, d)
}

// convert makes an error one that entry points know.
func convert(err *error) { *err = engine.Wrap(*err, "") }

// refusal returns the error of an operation. What was stopped while criteria ran can be resumed.
func (d *draft) refusal(err error) error {
	err = engine.Wrap(err, "")
	if e, is := errors.AsType[*engine.Error](err); is && e.Code == engine.Canceled && d.Status == Drafting && d.branch != "" {
		return engine.Fail(engine.Canceled, next.PlanResume.On(d.ID), "%s", e.Message)
	}
	return err
}

func checkIdea(idea string) error {
	switch {
	case !strings.ContainsFunc(idea, func(r rune) bool { return r > ' ' }):
		return engine.Fail(engine.Usage, next.Plan.Help(), "the idea is empty")
	case len(idea) > maxIdea:
		return engine.Fail(engine.Usage, next.Plan.Help(), "the idea has %d bytes, of at most %d", len(idea), maxIdea)
	case !utf8.ValidString(idea):
		return engine.Fail(engine.Usage, next.Plan.Help(), "the idea is not UTF-8 text")
	}
	return engine.PlainText("idea", idea)
}

// newPlanID returns an id that no plan has: the day and the first words of the idea.
func newPlanID(ctx context.Context, p *engine.Project, idea string) (string, error) {
	refs, err := drafts(ctx, p)
	if err != nil {
		return "", err
	}
	ids, err := accepted(p)
	if err != nil {
		return "", err
	}
	for _, r := range refs {
		ids = append(ids, r.Name)
	}
	first := p.Now().Format(time.DateOnly) + "-" + slug(strings.TrimLeft(firstLine(idea), "# "))
	id := first
	taken := func(o string) bool { return o == id || strings.HasPrefix(o, id+"/") }
	for n := 2; slices.ContainsFunc(ids, taken); n++ {
		id = fmt.Sprintf("%s-%d", first, n)
	}
	return id, nil
}

// firstAnswer asks the agent, and once more if a person has decided otherwise than it proposed, or if questions came before specs.
func (pl *planner) firstAnswer(ctx context.Context, d *draft, decide func(context.Context, []Question) ([]string, error)) (Answer, error) {
	answer, err := pl.ask(ctx, "")
	if err != nil {
		return Answer{}, err
	}
	d.Asked = answer.Questions
	again := len(answer.Specs) == 0 && len(d.Asked) > 0
	if decide != nil && len(d.Asked) > 0 {
		said, err := decide(ctx, d.Asked)
		if err != nil {
			return Answer{}, err
		}
		for i := range d.Asked {
			if i < len(said) && strings.TrimSpace(said[i]) != "" && spec.OneLine(said[i]) != spec.OneLine(d.Asked[i].Proposed) {
				d.Asked[i].Answer, again = strings.TrimSpace(said[i]), true
			}
		}
	}
	if !again {
		return answer, nil
	}
	if answer, err = pl.ask(ctx, decisions(d.Asked)); err != nil {
		return Answer{}, err
	}
	if len(answer.Specs)+len(answer.Done)+len(answer.Amend)+len(answer.Retire) == 0 {
		return Answer{}, engine.Fail(engine.Agent, next.Plan.Help(), "the agent asked again instead of planning, although its questions were answered")
	}
	return answer, nil
}

// decisions tells the agent what was decided.
func decisions(asked []Question) string {
	out := "\n## Your questions\n\nThey were decided; ask no more.\n\n"
	for _, q := range asked {
		out += "- " + spec.OneLine(q.Question) + "\n  " + spec.OneLine(q.Answered()) + "\n"
	}
	return out
}

// refine writes what was answered as a draft, tries its criteria, and has the agent correct what is not good.
func (pl *planner) refine(ctx context.Context, d *draft, answer Answer) error {
	d.Title = cmp.Or(spec.OneLine(answer.Title), spec.OneLine(firstLine(strings.TrimLeft(d.Idea, "# \t\n"))))
	const most = 120 // runes of a title that is made of an idea
	if runes := []rune(d.Title); len(runes) > most {
		d.Title = string(runes[:most]) + "…"
	}
	d.Brief, d.Done = answer.Brief, answer.Done
	var before []string // of a plan that is revised
	for _, old := range d.specs {
		before = append(before, old.id)
	}
	ids, err := pl.numbered(ctx, d, answer, before, false)
	if err != nil {
		return err
	}
	for round := 0; ; round++ {
		tried, err := pl.try(ctx, slices.Concat(d.specs, d.amends), d.Tried)
		if err != nil {
			return err
		}
		d.Tried = tried
		more := pl.complaints(answer, ids, tried)
		if more == "" || round == pl.p.Config.Plan.Rounds {
			break
		}
		better, err := pl.ask(ctx, decisionsOf(d.Asked)+more)
		// What there is can be used, and costs no more.
		if refused, is := errors.AsType[*engine.Error](err); is && refused.Code == engine.Agent && ctx.Err() == nil {
			engine.Warn(pl.p, d.ID, "the criteria stay as they are: "+refused.Message)
			break
		}
		if err != nil {
			return err
		}
		if len(better.Specs)+len(better.Amend) == 0 {
			break
		}
		if ids, err = pl.numbered(ctx, d, better, ids, true); err != nil {
			return err
		}
		answer = better
	}
	if d.specs, err = settle(d.specs, d.Tried); err != nil {
		return err
	}
	d.specs = append(slices.Clone(pl.fixed), d.specs...)
	d.Status, d.Cost = Draft, pl.before.plus(pl.budget.Spent())
	return d.save(ctx, pl.p, "draft "+countOf(d.Tried, len(d.specs)).String())
}

func decisionsOf(asked []Question) string {
	if len(asked) == 0 {
		return ""
	}
	return decisions(asked)
}

// numbered gives the specs of an answer their ids, and saves the draft. One that was there before keeps its id: by its title or by that id
// itself or, in a correction of the same answer, by its place.
func (pl *planner) numbered(ctx context.Context, d *draft, a Answer, before []string, sameAnswer bool) (_ []string, err error) {
	turn, err := pl.p.Store.Local(local.Locks, "add.lock")
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.AcquireWait(ctx, turn, "plan")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if d.tip == "" && pl.revision == "" {
		// Another process may have planned the same idea meanwhile.
		if d.ID, err = newPlanID(ctx, pl.p, d.Idea); err != nil {
			return nil, err
		}
	}
	all, err := author.AllIDs(ctx, pl.p)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(a.Specs))
	free := slices.Clone(before)
	take := func(i int, id string) {
		ids[i] = id
		free = slices.DeleteFunc(free, func(o string) bool { return o == id })
	}
	for i, s := range a.Specs {
		for _, old := range d.specs {
			if slices.Contains(free, old.id) && (normalize(old.doc.Title()) == normalize(s.Title) || old.id == s.ID) {
				take(i, old.id)
				break
			}
		}
	}
	for i := range a.Specs {
		switch {
		case ids[i] != "":
		case sameAnswer && len(a.Specs) == len(before) && slices.Contains(free, before[i]):
			take(i, before[i])
		default:
			if ids[i], err = author.NewID(pl.p, author.AddInput{}, all); err != nil {
				return nil, err
			}
			all = append(all, ids[i])
		}
	}
	if d.specs, err = pl.compose(d.ID, a, ids); err != nil {
		return nil, err
	}
	if d.amends, err = pl.amended(ctx, a.Amend); err != nil {
		return nil, err
	}
	// Also if it ends here, it has cost that.
	d.Retire, d.Tried, d.Cost = a.Retire, map[string][]Tried{}, pl.before.plus(pl.budget.Spent())
	return ids, d.save(ctx, pl.p, "draft "+plural(len(ids), "spec", "specs"))
}

// result describes a plan.
func (d draft) result(ctx context.Context, p *engine.Project) (PlanResult, error) {
	r := PlanResult{
		Plan: d.ID, Title: d.Title, Status: d.Status, Path: planPath(d.ID), Branch: d.branch, Base: d.Base, Source: d.Source,
		Brief: d.Brief, Done: notNil(d.Done), Specs: []PlannedSpec{}, Questions: notNil(d.Asked), Counts: countOf(d.Tried, len(d.specs)), Cost: d.Cost,
	}
	set, err := p.Store.Load(ctx)
	if err != nil {
		return r, err
	}
	now := map[string]spec.Status{}
	for _, s := range set.Specs {
		now[s.ID] = s.Status
	}
	wave := waves(d.specs)
	for _, s := range d.specs {
		file, err := spec.FromDocument(s.id, s.doc)
		if err != nil {
			return r, err
		}
		one := PlannedSpec{
			ID: s.id, Title: file.Title, Status: "planned", DependsOn: notNil(s.dependsOn), Wave: wave[s.id], Criteria: notNil(d.Tried[s.id]),
			TargetFiles: file.Fields.TargetFiles, Labels: file.Fields.Labels, Effort: effortOf(s.doc),
		}
		if d.Status == Accepted {
			one.Status = string(cmp.Or(now[s.id], "archived"))
		}
		r.Specs = append(r.Specs, one)
	}
	for _, s := range d.amends {
		r.Amends = append(r.Amends, PlannedSpec{ID: s.id, Title: s.doc.Title(), Status: string(spec.Completed), DependsOn: []string{}, Criteria: notNil(d.Tried[s.id])})
	}
	r.Retires = d.Retire
	r.Next = d.next()
	return r, nil
}

// next is the step that follows.
func (d draft) next() next.Advice {
	switch {
	case d.Status == Drafting:
		return next.Advice{Command: next.PlanResume.On(d.ID), Why: "its criteria have not all run yet"}
	case d.Status == Draft && !d.isEmpty():
		return next.Advice{Command: next.PlanAccept.On(d.ID), Why: "a person decides about it"}
	case d.Status == Accepted:
		return next.Advice{Command: next.Work.On().Flag("all"), Why: "its specs wait to be worked"}
	}
	return next.Advice{}
}

func effortOf(doc *markdown.Document) string {
	var text string
	if found, err := doc.Get("effort", &text); !found || err != nil {
		return ""
	}
	return text
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
