package author

import (
	"slices"

	"chant/engine/spec"
	"chant/engine/split"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// named are the ids at these places, never nil: an empty list says that a member waits
// for none of the others.
func named(ids []string, at []int) []string {
	out := []string{}
	for _, i := range at {
		out = append(out, ids[i])
	}
	return out
}

// passedOn are the keys that members have from the spec they are a part of.
func passedOn() []string {
	return []string{"labels", "priority", "prompt", "prompt_extensions", "provider", "model", "tracks", "origin", "informed_by"}
}

// member writes one member of a spec, which it quotes: what the spec says beside its
// parts is known to each of them.
func (d *divider) member(of *spec.Spec, part split.Part, ids []string, i int) (*markdown.Document, error) {
	doc, err := part.Document(store.SpecPath(ids[i]))
	if err != nil {
		return nil, err
	}
	edits := []markdown.Edit{
		markdown.Set("type", string(of.Fields.Type)), markdown.Set("status", string(spec.Pending)), markdown.Set("depends_on", named(ids, part.After)),
	}
	if len(part.Files) > 0 {
		edits = append(edits, markdown.Set("target_files", part.Files))
	}
	for _, key := range passedOn() {
		var value yaml.Node
		if found, err := of.Doc.Get(key, &value); err != nil {
			return nil, err
		} else if found {
			edits = append(edits, markdown.Set(key, &value))
		}
	}
	edits = append(edits, markdown.Set("context", append(slices.Clone(of.Fields.Context), store.SpecPath(of.ID))))
	if l := of.Fields.Limits; l != nil {
		edits = append(edits, markdown.Set("limits", l.Share(len(ids))))
	}
	if of.Fields.OutputSchema != "" && i == len(ids)-1 { // it comes behind the others, and brings together what they found
		edits = append(edits, markdown.Set("output_schema", of.Fields.OutputSchema))
	}
	if value, ok := checksFor(of, part.Whole); ok {
		edits = append(edits, markdown.Set("verify", value))
	}
	if a := of.Fields.Approval; a != nil && a.Required {
		edits = append(edits, markdown.Set("approval", map[string]any{"required": true, "status": "pending"}))
	}
	if doc, err = doc.Apply(edits...); err != nil {
		return nil, err
	}
	return Inherit(d.p, doc, of)
}

// checksFor is the key `verify` of a member: how commands run is for every one of them,
// the commands themselves for the one that has the whole.
func checksFor(of *spec.Spec, whole bool) (*yaml.Node, bool) {
	var value yaml.Node
	if found, err := of.Doc.Get("verify", &value); err != nil || !found {
		return nil, false
	}
	if whole {
		return &value, true
	}
	if value.Kind != yaml.MappingNode {
		return nil, false
	}
	kept := yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(value.Content); i += 2 {
		if key := value.Content[i].Value; !slices.Contains([]string{"commands", "defaults", "run", "name"}, key) {
			kept.Content = append(kept.Content, value.Content[i], value.Content[i+1])
		}
	}
	return &kept, len(kept.Content) > 0 && !slices.ContainsFunc(value.Content, func(n *yaml.Node) bool { return n.Value == "run" })
}
