package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/task/taskboard"
	"chant/markdown"
)

// CreateInput describes a new task. What is left out gets the defaults of the settings.
type CreateInput struct {
	Title         string              `json:"title" jsonschema:"Title"`
	Description   string              `json:"description,omitempty" jsonschema:"Text; a section Acceptance Criteria with checkboxes is what the task is verified by"`
	Project       string              `json:"project,omitempty" jsonschema:"Prefix, such as AUTH"`
	Priority      string              `json:"priority,omitempty" jsonschema:"Priority"`
	Type          string              `json:"type,omitempty" jsonschema:"Type"`
	Status        string              `json:"status,omitempty" jsonschema:"First status"`
	Reporter      string              `json:"reporter,omitempty" jsonschema:"Who asked for it, @me for the caller"`
	Assignee      string              `json:"assignee,omitempty" jsonschema:"Who works on it, @me for the caller"`
	DueDate       string              `json:"due_date,omitempty" jsonschema:"Day or time, such as 2026-12-01 or +3d"`
	Effort        string              `json:"effort,omitempty" jsonschema:"Hours or points, such as 4h, 1d 2h or 3pt"`
	Subtitle      string              `json:"subtitle,omitempty" jsonschema:"Second line of the title"`
	Tags          []string            `json:"tags,omitempty" jsonschema:"Tags"`
	Relationships *task.Relationships `json:"relationships,omitempty" jsonschema:"Relationships to other tasks"`
	CustomFields  map[string]any      `json:"custom_fields,omitempty" jsonschema:"Fields of the project"`
	Sprints       []int               `json:"sprints,omitempty" jsonschema:"Sprints"`

	Criteria []string `json:"-"` // acceptance criteria
	Exact    bool     `json:"-"` // an effort that cannot be read is refused
}

// CreateResult is the new task.
type CreateResult struct {
	Task     task.Task `json:"task"`
	Metadata Metadata  `json:"metadata"`
}

// Metadata says which values a new task got that the caller did not give, and which values there are.
type Metadata struct {
	AppliedDefaults []AppliedDefault    `json:"appliedDefaults"`
	EnumHints       map[string][]string `json:"enumHints,omitempty"`
}

// AppliedDefault is a value that the caller did not give.
type AppliedDefault struct {
	Field string `json:"field"`
	Value any    `json:"value"`
}

// Create adds a spec with the next number of its project, in one commit. Errors: Usage for a value that is not allowed,
// NotFound for a sprint or a related task that does not exist, and those of author.Add. Nothing is written then.
func Create(ctx context.Context, p *engine.Project, in CreateInput) (result CreateResult, err error) {
	if strings.TrimSpace(in.Title) == "" {
		return CreateResult{}, asEngineError(task.Invalid("Missing required field: title"), "")
	}
	if err := checkTexts(Patch{Title: &in.Title, Description: &in.Description}); err != nil {
		return CreateResult{}, createFault(err)
	}
	board, err := taskboard.Open(ctx, p, in.Project)
	if err != nil {
		return CreateResult{}, err
	}
	prefix, err := board.NewPrefix(in.Project)
	if err != nil {
		return CreateResult{}, asEngineError(err, "")
	}
	c := &creation{p: p, board: board, prefix: prefix, patch: in.patch()}
	if err := c.applyDefaults(ctx); err != nil {
		return CreateResult{}, createFault(err)
	}
	if err := c.check(ctx, in.Exact); err != nil {
		return CreateResult{}, createFault(err)
	}
	// The specs that it is to block are written in the same commit, so they are locked before the lock of add.
	if c.held, err = holdAll(ctx, p, nil, map[string]error{}, blockedBy(ctx, p, nil, in.Relationships)); err != nil {
		return CreateResult{}, createFault(errors.Join(err, releaseAll(c.held)))
	}
	defer func() { err = errors.Join(err, releaseAll(c.held)) }()
	description := strings.TrimSpace(spec.OneLine(in.Title) + "\n" + in.Description)
	added, err := author.Add(ctx, p, author.AddInput{Description: description, Criteria: in.Criteria, Extend: c.extend})
	if err != nil {
		return CreateResult{}, createFault(err)
	}
	created, err := c.finish(ctx, added.ID)
	if err != nil {
		return CreateResult{}, err
	}
	return CreateResult{created, Metadata{c.applied(created), board.EnumHints(prefix)}}, nil
}

// WhyLeftOut says why a task, by the id of its spec, is left out where everything that is ready is worked, in words that follow
// "it"; "" if it is not.
func WhyLeftOut(ctx context.Context, p *engine.Project, id string) (string, error) {
	s, err := p.Store.Get(ctx, id)
	if err != nil || !advice.OnlyByName(p, &s.Spec) {
		return "", err
	}
	return advice.WhyOnlyByName, nil
}

