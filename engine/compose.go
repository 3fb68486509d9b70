package engine

import (
	"fmt"
	"strings"

	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// compose writes the document. Values go through the YAML encoder, so nothing a
// description holds can break the front matter.
func compose(id string, in AddInput) (*markdown.Document, error) {
	title, rest := splitDescription(in.Description)
	var body strings.Builder
	fmt.Fprintf(&body, "# %s\n", title)
	if rest != "" {
		fmt.Fprintf(&body, "\n%s\n", rest)
	}
	if len(in.Criteria) > 0 {
		fmt.Fprintf(&body, "\n## %s\n\n", spec.CriteriaHeading)
		for _, c := range in.Criteria {
			fmt.Fprintf(&body, "- [ ] %s\n", strings.Join(strings.Fields(c), " "))
		}
	}
	doc, err := markdown.Parse(store.SpecPath(id), []byte(body.String()))
	if err != nil {
		return nil, err
	}
	kind := in.Type
	if kind == "" {
		kind = string(spec.Code)
	}
	edits := []markdown.Edit{markdown.Set("type", kind), markdown.Set("status", string(spec.Pending))}
	for _, list := range []struct {
		key   string
		items []string
	}{{"depends_on", in.DependsOn}, {"labels", in.Labels}, {"target_files", in.TargetFiles}} {
		if len(list.items) > 0 {
			edits = append(edits, markdown.Set(list.key, list.items))
		}
	}
	for _, word := range []struct{ key, value string }{{"prompt", in.Prompt}, {"provider", in.Provider}} {
		if word.value != "" {
			edits = append(edits, markdown.Set(word.key, word.value))
		}
	}
	if in.NeedsApproval {
		edits = append(edits, markdown.Set("approval", map[string]any{"required": true, "status": "pending"}))
	}
	return doc.Apply(edits...)
}

// splitDescription takes the title from a long description: its first line, or
// its first sentence.
func splitDescription(text string) (title, rest string) {
	text = strings.TrimSpace(text)
	if head, tail, ok := strings.Cut(text, "\n"); ok {
		return strings.TrimSpace(head), strings.TrimSpace(tail)
	}
	if len(text) <= 80 {
		return text, ""
	}
	if head, tail, ok := strings.Cut(text, ". "); ok {
		return head, strings.TrimSpace(tail)
	}
	return strings.TrimSuffix(text, "."), ""
}
