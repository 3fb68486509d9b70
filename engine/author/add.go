package author

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/run/advice"
	"chant/engine/run/usage"
	"chant/engine/spec"
	"chant/engine/spec/lint"
	"chant/engine/spec/next"

	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/local"
	"chant/engine/verify/linter"
	"chant/gitops/lockfile"
	"chant/markdown"
	"chant/providers/cli"
	"chant/text"
)

// AddInput describes a new spec.
type AddInput struct {
	Description   string   `json:"description" jsonschema:"Description of work to be done (becomes spec title)"`
	Type          string   `json:"type,omitempty" jsonschema:"Type: code, task, driver, documentation, research or group"`
	Prompt        string   `json:"prompt,omitempty" jsonschema:"Optional prompt template name to use"`
	Provider      string   `json:"provider,omitempty" jsonschema:"Provider to work it with"`
	Labels        []string `json:"labels,omitempty" jsonschema:"Labels"`
	TargetFiles   []string `json:"target_files,omitempty" jsonschema:"Files the work is about"`
	RunsOn        []string `json:"runs_on,omitempty" jsonschema:"Labels that a machine of a fleet must have to work it"`
	DependsOn     []string `json:"depends_on,omitempty" jsonschema:"Specs that have to be done first (full or partial IDs)"`
	Criteria      []string `json:"criteria,omitempty" jsonschema:"Acceptance criteria, one text each"`
	Group         string   `json:"group,omitempty" jsonschema:"Driver spec that gets the new one as a member"`
	NeedsApproval bool     `json:"needs_approval,omitempty" jsonschema:"Work waits until a person approves"`
	Priority      string   `json:"priority,omitempty" jsonschema:"critical, high, medium, low, or a number from 0"`
	Assignee      string   `json:"assignee,omitempty" jsonschema:"Who works on it"`
	Reporter      string   `json:"reporter,omitempty" jsonschema:"Who asked for it"`
	DueDate       string   `json:"due_date,omitempty" jsonschema:"Day or time, such as 2026-12-01 or +3d"`
	Effort        string   `json:"effort,omitempty" jsonschema:"Hours or points, such as 4h, 1d 2h or 3pt"`

	Template string            `json:"template,omitempty" jsonschema:"Template to make the spec from; its heading is the title if the description is empty"`
	Vars     map[string]string `json:"vars,omitempty" jsonschema:"Values of the template's variables, by name"`

	Run bool `json:"-"` // then run its criteria, before any work

	// Extend adds to the new document, and to the commit, while no other spec is added; nil adds nothing.
	Extend func(ctx context.Context, id string, doc *markdown.Document, b *store.Batch) (*markdown.Document, error) `json:"-"`

	sources sourceValues    // from which keys are derived
	from    *templateFields // nil without a template
}

// AddResult names the new spec.
type AddResult struct {
	ID      string            `json:"id"`
	SpecID  string            `json:"spec_id"` // the ID too, under the name of the older chant, as the message is
	Message string            `json:"message"` // one sentence that names the spec
	Title   string            `json:"title"`
	Path    string            `json:"path"`
	Commit  string            `json:"commit,omitempty"`
	Derived map[string]string `json:"derived,omitempty"`  // keys that the settings derive
	Left    []string          `json:"unfilled,omitempty"` // names in the template that have no value and stay in the text

	Proposed []string   `json:"proposed_target_files,omitempty"` // if it has none; only if code has been indexed
	Sharing  []string   `json:"shares_files_with,omitempty"`     // open specs about the same files
	Lint     lint.Score `json:"lint"`                            // how well it can be worked as it is

	Tried []linter.TriedCriterion `json:"tried,omitempty"` // its criteria, which have run before any work; only if asked for

	Next next.Advice `json:"next,omitzero"`

	made    *spec.File
	vacuous bool // it has nothing to verify
	idle    bool // the provider shell works it, and it has no script
}

