package versions

import (
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// MergeBoxes returns a MergeBody that also merges boxes of new criteria. It first uses merge. If that conflicts, it
// tries again after ticking, on both sides, each box that one side has ticked for a criterion that base does not have.
// This resolves the case that both sides changed a criterion in the same way and one of them has ticked it since.
func MergeBoxes(merge MergeBody) MergeBody {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		// Most bodies merge without looking at boxes.
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
		first, err := tickAs(known, one, other)
		if err != nil {
			return nil, false, err
		}
		second, err := tickAs(known, other, one)
		if err != nil {
			return nil, false, err
		}
		again, left, err := merge(base, first.Body(), second.Body())
		// The first result is returned, because its conflict marks have the boxes as they are.
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

// tickAs ticks each box of doc that other has ticked, if base does not have the criterion.
func tickAs(base, doc, other *markdown.Document) (*markdown.Document, error) {
	for _, t := range doc.Tasks(spec.CriteriaHeading) {
		same := func(o markdown.Task) bool { return o.Text == t.Text }
		ticked := func(o markdown.Task) bool { return same(o) && o.Checked }
		// A criterion that base has was ticked or unticked by a side, which the merge of the lines covers.
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