// texts pairs the fields that are texts with those of a patch.
func (in *CreateInput) texts(p *Patch) map[*string]**string {
	return map[*string]**string{
		&in.Description: &p.Description, &in.Priority: &p.Priority, &in.Type: &p.Type, &in.Status: &p.Status, &in.Reporter: &p.Reporter,
		&in.Assignee: &p.Assignee, &in.DueDate: &p.DueDate, &in.Effort: &p.Effort, &in.Subtitle: &p.Subtitle,
	}
}

// patch returns the values of the input as a patch, without the description, which author.Add writes.
func (in CreateInput) patch() Patch {
	patch := Patch{Relationships: in.Relationships}
	for own, into := range in.texts(&patch) {
		if strings.TrimSpace(*own) != "" {
			*into = own
		}
	}
	// author.Add writes the description.
	patch.Description = nil
	if len(in.Tags) > 0 {
		patch.Tags = &in.Tags
	}
	if len(in.CustomFields) > 0 {
		patch.CustomFields = &in.CustomFields
	}
	if len(in.Sprints) > 0 {
		patch.Sprints = &in.Sprints
	}
	return patch
}

// creation is a task on its way.
type creation struct {
	p      *engine.Project
	board  taskboard.Board
	prefix string
	patch  Patch
	given  Patch // what the caller has given
	edits  []markdown.Edit
	status spec.Status
	held   map[string]*engine.Held // the specs that it is to block
}

// applyDefaults fills in what the caller has not given.
func (c *creation) applyDefaults(ctx context.Context) error {
	st := c.board.Settings
	// Before the defaults, so that the result can say which values the caller did not give.
	c.given = c.patch
	branch := ""
	if head, err := c.p.Repo.Head(ctx, engine.Home(c.p)); err == nil {
		branch = head.Branch
	}
	kind, status, priority := task.BranchDefaults(branch, st)
	set := func(into **string, values ...string) {
		for _, value := range values {
			if *into == nil && strings.TrimSpace(value) != "" && value != "*" {
				*into = &value
			}
		}
	}
	set(&c.patch.Priority, priority, allowedOr(st.DefaultPriority, st.Priorities))
	// Without settings of lotar, the type of the spec is enough.
	if len(st.Types) > 0 && (st.Workspace || kind != "") {
		set(&c.patch.Type, kind, st.Types[0])
	}
	set(&c.patch.Status, status, st.DefaultStatus, st.WordOf(spec.Pending, ""))
	if st.Auto.SetReporter {
		set(&c.patch.Reporter, st.DefaultReporter, task.Me)
	}
	set(&c.patch.Assignee, st.DefaultAssignee)
	if c.patch.Tags == nil && len(st.DefaultTags) > 0 {
		// A copy, because the settings are shared.
		tags := slices.Clone(st.DefaultTags)
		c.patch.Tags = &tags
	}
	return nil
}

// allowedOr returns a value if the list has it, else the first of the list.
func allowedOr(value string, allowed []string) string {
	if canonical, ok := task.MatchEnum(value, allowed); ok {
		return canonical
	}
	if len(allowed) > 0 {
		return allowed[0]
	}
	return ""
}

// check checks all values before anything is written.
func (c *creation) check(ctx context.Context, exact bool) error {
	f := &fields{p: c.p, board: c.board, s: &spec.Spec{}, exact: exact}
	if err := f.addTexts(ctx, c.patch); err != nil {
		return err
	}
	if err := f.addLists(c.patch); err != nil {
		return err
	}
	to, word, err := f.statusFor(*c.patch.Status)
	if err != nil {
		return err
	}
	c.status = to
	if c.edits = f.edits; to == spec.Completed {
		// It is completed afterwards, when its criteria hold.
		c.status, to = spec.Pending, spec.Pending
	} else {
		c.edits = append(c.edits, word)
	}
	if to != spec.Pending {
		events, err := path(spec.Pending, to)
		if err != nil {
			return err
		}
		if err := engine.MayInside(c.p, "status", ""); err != nil && len(events) > 0 {
			return err
		}
	}
	return nil
}

// finish returns the new task. One that is to be done is completed first, if its criteria hold.
func (c *creation) finish(ctx context.Context, id string) (task.Task, error) {
	if to, _, _ := c.board.Settings.StatusOf(*c.patch.Status); to == spec.Completed {
		t, err := editOne(ctx, c.p, c.board, id, "update", updatePlan(Patch{Status: c.patch.Status}, false))
		if err != nil {
			// Also after a cancellation: a task that could not be completed would stay, though the call has failed.
			err = c.takeBack(context.WithoutCancel(ctx), id, err)
		}
		return t, err
	}
	return view(ctx, c.p, c.board, id)
}

