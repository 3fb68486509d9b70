package author

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Inherit copies the keys that the project requires of every spec from a spec to the document
// of another spec that was created because of it.
func Inherit(p *engine.Project, doc *markdown.Document, from *spec.File) (*markdown.Document, error) {
	var edits []markdown.Edit
	// A key that the document has was set for a reason.
	for _, key := range spec.MissingKeys(doc, p.Config.Enterprise.Required) {
		var value yaml.Node
		if found, err := from.Doc.Get(key, &value); err == nil && found && !slices.Contains(spec.OwnKeys(), key) {
			edits = append(edits, markdown.Set(key, &value))
		}
	}
	return doc.Apply(edits...)
}

// trailingCode matches the code spans at the end of a criterion.
var trailingCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(\\s*`[^`]*`)+\\s*$")
})

// MemberOf returns the document of a member for one criterion of a spec.
func MemberOf(s *spec.File, c spec.Criterion, id string) (*markdown.Document, error) {
	title := strings.TrimSpace(trailingCode().ReplaceAllString(c.Text, ""))
	// The criterion was nothing but commands.
	if title == "" {
		title = fmt.Sprintf("Criterion %d of %s", c.Number, s.Title)
	}
	doc, err := Compose(id, AddInput{
		Description: title + "\n\nA part of `" + s.ID + "`, whose text says more.",
		Labels:      s.Fields.Labels, TargetFiles: s.Fields.TargetFiles, Prompt: s.Fields.Prompt, Provider: s.Fields.Provider,
		RunsOn:        s.Fields.RunsOn,
		Criteria:      []string{c.Text},
		NeedsApproval: s.Fields.Approval != nil && s.Fields.Approval.Required,
	})
	if err != nil {
		return nil, err
	}
	return doc.Apply(markdown.Set("context", append(slices.Clone(s.Fields.Context), store.SpecPath(s.ID))))
}
