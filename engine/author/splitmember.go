package author

import (
	"slices"

	"chant/engine/spec"
	"chant/engine/spec/split"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// pickIDs returns the ids at these indexes, never nil: an empty list says that a member does
// not wait for any other.
func pickIDs(ids []string, at []int) []string {
	out := []string{}
	for _, i := range at {
		out = append(out, ids[i])
	}
	return out
}

// inheritedKeys returns the keys that members get from the spec of which they are a part.
func inheritedKeys() []string {
	return []string{"labels", "priority", "prompt", "prompt_extensions", "provider", "runs_on", "model", "tracks", "origin", "informed_by"}
}

// memberDocument returns the document of one member. Its context contains the spec, so that its
// agent knows what that says besides its parts.
func (d *divider) memberDocument(of *spec.File, part split.Part, ids []string, i int) (*markdown.Document, error) {
	doc, err := part.Document(store.SpecPath(ids[i]))
	if err != nil {
		return nil, err
	}
	edits := []markdown.Edit{
		markdown.Set("type", string(of.Fields.Type)), markdown.Set("status", string(spec.Pending)), markdown.Set("depends_on", pickIDs(ids, part.After)),
	}
	if len(part.Files) > 0 {
		edits = append(edits, markdown.Set("target_files", part.Files))
	}
	for _, key := range inheritedKeys() {
		var value yaml.Node
		if found, err := of.Doc.Get(key, &value); err != nil {
			return nil, err
		} else if found {
			edits = append(edits, markdown.Set(key, &value))
		}
	}
	// Its agent reads there what the parts do not say.
	edits = append(edits, markdown.Set("context", append(slices.Clone(of.Fields.Context), store.SpecPath(of.ID))))
	if len(part.Source) > 0 {
		edits = append(edits, markdown.Set("source", of.Fields.Source), markdown.Set("part", part.Source))
	}
	// Together the members may use what the spec may.
	if l := of.Fields.Limits; l != nil {
		edits = append(edits, markdown.Set("limits", l.Share(len(ids))))
	}
	// The last member combines the results of the others.
	if of.Fields.OutputSchema != "" && i == len(ids)-1 {
		edits = append(edits, markdown.Set("output_schema", of.Fields.OutputSchema))
	}
	if value, ok := verifyKeyFor(of, part.Whole); ok {
		edits = append(edits, markdown.Set("verify", value))
	}
	// The approval of the group was not one of its members.
	if a := of.Fields.Approval; a != nil && a.Required {
		edits = append(edits, markdown.Set("approval", map[string]any{"required": true, "status": "pending"}))
	}
	if doc, err = doc.Apply(edits...); err != nil {
		return nil, err
	}
	return Inherit(d.p, doc, of)
}

// verifyKeyFor returns the key `verify` of a member. Every member gets the settings with which
// commands run, but only the member for the whole gets the commands.
func verifyKeyFor(of *spec.File, whole bool) (*yaml.Node, bool) {
	var value yaml.Node
	if found, err := of.Doc.Get("verify", &value); err != nil || !found {
		return nil, false
	}
	if whole {
		return &value, true
	}
	// A list is commands alone, which only the member for the whole gets.
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