// takeBack deletes a new task that cannot be completed, and returns the reason without a step about that task.
func (c *creation) takeBack(ctx context.Context, id string, reason error) error {
	h, err := engine.Hold(ctx, c.p, id, "update")
	if err == nil {
		var s *spec.File
		if s, err = c.p.Store.Get(ctx, id); err == nil {
			_, err = remove(ctx, c.p, s)
		}
		err = errors.Join(err, h.Release())
	}
	if err != nil {
		return errors.Join(reason, err)
	}
	if known, ok := errors.AsType[*engine.Error](reason); ok {
		// The step names a task that does not exist any more.
		own := *known
		own.Next = next.Step{}
		return createFault(&own)
	}
	return createFault(reason)
}

// extend adds the number, the fields and the relationships to the new spec.
func (c *creation) extend(ctx context.Context, id string, doc *markdown.Document, b *store.Batch) (*markdown.Document, error) {
	// author.Add calls this under the lock of add, so the number is given once.
	key, err := taskboard.NextNumber(ctx, c.p, c.prefix)
	if err != nil {
		return nil, err
	}
	b.Number(key)
	edits := append([]markdown.Edit{markdown.Set("task", key), markdown.Set("status", string(c.status))}, c.edits...)
	if r := c.patch.Relationships; r != nil {
		e := &Editor{Project: c.p, Board: c.board, Batch: b, word: "update", all: c.held}
		if err := e.resolveRelationships(ctx, id, r); err != nil {
			return nil, err
		}
		edits = append(edits, relationshipEdits(*r)...)
		for _, other := range r.Blocks {
			if err := e.editDependency(ctx, other, id, true); err != nil {
				return nil, err
			}
		}
	}
	made, err := doc.Apply(withoutUnset(lastOfEachKey(edits))...)
	if err != nil {
		return nil, err
	}
	return made, c.checkApproval(id, made)
}

// checkApproval refuses a new task that is already started though it needs an approval.
func (c *creation) checkApproval(id string, doc *markdown.Document) error {
	if c.status == spec.Pending {
		return nil
	}
	events, err := path(spec.Pending, c.status)
	if err != nil || !slices.Contains(events, spec.Start) {
		return err
	}
	s, err := spec.FromDocument(id, doc)
	if err != nil {
		return err
	}
	// A document alone does not have the rules of the project, by which approval may be required.
	s.Rules = c.p.Store.Rules
	if hold := s.ApprovalBlock(); hold.Exists() {
		return engine.Fail(engine.Blocked, next.ByHand("create it without a status, and have it approved"), "the new task %s, so it cannot be started yet", hold)
	}
	return nil
}

// withoutUnset leaves out the removal of keys, which a new spec does not have.
func withoutUnset(edits []markdown.Edit) []markdown.Edit {
	return slices.DeleteFunc(edits, func(e markdown.Edit) bool { return e.Remove })
}

// applied lists the values that the caller has not given.
func (c *creation) applied(t task.Task) []AppliedDefault {
	out := []AppliedDefault{}
	for _, f := range []struct {
		name  string
		given bool
		value string
	}{
		{"priority", c.given.Priority != nil, t.Priority}, {"type", c.given.Type != nil, t.TaskType}, {"status", c.given.Status != nil, t.Status},
		{"reporter", c.given.Reporter != nil, t.Reporter}, {"assignee", c.given.Assignee != nil, t.Assignee},
	} {
		if !f.given && f.value != "" {
			out = append(out, AppliedDefault{f.name, f.value})
		}
	}
	if c.given.Tags == nil && len(t.Tags) > 0 {
		out = append(out, AppliedDefault{"tags", t.Tags})
	}
	return out
}

// UnmarshalJSON reads the input as clients of lotar send it: numbers may be texts, lists may be texts with commas, null
// is absent, and unknown members are ignored. Errors: *task.Fault.
func (in *CreateInput) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return task.Invalid("Invalid params: expected an object")
	}
	for name, value := range members {
		if IsNull(value) {
			delete(members, name)
		}
	}
	title, named := members["title"]
	// A patch refuses an empty title with another text than Create does.
	delete(members, "title")
	var patch Patch
	rest, err := json.Marshal(members)
	if err != nil {
		return err
	}
	if err := patch.UnmarshalJSON(rest); err != nil {
		return err
	}
	if named {
		members["title"] = title
	}
	for name, into := range map[string]*string{"project": &in.Project, "title": &in.Title} {
		if value, given := members[name]; given {
			if *into, err = readText(name, value); err != nil {
				return err
			}
		}
	}
	in.fill(patch)
	return nil
}

// fill takes the values of a patch.
func (in *CreateInput) fill(patch Patch) {
	for own, given := range in.texts(&patch) {
		if *given != nil {
			*own = **given
		}
	}
	if patch.Tags != nil {
		in.Tags = *patch.Tags
	}
	if patch.CustomFields != nil {
		in.CustomFields = *patch.CustomFields
	}
	if patch.Sprints != nil {
		in.Sprints = *patch.Sprints
	}
	in.Relationships = patch.Relationships
}
