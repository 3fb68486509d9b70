package versions

import (
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// AlikeBoxes merges bodies by merge and, where they conflict, once more with the boxes alike of the
// criteria that both sides have written anew: a person has changed a criterion on either side, and the
// box was ticked on one of them since.
func AlikeBoxes(merge MergeBody) MergeBody {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		out, conflict, err := merge(base, ours, theirs)
		if err != nil || !conflict {
			return out, conflict, err
		}
		known, err := bodyDocument(base)
		if err != nil {
			return nil, false, err
		}
		one, err := bodyDocument(ours)
		if err != nil {
			return nil, false, err
		}
		other, err := bodyDocument(theirs)
		if err != nil {
			return nil, false, err
		}
		first, err := tickedAs(known, one, other)
		if err != nil {
			return nil, false, err
		}
		second, err := tickedAs(known, other, one)
		if err != nil {
			return nil, false, err
		}
		again, left, err := merge(base, first.Body(), second.Body())
		if err != nil || left {
			return out, conflict, err
		}
		return again, false, nil
	}
}

func bodyDocument(body []byte) (*markdown.Document, error) {
	doc, err := markdown.Parse("body", nil)
	if err != nil {
		return nil, err
	}
	return doc.WithBody(body), nil
}

// tickedAs ticks the boxes of a document that another one has ticked, of criteria that base lacks.
func tickedAs(base, doc, other *markdown.Document) (*markdown.Document, error) {
	for _, t := range doc.Tasks(spec.CriteriaHeading) {
		same := func(o markdown.Task) bool { return o.Text == t.Text }
		ticked := func(o markdown.Task) bool { return same(o) && o.Checked }
		if t.Checked || slices.ContainsFunc(base.Tasks(spec.CriteriaHeading), same) || !slices.ContainsFunc(other.Tasks(spec.CriteriaHeading), ticked) {
			continue
		}
		var err error
		if doc, err = doc.SetChecked(t.Offset, true); err != nil {
			return nil, err
		}
	}
	return doc, nil
}
