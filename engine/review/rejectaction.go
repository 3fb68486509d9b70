package review

import (
	"context"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/markdown"
)

// addFixingSpec adds a spec that fixes a rejected one, which then depends on it. If an
// interrupted rejection has left such a spec, that one is used.
func addFixingSpec(ctx context.Context, p *engine.Project, s *spec.File, v *ruling) error {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return err
	}
	for _, other := range set.Specs {
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
