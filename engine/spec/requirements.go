package spec

import (
	"fmt"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// LoosenedRequirements lists the changes between two versions of a spec that could let it land more easily: a removed
// label that has an approval rule; another target branch, type, output schema, members or limits;
// another adopted folder or part of it; and a key that the project requires and that was emptied. An added label, and a required key that was empty before, do not count.
// Neither does depends_on, which matters only until work begins.
func LoosenedRequirements(was, now *File, required []string) []string {
	var out []string
	for _, rule := range was.rulesFor() {
		if !slices.Contains(now.Fields.Labels, rule.Label) {
			out = append(out, fmt.Sprintf("the label %q, which asks for approval, was taken off the spec", rule.Label))
		}
	}
	if was.Fields.Onto != now.Fields.Onto {
		out = append(out, fmt.Sprintf("the branch on which the spec lands (onto) was changed from %q to %q", Echo(was.Fields.Onto), Echo(now.Fields.Onto)))
	}
	if was.Fields.Type != now.Fields.Type {
		out = append(out, fmt.Sprintf("the type of the spec was changed from %s to %s", Echo(string(was.Fields.Type)), Echo(string(now.Fields.Type))))
	}
	if was.Fields.Source != now.Fields.Source {
		out = append(out, fmt.Sprintf("the folder that the spec adopts (source) was changed from %q to %q", Echo(was.Fields.Source), Echo(now.Fields.Source)))
	}
	if !slices.Equal(was.Fields.Part, now.Fields.Part) {
		out = append(out, "the part of the folder that the spec is about was changed")
	}
	if !slices.Equal(was.Fields.Members, now.Fields.Members) {
		out = append(out, "the members of the spec were changed")
	}
	if was.Fields.OutputSchema != now.Fields.OutputSchema {
		out = append(out, "the output_schema of the spec was changed")
	}
	if limitsOf(was) != limitsOf(now) {
		out = append(out, "the limits of the spec were changed")
	}
	return append(out, emptiedKeys(was.Doc, now.Doc, required)...)
}

func limitsOf(s *File) Limits {
	if s.Fields.Limits == nil {
		return Limits{}
	}
	return *s.Fields.Limits
}

// emptiedKeys describes the required keys that have lost their values.
func emptiedKeys(was, now *markdown.Document, required []string) []string {
	before := MissingKeys(was, required)
	var out []string
	for _, key := range MissingKeys(now, required) {
		// A key that was empty when the work began was accepted like that.
		if !slices.Contains(before, key) {
			out = append(out, fmt.Sprintf("the key %q, which the project requires, was emptied", key))
		}
	}
	return out
}

// MissingKeys lists, in their order and each once, the required front-matter keys that a document lacks or has without
// a value: null, an empty text, an empty list or an empty mapping. Any key may be required, also one that is unknown to
// chant.
func MissingKeys(doc *markdown.Document, required []string) []string {
	var out []string
	for _, key := range required {
		var node yaml.Node
		found, err := doc.Get(key, &node)
		// A key that the project lists twice is reported once.
		if (err != nil || !found || isEmpty(&node)) && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	return out
}

// isEmpty reports whether a node is null, an empty text, list or mapping.
func isEmpty(node *yaml.Node) bool {
	switch node.Kind {
	case yaml.AliasNode:
		// An alias has no content of its own.
		return isEmpty(node.Alias)
	case yaml.ScalarNode:
		return node.Value == "" || node.Tag == "!!null"
	}
	return len(node.Content) == 0
}