// Add writes a new pending spec and commits it. Errors: Usage for an empty description, an unknown type, a missing or
// unknown variable of the template, or a dependency that would close a cycle; NotFound for an unknown prompt; Invalid for texts and lists that a spec
// cannot contain, and for a broken template; NotFound and Usage for dependencies that cannot be resolved; NotFound for
// a template that does not exist.
func Add(ctx context.Context, p *engine.Project, in AddInput) (AddResult, error) {
	result, err := add(ctx, p, in)
	// No step may name a spec that does not exist.
	if err != nil && result.Commit == "" {
		return engine.Done(AddResult{}, err, "")
	}
	if err == nil && in.Run {
		result.Tried, err = linter.Try(ctx, p, result.ID)
	}
	if err == nil {
		result.Next = advice.After(ctx, p, result.ID)
	}
	return engine.Done(result, err, result.ID)
}

func add(ctx context.Context, p *engine.Project, in AddInput) (AddResult, error) {
	// The fields of the template are checked like those of the input.
	err := in.applyTemplate(p)
	if err != nil {
		return AddResult{}, err
	}
	if err := in.check(p); err != nil {
		return AddResult{}, err
	}
	if err := checkPrompt(ctx, p, in.Prompt); err != nil {
		return AddResult{}, err
	}
	if in.DependsOn, err = resolveDeps(ctx, p, in.DependsOn); err != nil {
		return AddResult{}, err
	}
	if in.Group != "" {
		if in.Group, err = engine.Find(ctx, p, in.Group); err != nil {
			return AddResult{}, err
		}
		if err := mayInvolve(p, in.Group); err != nil {
			return AddResult{}, err
		}
		if err := checkGroupOpen(ctx, p, in); err != nil {
			return AddResult{}, err
		}
	}
	turn, err := p.Store.Local(local.Locks, "add.lock")
	if err != nil {
		return AddResult{}, err
	}
	// Each number is given only once.
	lock, err := lockfile.AcquireWait(ctx, turn, "add")
	if err != nil {
		return AddResult{}, err
	}
	// A killed process may have left an id that exists only half.
	if err := store.FinishKilled(ctx, p.Store); err != nil {
		return AddResult{}, errors.Join(err, lock.Release())
	}
	var warnings []string
	if in.sources, warnings, err = readSources(ctx, p); err != nil {
		return AddResult{}, errors.Join(err, lock.Release())
	}
	result, err := addNext(ctx, p, in)
	if err = errors.Join(err, lock.Release()); err != nil {
		return result, err
	}
	warnOfNew(ctx, p, result, warnings)
	in.from.warnOfLeft(p, result.ID)
	// Without the lock: it may have code to index.
	proposeFiles(ctx, p, &result, result.made)
	return result, nil
}

// warnOfNew reports what a person should know of a spec that was created.
func warnOfNew(ctx context.Context, p *engine.Project, result AddResult, warnings []string) {
	for _, text := range append(warnings, unlistedWarnings(p.Config.Enterprise.Derived, result.ID, result.Derived)...) {
		engine.Warn(p, result.ID, text)
	}
	if result.vacuous {
		engine.Warn(p, result.ID, fmt.Sprintf("%s: it has no criterion and no command; next: %s", criteria.Nothing, next.Edit.On(result.ID)))
	}
	if result.idle {
		engine.Warn(p, result.ID, fmt.Sprintf("provider %q works it, and it has no ```sh block under a heading %q; next: %s", cli.ShellName, spec.ScriptHeading, next.Edit.On(result.ID)))
	}
	// A commit on no branch is lost as soon as another one is checked out.
	if head, headErr := p.Repo.Head(ctx, engine.Home(p)); headErr == nil && head.Branch == "" && result.Commit != "" {
		engine.Warn(p, result.ID, "your checkout is on no branch, so the commit of the new spec is not on a branch either")
	}
}

// mayInvolve refuses, inside a run, a new spec that others would wait for: a driver waits for its members, and members wait for
// what their driver waits for. A run could stop them with it, as the new one waits for a person itself.
func mayInvolve(p *engine.Project, others ...string) error {
	for _, id := range others {
		if err := engine.MayInside(p, "update", id); err != nil {
			return err
		}
	}
	return nil
}

