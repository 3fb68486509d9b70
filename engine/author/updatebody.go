package author

import (
	"bytes"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/markdown"
)

// OutputHeading is the heading under which output is appended.
const OutputHeading = "Output"

// body appends output under its heading, or replaces the body with it; the title
// stays if the new text has none. s is the spec as it was before the call. Errors:
// Invalid, Unverified if criteria would change that may not.
func (in UpdateInput) body(s *spec.File, doc *markdown.Document) (*markdown.Document, error) {
	if in.Output == "" {
		return doc, nil
	}
	text := withLineEndsOf(doc, in.Output)
	if !in.ReplaceBody {
		changed := doc.AppendToSection(OutputHeading, text)
		if !slices.EqualFunc(spec.Criteria(doc), spec.Criteria(changed), sameBox) {
			return nil, engine.Fail(engine.Invalid, next.Show.On(s.ID), "the output would change the acceptance criteria of spec %q; put it in a code fence", s.ID)
		}
		return changed, nil
	}
	end := withLineEndsOf(doc, "\n")
	changed := doc.WithBody(slices.Concat(bytes.TrimRight(text, "\r\n"), end))
	if title := doc.Title(); changed.Title() == "" && title != "" {
		changed = doc.WithBody(slices.Concat([]byte("# "+title), end, end, changed.Body()))
	}
	return changed, CheckCriteriaKept(s, doc, changed, in.completes())
}

// CheckCriteriaKept refuses a new body that weakens the criteria of a spec that was
// started, or that changes any criterion of a spec that is completed or is about to
// be: a criterion that was not judged would count as judged. One that is pending and
// stays so may get other criteria.
func CheckCriteriaKept(s *spec.File, doc, changed *markdown.Document, completes bool) error {
	if s.Status == spec.Pending && !completes {
		return nil
	}
	before, after := spec.Criteria(doc), spec.Criteria(changed)
	found := spec.Tampering(before, after)
	if completes || s.Status == spec.Completed {
		found = append(found, unjudgedChanges(before, after)...)
	}
	if len(found) == 0 {
		return nil
	}
	return engine.Fail(engine.Unverified, next.Show.On(s.ID), "the new body would change what spec %q is judged by: %s", s.ID, strings.Join(found, "; "))
}

// unjudgedChanges names the criteria that were added and the boxes that were changed,
// except boxes of criteria with commands, which follow their results.
func unjudgedChanges(before, after []spec.Criterion) []string {
	var out []string
	for _, c := range after {
		switch i := slices.IndexFunc(before, func(b spec.Criterion) bool { return b.ID == c.ID }); {
		case i < 0:
			out = append(out, "criterion was added: "+c.Text)
		case !c.Runs() && before[i].Checked != c.Checked:
			out = append(out, "box was changed: "+c.Text)
		}
	}
	return out
}

// sameBox reports whether two criteria have the same text and the same box.
func sameBox(a, b spec.Criterion) bool { return a.ID == b.ID && a.Checked == b.Checked }

// withLineEndsOf returns a text with the line ends of a document, which are those of its first line.
func withLineEndsOf(doc *markdown.Document, text string) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	first, _, _ := bytes.Cut(doc.Bytes(), []byte("\n"))
	if bytes.HasSuffix(first, []byte("\r")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return []byte(text)
}
