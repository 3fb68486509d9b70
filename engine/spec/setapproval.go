package spec

import (
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// SetApproval returns the document with another approval, or without one for nil. What
// else stands below the key, of another program, stays.
func SetApproval(doc *markdown.Document, a *Approval) (*markdown.Document, error) {
	var was *Approval
	if _, err := doc.Get("approval", &was); err == nil && SameApproval(was, a) {
		return doc, nil
	}
	if a == nil {
		return doc.Apply(markdown.Unset("approval"))
	}
	var next, old yaml.Node
	if err := next.Encode(a); err != nil {
		return nil, err
	}
	if found, err := doc.Get("approval", &old); err == nil && found && old.Kind == yaml.MappingNode {
		own := keysIn("approval")
		for i := 0; i+1 < len(old.Content); i += 2 {
			if !slices.Contains(own, old.Content[i].Value) {
				next.Content = append(next.Content, old.Content[i], old.Content[i+1])
			}
		}
	}
	return doc.Apply(markdown.Set("approval", &next))
}
