package engine

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// mendFirst makes a spec that mends a rejected one, which then waits for it. One that an
// interrupted rejection has left is taken.
func (e *Engine) mendFirst(ctx context.Context, s *spec.Spec, v *ruling) error {
	set, err := e.store.Load(ctx)
	if err != nil {
		return err
	}
	for _, other := range set.Specs {
		if other.Fields.Original == s.ID && other.Status == spec.Pending && !slices.Contains(s.Fields.DependsOn, other.ID) {
			v.adding(other.ID, other.Doc)
			v.andThen(markdown.Set("depends_on", append(slices.Clone(s.Fields.DependsOn), other.ID)))
			return nil
		}
	}
	ids, err := e.allIDs(ctx)
	if err != nil {
		return err
	}
	id, err := e.newID(AddInput{}, ids)
	if err != nil {
		return err
	}
	title := "Mend what was rejected: " + s.Title
	doc, err := compose(id, AddInput{
		Description: title + "\n\nThe spec `" + s.ID + "` was rejected:\n\n> " + spec.Inline(v.reason) + "\n\nMake it ready to be approved.",
		Labels:      s.Fields.Labels, TargetFiles: s.Fields.TargetFiles,
		Criteria: []string{"What the rejection names is mended", "The spec " + s.ID + " can be approved as it then stands"},
	})
	if err != nil {
		return err
	}
	if doc, err = doc.Apply(markdown.Set("original_spec", s.ID)); err != nil {
		return err
	}
	if doc, err = e.inherit(doc, s); err != nil {
		return err
	}
	v.adding(id, doc)
	v.andThen(markdown.Set("depends_on", append(slices.Clone(s.Fields.DependsOn), id)))
	return nil
}

// splitUp turns a rejected spec into a driver whose members have a criterion each. They
// come one after the other, and wait for approval where the spec had to.
func (e *Engine) splitUp(s *spec.Spec, v *ruling) error {
	all := spec.Criteria(s.Doc)
	switch {
	case s.Branch != "":
		return fail(State, "chant reset "+s.ID, "spec %q has a run; it becomes a driver only without one", s.ID)
	case s.Fields.Type.Container():
		return fail(State, "chant deps "+s.ID, "spec %q is a driver already", s.ID)
	case len(all) == 0:
		return fail(State, "chant edit "+s.ID, "spec %q has no acceptance criteria that members could take", s.ID)
	}
	var members []string
	for _, c := range all {
		id := fmt.Sprintf("%s.%d", s.ID, c.Number)
		doc, err := memberOf(s, c, id)
		if err == nil {
			doc, err = e.inherit(doc, s)
		}
		if err != nil {
			return err
		}
		v.adding(id, doc)
		members = append(members, id)
	}
	v.andThen(markdown.Set("type", string(spec.Driver)), markdown.Set("members", members))
	return nil
}

// inherit gives a spec that another one makes necessary the keys that the project asks
// of every spec, as that one has them.
func (e *Engine) inherit(doc *markdown.Document, from *spec.Spec) (*markdown.Document, error) {
	var edits []markdown.Edit
	for _, key := range spec.MissingKeys(doc, e.config.Enterprise.Required) {
		var value yaml.Node
		if found, err := from.Doc.Get(key, &value); err == nil && found && !slices.Contains(spec.OwnKeys(), key) {
			edits = append(edits, markdown.Set(key, &value))
		}
	}
	return doc.Apply(edits...)
}

// trailing are the code spans that end a criterion.
var trailing = regexp.MustCompile("(\\s*`[^`]*`)+\\s*$")

// memberOf writes the member that takes one criterion of a spec.
func memberOf(s *spec.Spec, c spec.Criterion, id string) (*markdown.Document, error) {
	title := strings.TrimSpace(trailing.ReplaceAllString(c.Text, ""))
	if title == "" {
		title = fmt.Sprintf("Criterion %d of %s", c.Number, s.Title)
	}
	doc, err := compose(id, AddInput{
		Description: title + "\n\nA part of `" + s.ID + "`, whose text says more.",
		Labels:      s.Fields.Labels, TargetFiles: s.Fields.TargetFiles, Prompt: s.Fields.Prompt, Provider: s.Fields.Provider,
		Criteria:      []string{c.Text},
		NeedsApproval: s.Fields.Approval != nil && s.Fields.Approval.Required,
	})
	if err != nil {
		return nil, err
	}
	return doc.Apply(markdown.Set("context", append(slices.Clone(s.Fields.Context), store.SpecPath(s.ID))))
}
