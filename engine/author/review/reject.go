package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/run/advice"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/markdown"
	"chant/text"
)

// RejectInput names the spec to reject, the person who rejects, and the reason.
type RejectInput struct {
	ID     string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Reason string `json:"reason" jsonschema:"Why, for the person or agent that fixes it"`
	By     string `json:"by,omitempty" jsonschema:"Who rejects: name, mail, or both, of a person git knows here; you when omitted"`
	Action string `json:"action,omitempty" schema:"enum=manual|dependency|group" jsonschema:"manual, dependency (a new spec fixes it first) or group (a member for each criterion); the project's when omitted"`
}

// Reject records a person's rejection of a spec, which only an approval takes back. With the
// action dependency a new spec is created that fixes it and on which it depends; with group
// the spec becomes a driver with a member for each criterion. Errors as for Approve; Usage
// without a reason.
func Reject(ctx context.Context, p *engine.Project, in RejectInput) (RulingResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return RulingResult{}, engine.Wrap(err, in.ID)
	}
	result, err := reject(ctx, p, id, in)
	if err == nil {
		result.Next = advice.After(ctx, p, id)
	}
	return engine.Done(result, err, id)
}

func reject(ctx context.Context, p *engine.Project, id string, in RejectInput) (RulingResult, error) {
	if strings.TrimSpace(in.Reason) == "" {
		return RulingResult{}, engine.Fail(engine.Usage, next.Reject.Help(), "a rejection needs a reason")
	}
	if err := engine.PlainText("reason", in.Reason); err != nil {
		return RulingResult{}, err
	}
	// The project's action counts if none is named.
	action, err := config.ParseRejection(cmp.Or(in.Action, string(p.Config.Approval.Rejection)))
	if err != nil {
		return RulingResult{}, engine.Fail(engine.Usage, next.Reject.Help(), "%s", err)
	}
	by, err := findPerson(ctx, p, in.By)
	if err != nil {
		return RulingResult{}, err
	}
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return RulingResult{}, err
	}
	// Checked before specs are made.
	if err := checkDecidable(s, attempt.RejectWord); err != nil {
		return RulingResult{}, err
	}
	v := rejection(p, by, text.OneLine(in.Reason))
	switch action {
	case config.RejectDependency:
		err = addFixingSpec(ctx, p, s, &v)
	case config.RejectGroup:
		err = makeDriver(p, s, &v)
	case config.RejectManual:
	}
	if err != nil {
		return RulingResult{}, err
	}
	return writeRuling(ctx, p, id, v)
}

// rejection returns the ruling with which every action begins.
func rejection(p *engine.Project, by, reason string) ruling {
	at := p.Now()
	return ruling{
		by: by, word: attempt.RejectWord, reason: reason,
		shape: func(doc *markdown.Document) (*markdown.Document, error) {
			return spec.Discuss(doc, spec.Remark{By: by, At: at, Ruling: "REJECTED", Reason: reason}), nil
		},
		decide: func(s *spec.File, work string) spec.Approval {
			rejected := spec.Approval{Status: spec.Rejected, By: by, At: formatTime(at), Hash: s.ContentHash(), Work: work}
			// A rejection does not change whether an approval is required.
			if a := s.Fields.Approval; a != nil {
				rejected.Required = a.Required
			}
			return rejected
		},
	}
}

// addEdits adds edits of the document, which follow the other changes of the ruling.
func (v *ruling) addEdits(edits ...markdown.Edit) {
	before := v.shape
	v.shape = func(doc *markdown.Document) (*markdown.Document, error) {
		doc, err := before(doc)
		if err != nil {
			return nil, err
		}
		return doc.Apply(edits...)
	}
}

// addSpec adds a spec to create.
func (v *ruling) addSpec(id string, doc *markdown.Document) {
	v.adds = append(v.adds, store.Added{ID: id, Content: doc.Bytes()})
}

// addFixingSpec adds a spec that fixes a rejected one, which then depends on it. If an
// interrupted rejection has left such a spec, that one is used.
func addFixingSpec(ctx context.Context, p *engine.Project, s *spec.File, v *ruling) error {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return err
	}
	for _, other := range set.Specs {
		// An interrupted rejection has left it.
		if other.Fields.Original == s.ID && other.Status == spec.Pending && !slices.Contains(s.Fields.DependsOn, other.ID) {
			found, err := p.Store.Get(ctx, other.ID)
			if err != nil {
				return err
			}
			v.addSpec(other.ID, found.Doc)
			v.addEdits(markdown.Set("depends_on", append(slices.Clone(s.Fields.DependsOn), other.ID)))
			return nil
		}
	}
	ids, err := author.AllIDs(ctx, p)
	if err != nil {
		return err
	}
	id, err := author.NewID(p, author.AddInput{}, ids)
	if err != nil {
		return err
	}
	title := "Fix what was rejected: " + s.Title
	doc, err := author.Compose(id, author.AddInput{
		Description: title + "\n\nThe spec `" + s.ID + "` was rejected:\n\n> " + spec.Inline(v.reason) + "\n\nMake it ready to be approved.",
		Labels:      s.Fields.Labels, TargetFiles: s.Fields.TargetFiles,
		Criteria: []string{"What the rejection names is fixed", "The spec " + s.ID + " can be approved as it is then"},
	})
	if err != nil {
		return err
	}
	if doc, err = doc.Apply(markdown.Set("original_spec", s.ID)); err != nil {
		return err
	}
	// The project may require keys of every spec.
	if doc, err = author.Inherit(p, doc, s); err != nil {
		return err
	}
	v.addSpec(id, doc)
	v.addEdits(markdown.Set("depends_on", append(slices.Clone(s.Fields.DependsOn), id)))
	return nil
}

// makeDriver turns a rejected spec into a driver with a member for each criterion. The
// members wait for approval if the spec had to.
func makeDriver(p *engine.Project, s *spec.File, v *ruling) error {
	all := spec.Criteria(s.Doc)
	switch {
	case s.Branch != "":
		return engine.Fail(engine.State, next.Reset.On(s.ID), "spec %q has a run; it becomes a driver only without one", s.ID)
	case s.Fields.Type.Container():
		return engine.Fail(engine.State, next.Deps.On(s.ID), "spec %q is a driver already", s.ID)
	case len(all) == 0:
		return engine.Fail(engine.State, next.Edit.On(s.ID), "spec %q has no acceptance criteria that members could take", s.ID)
	}
	var members []string
	for _, c := range all {
		// By the number of the criterion, so that a repeated rejection makes the same ids.
		id := fmt.Sprintf("%s.%d", s.ID, c.Number)
		doc, err := author.MemberOf(s, c, id)
		if err == nil {
			doc, err = author.Inherit(p, doc, s)
		}
		if err != nil {
			return err
		}
		v.addSpec(id, doc)
		members = append(members, id)
	}
	v.addEdits(markdown.Set("type", string(spec.Driver)), markdown.Set("members", members))
	return nil
}
