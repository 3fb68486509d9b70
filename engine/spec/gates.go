package spec

import (
	"fmt"
	"slices"

	"chant/markdown"
)

// Under puts a spec under the rules of the labels that another copy of it carries too,
// nil for none. Removing a label from one copy removes no rule from the spec: that happens
// only where the label is gone from every copy that has a say.
func (s *Spec) Under(other *Spec) {
	if other == nil {
		return
	}
	s.beside = append(slices.Clone(s.beside), other.ruleLabels()...)
}

// ruleLabels are the labels whose rules hold for the spec: its own, and those of the
// copies beside it.
func (s *Spec) ruleLabels() []string {
	out := slices.Concat(s.Fields.Labels, s.beside)
	if s.Home != nil {
		out = append(out, s.Home.ruleLabels()...)
	}
	return out
}

// Loosened names what a spec says otherwise, since was, of the gates that it has to pass:
// a label that carries a rule, the branch on which it lands, its type and members, the schema of its output, its limits, and the
// keys that the project requires. A further label, and a key that was empty before, loosen
// nothing; depends_on is no gate any more once work has begun.
func Loosened(was, now *Spec, required []string) []string {
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
	if !slices.Equal(was.Fields.Members, now.Fields.Members) {
		out = append(out, "the members of the spec were changed")
	}
	if was.Fields.OutputSchema != now.Fields.OutputSchema {
		out = append(out, "the output_schema of the spec was changed")
	}
	if limitsOf(was) != limitsOf(now) {
		out = append(out, "the limits of the spec were changed")
	}
	return append(out, emptied(was.Doc, now.Doc, required)...)
}

func limitsOf(s *Spec) Limits {
	if s.Fields.Limits == nil {
		return Limits{}
	}
	return *s.Fields.Limits
}

// emptied names the required keys that have lost their values.
func emptied(was, now *markdown.Document, required []string) []string {
	before := MissingKeys(was, required)
	var out []string
	for _, key := range MissingKeys(now, required) {
		if !slices.Contains(before, key) {
			out = append(out, fmt.Sprintf("the key %q, which the project requires, was emptied", key))
		}
	}
	return out
}