// checkGroupOpen refuses a driver that is done: its members were approved and judged as a whole, and with a further
// member it would be completed and have open work.
func checkGroupOpen(ctx context.Context, p *engine.Project, in AddInput) error {
	driver, err := p.Store.Get(ctx, in.Group)
	if err != nil {
		return err
	}
	switch driver.Status {
	case spec.Completed:
		title := text.FirstLine(in.Description)
		return engine.Fail(engine.State, next.Add.On().Set("depends-on", driver.ID).Arg(title), "driver %q is completed, and a further member would not reopen it; add a spec that depends on it", driver.ID)
	case spec.Cancelled:
		return engine.Fail(engine.State, next.Reset.On(driver.ID), "driver %q is cancelled; reset it before it gets a member", driver.ID)
	}
	return nil
}

// check refuses what a spec cannot contain.
func (in *AddInput) check(p *engine.Project) error {
	// A template can bring the title.
	if strings.TrimSpace(in.Description) == "" && in.from == nil {
		return engine.Fail(engine.Usage, next.Add.Help(), "description is empty")
	}
	if in.Type != "" && !slices.Contains(spec.Types(), spec.Type(in.Type)) {
		return engine.Fail(engine.Usage, next.Add.Help(), "%s", spec.Unknown("type", in.Type, spec.TypeWords()))
	}
	if err := in.readEstimates(p.Now()); err != nil {
		return err
	}
	for _, text := range []struct{ name, value string }{
		{"description", in.Description}, {"prompt", in.Prompt}, {"provider", in.Provider},
		{"priority", in.Priority}, {"assignee", in.Assignee}, {"reporter", in.Reporter},
	} {
		if err := engine.PlainText(text.name, text.value); err != nil {
			return err
		}
	}
	if err := checkLabels(in.RunsOn); err != nil {
		return err
	}
	return engine.PlainLists(engine.List{Name: "depends_on", Items: &in.DependsOn}, engine.List{Name: "labels", Items: &in.Labels}, engine.List{Name: "target_files", Items: &in.TargetFiles}, engine.List{Name: "runs_on", Items: &in.RunsOn}, engine.List{Name: "criteria", Items: &in.Criteria})
}

// readEstimates replaces due date and effort by the forms in which they are stored.
func (in *AddInput) readEstimates(now time.Time) error {
	if in.DueDate != "" {
		due, err := task.ParseDue(in.DueDate, now)
		if err != nil {
			return engine.Fail(engine.Usage, next.Add.Help(), "%s", err)
		}
		// Stored as a day, since +3d would move from day to day.
		in.DueDate = due
	}
	if in.Effort != "" {
		effort, err := task.ParseEffort(in.Effort)
		if err != nil {
			return engine.Fail(engine.Usage, next.Add.Help(), "%s", err)
		}
		in.Effort = effort.String()
	}
	return nil
}

// addNext tries ids until one is free: a file may exist that is not listed.
func addNext(ctx context.Context, p *engine.Project, in AddInput) (AddResult, error) {
	ids, err := AllIDs(ctx, p)
	if err != nil {
		return AddResult{}, err
	}
	for {
		result, err := addOnce(ctx, p, in, ids)
		var taken *store.ExistsError
		if !errors.As(err, &taken) {
			return result, err
		}
		// The file of this id exists.
		ids = append(ids, result.ID)
	}
}

// resolveDeps resolves full or partial ids, including those of archived specs.
func resolveDeps(ctx context.Context, p *engine.Project, texts []string) ([]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	ids, err := AllIDs(ctx, p)
	if err != nil {
		return nil, err
	}
	deps := make([]string, 0, len(texts))
	for _, text := range texts {
		id, err := resolveDep(ctx, p, text, ids)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(deps, id) {
			deps = append(deps, id)
		}
	}
	return deps, nil
}

// resolveDep resolves the number of a task, an id or a part of one.
func resolveDep(ctx context.Context, p *engine.Project, text string, ids []string) (string, error) {
	// A key that no task has may be part of an id.
	if taskfields.IsKey(text) {
		if id, err := engine.FindAny(ctx, p, text); err == nil {
			return id.ID, nil
		}
	}
	return spec.Resolve(text, ids, p.Now())
}

