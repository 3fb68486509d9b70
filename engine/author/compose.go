package author

import (
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/markdown"
)

// Compose returns the document of a new spec. Values are written by the YAML encoder, so
// that no input can break the front matter.
func Compose(id string, in AddInput) (*markdown.Document, error) {
	doc, err := in.document(store.SpecPath(id))
	if err != nil {
		return nil, err
	}
	if doc, err = withCriteria(doc, in.Criteria); err != nil {
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
	}{{"depends_on", in.DependsOn}, {"labels", in.Labels}, {"target_files", in.TargetFiles}, {"runs_on", in.RunsOn}} {
		if len(list.items) > 0 {
			edits = append(edits, markdown.Set(list.key, list.items))
		}
	}
	for _, word := range []struct{ key, value string }{
		{"prompt", in.Prompt}, {"provider", in.Provider}, {"priority", in.Priority}, {"assignee", in.Assignee}, {"reporter", in.Reporter},
		{"due_date", in.DueDate}, {"effort", in.Effort},
	} {
		if word.value != "" {
			edits = append(edits, markdown.Set(word.key, word.value))
		}
	}
	if in.NeedsApproval {
		edits = append(edits, markdown.Set("approval", map[string]any{"required": true, "status": "pending"}))
	}
	// Only a template can make a document invalid.
	if in.from == nil {
		return doc.Apply(edits...)
	}
	// Keys of the template that the input does not have.
	if doc, err = doc.Apply(append(edits, in.from.edits...)...); err != nil {
		return nil, err
	}
	return doc, in.from.check(id, doc)
}

// document returns the text of the new spec, from its description or its template.
func (in *AddInput) document(path string) (*markdown.Document, error) {
	if in.from != nil {
		doc, err := in.from.document(path)
		if err != nil {
			return nil, err
		}
		return withTitle(doc, in.Description), nil
	}
	title, rest := splitDescription(in.Description)
	var body strings.Builder
	fmt.Fprintf(&body, "# %s\n", title)
	if rest != "" {
		fmt.Fprintf(&body, "\n%s\n", rest)
	}
	return markdown.Parse(path, []byte(body.String()))
}

// withCriteria adds criteria to a document, and checks that they are read as criteria: a
// fence or a comment that the description leaves open would swallow them.
func withCriteria(doc *markdown.Document, criteria []string) (*markdown.Document, error) {
	if len(criteria) == 0 {
		return doc, nil
	}
	var list strings.Builder
	for i, c := range criteria {
		// The list would end in the middle of the command.
		if spec.BrokenCommand(c) {
			return nil, engine.Fail(engine.Invalid, next.Guide.On("specs"), "criterion %d has a line break in its command; join the lines with && or move them to a script", i+1)
		}
		fmt.Fprintf(&list, "- [ ] %s\n", spec.OneLine(c))
	}
	before := len(spec.Criteria(doc))
	doc = doc.AppendToSection(spec.CriteriaHeading, []byte(list.String()))
	// A fence that is open would swallow them.
	if got := len(spec.Criteria(doc)); got != before+len(criteria) {
		return nil, engine.Fail(engine.Invalid, next.Add.Help(), "the description swallows criteria: %d of %d are left; does it leave a fence, a comment or HTML open?", got-before, len(criteria))
	}
	return doc, nil
}

// splitDescription returns the title and the rest of a description. The title is the
// first line, or the first sentence of one long line.
func splitDescription(text string) (title, rest string) {
	text = strings.TrimSpace(text)
	if head, tail, ok := strings.Cut(text, "\n"); ok {
		return strings.TrimSpace(head), strings.TrimSpace(tail)
	}
	// Such a line is a title as it is.
	if len(text) <= 80 {
		return text, ""
	}
	if head, tail, ok := strings.Cut(text, ". "); ok {
		return head, strings.TrimSpace(tail)
	}
	return strings.TrimSuffix(text, "."), ""
}
