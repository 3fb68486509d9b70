package versions

import (
	"bytes"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/markdown"
)

// MergeDiscussion returns a MergeBody that merges bodies without their discussions by merge, and appends the joined
// discussion to the result. Remarks that both sides added at the same place are then no conflict.
func MergeDiscussion(merge MergeBody) MergeBody {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		var docs [3]*markdown.Document
		var said [3][]string
		for i, body := range [][]byte{base, ours, theirs} {
			doc, err := markdown.Parse("body", nil)
			if err != nil {
				return nil, false, err
			}
			docs[i] = doc.WithBody(body)
			said[i] = spec.Remarks(docs[i])
		}
		if slices.Equal(said[0], said[1]) && slices.Equal(said[0], said[2]) {
			return merge(base, ours, theirs)
		}
		for i := range docs {
			rest := bytes.TrimRight(docs[i].DropSections(spec.DiscussionHeading).Body(), " \t\r\n")
			docs[i] = docs[i].WithBody(append(bytes.Clone(rest), lineEnd(ours)...))
		}
		out, conflict, err := merge(docs[0].Body(), docs[1].Body(), docs[2].Body())
		if err != nil || conflict {
			return merge(base, ours, theirs) // with the discussion where it is
		}
		doc, all := docs[1].WithBody(out), joinRemarks(said)
		if len(all) == 0 {
			return out, false, nil
		}
		return doc.AppendToSection(spec.DiscussionHeading, []byte(strings.Join(all, "\n\n"))).Body(), false, nil
	}
}

// lineEnd returns the line end of the first line of a text.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// joinRemarks keeps the remarks that both sides have or one side has added, and drops those that one side has removed.
func joinRemarks(said [3][]string) []string {
	var all []string
	for _, line := range said[1] {
		if slices.Contains(said[2], line) || !slices.Contains(said[0], line) {
			all = append(all, line)
		}
	}
	for _, line := range said[2] {
		if !slices.Contains(said[1], line) && !slices.Contains(said[0], line) {
			all = append(all, line)
		}
	}
	return all
}