func addOnce(ctx context.Context, p *engine.Project, in AddInput, ids []string) (AddResult, error) {
	id, err := NewID(p, in, ids)
	if err != nil {
		return AddResult{}, err
	}
	doc, err := Compose(id, in)
	if err != nil {
		return AddResult{}, err
	}
	// From the document, since a template may have some of the keys already.
	fields := derivedFields(p, doc, id, in.sources)
	if doc, err = withDerived(doc, p.Config.Enterprise.Derived, fields); err != nil {
		return AddResult{}, err
	}
	b := store.NewBatch(p.Store)
	if in.Extend != nil {
		if doc, err = in.Extend(ctx, id, doc, b); err != nil {
			return AddResult{}, err
		}
	}
	// Comments of a review are a person's.
	if len(task.Comments(doc)) > 0 {
		if err := engine.MayInside(p, "review", ""); err != nil {
			return AddResult{}, err
		}
	}
	// Last, so that no template and no caller decides about it.
	if doc, err = withReviewHold(p, doc); err != nil {
		return AddResult{}, err
	}
	if err := CheckNoCycle(ctx, p, id, doc); err != nil {
		return AddResult{}, err
	}
	score, err := linter.ScoreDocument(p, id, doc)
	if err != nil {
		return AddResult{}, err
	}
	s, err := spec.FromDocument(id, doc)
	if err == nil {
		// A template can name members.
		err = mayInvolve(p, s.Fields.Members...)
	}
	if err != nil {
		return AddResult{}, err
	}
	store.AdoptHome(p.Store, s)
	b.Create(id, "add", doc.Bytes())
	saved, err := b.Commit(ctx, "add a spec")
	return AddResult{Left: in.from.names(), ID: id, SpecID: id, Message: "Created spec: " + id, Title: doc.Title(), Path: store.SpecPath(id), Commit: saved.Commit, Derived: fields, Lint: score, made: s, vacuous: advice.NothingToVerify(p, &s.Spec), idle: hasNoScript(p, s)}, err
}

// withReviewHold returns the document of a new spec, which waits for a person if an agent adds it inside a run. It is the
// last change of the document, so that no template and no caller decides about it.
func withReviewHold(p *engine.Project, doc *markdown.Document) (*markdown.Document, error) {
	above, err := engine.RunAbove(p)
	if err != nil || above == "" {
		return doc, err
	}
	// The settings let agents add work that starts by itself.
	if p.Config.Agents.Add == config.AddReady {
		return doc, nil
	}
	if doc, err = spec.SetApproval(doc, &spec.Approval{Required: true, Status: spec.ApprovalPending}); err != nil {
		return nil, err
	}
	return doc.Apply(markdown.Set(spec.WaitsKey, spec.ForReview))
}

// hasNoScript reports whether the provider shell would work a spec that has no script.
func hasNoScript(p *engine.Project, s *spec.File) bool {
	_, ok := s.Script()
	return !ok && !s.Fields.Type.Container() && usage.ProviderOf(p, &s.Spec) == cli.ShellName
}

// CheckNoCycle refuses a document whose dependencies would close a cycle.
func CheckNoCycle(ctx context.Context, p *engine.Project, id string, doc *markdown.Document) error {
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return err
	}
	if _, member := spec.Parent(id); !member && len(s.Fields.DependsOn) == 0 {
		// It waits for nothing.
		return nil
	}
	set, err := p.Store.LoadAround(ctx, append(slices.Clone(s.Fields.DependsOn), id)...)
	if err != nil {
		return err
	}
	// In place of the one that is stored, since the document is not written yet.
	others := slices.DeleteFunc(set.Specs, func(o *spec.Spec) bool { return o.ID == id })
	for _, cycle := range spec.NewGraph(append(others, &s.Spec), set.Archived).Cycles() {
		// A cycle of others does not concern this one.
		if slices.Contains(cycle, id) {
			return engine.Fail(engine.Usage, next.List.On(), "dependencies would go in a circle: %s", strings.Join(cycle, " -> "))
		}
	}
	return nil
}
