package engine

import (
	"context"
	"fmt"
	"slices"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// DeriveInput says for which specs derived keys are worked out.
type DeriveInput struct {
	ID     string `json:"id,omitempty" jsonschema:"Spec ID (full or partial)"`
	All    bool   `json:"all,omitempty" jsonschema:"All active specs"`
	DryRun bool   `json:"dry_run,omitempty" jsonschema:"Say what would be written, write nothing"`
}

// DeriveResult lists the specs that got keys, or would.
type DeriveResult struct {
	Specs    []DerivedSpec `json:"specs"`
	Warnings []string      `json:"warnings,omitempty"` // of sources that gave nothing usable
}

// DerivedSpec is what one spec got.
type DerivedSpec struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
	Commit string            `json:"commit,omitempty"`
}

// Derive works out the keys under enterprise.derived for specs that do not have them,
// one commit each. What stands in a spec is never overwritten, whoever wrote it; a
// source that gives nothing leaves the key out. With All, specs whose run has a branch
// are left alone. Errors: Usage without one of ID and All, State, Conflict.
func (e *Engine) Derive(ctx context.Context, in DeriveInput) (DeriveResult, error) {
	result := DeriveResult{Specs: []DerivedSpec{}}
	if (in.ID == "") != in.All {
		return result, fail(Usage, "chant derive --all", "name a spec, or all of them with --all")
	}
	ids, err := e.derivable(ctx, in)
	if err != nil {
		return result, wrap(err, in.ID)
	}
	values, warnings, err := e.sources(ctx)
	if err != nil {
		return result, wrap(err, "")
	}
	for _, id := range ids {
		got, err := e.deriveOne(ctx, id, values, in.DryRun)
		if err != nil {
			return result, wrap(err, id)
		}
		if len(got.Fields) > 0 {
			result.Specs = append(result.Specs, got)
		}
		warnings = append(warnings, outsideOf(e.config.Enterprise.Derived, id, got.Fields)...)
	}
	slices.Sort(warnings)
	result.Warnings = slices.Compact(warnings)
	return result, nil
}

func (e *Engine) derivable(ctx context.Context, in DeriveInput) ([]string, error) {
	if in.ID != "" {
		id, err := e.find(ctx, in.ID)
		return []string{id}, err
	}
	set, err := e.store.Load(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range set.Specs {
		if s.Branch == "" {
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

func (e *Engine) deriveOne(ctx context.Context, id string, values sourceValues, dry bool) (DerivedSpec, error) {
	got := DerivedSpec{ID: id}
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return got, err
	}
	if got.Fields = e.derived(s.Doc, id, values); len(got.Fields) == 0 || dry {
		return got, nil
	}
	got.Commit, err = withHold(ctx, e, id, "derive", func(h *held) (string, error) {
		out, err := e.store.Transition(ctx, store.Change{ID: h.id, Word: "derive", Edit: func(doc *markdown.Document) (*markdown.Document, error) {
			got.Fields = e.derived(doc, h.id, values) // as it stands now
			return withDerived(doc, e.config.Enterprise.Derived, got.Fields)
		}})
		return out.Commit, err
	})
	return got, err
}

// derived are the keys that a document does not have and that a source gives.
func (e *Engine) derived(doc *markdown.Document, id string, values sourceValues) map[string]string {
	out := map[string]string{}
	for _, key := range e.config.Enterprise.Derived {
		if len(spec.MissingKeys(doc, []string{key.Key})) == 0 {
			continue
		}
		if value := valueOf(key, id, values); value != "" {
			out[key.Key] = value
		}
	}
	return out
}

// withDerived writes derived keys, and their names under derived_fields.
func withDerived(doc *markdown.Document, keys derivedKeys, fields map[string]string) (*markdown.Document, error) {
	if len(fields) == 0 {
		return doc, nil
	}
	var names spec.StringList
	if _, err := doc.Get("derived_fields", &names); err != nil {
		return nil, err
	}
	var edits []markdown.Edit
	for _, key := range keys { // in the order of the settings
		value, ok := fields[key.Key]
		if !ok {
			continue
		}
		var written any = value
		if slices.Contains([]string{"labels", "context"}, key.Key) {
			written = []string{value}
		}
		edits = append(edits, markdown.Set(key.Key, written))
		if !slices.Contains(names, key.Key) {
			names = append(names, key.Key)
		}
	}
	return doc.Apply(append(edits, markdown.Set("derived_fields", names))...)
}

// outsideOf names the values that are none of those which the settings list.
func outsideOf(keys derivedKeys, id string, fields map[string]string) []string {
	var out []string
	for _, key := range keys {
		if value, ok := fields[key.Key]; ok && key.Values != nil && !slices.Contains(key.Values, value) {
			out = append(out, fmt.Sprintf("spec %q: %s is %q, which is none of %v", id, key.Key, spec.Echo(value), key.Values))
		}
	}
	return out
}
