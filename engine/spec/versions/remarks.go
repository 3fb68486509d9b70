package versions

import (
	"bytes"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/markdown"
)

// MergeRemarks returns a MergeBody that merges bodies without their discussions and comments of reviews by merge, and
// appends the joined ones to the result. Remarks that both sides added at the same place are then no conflict.
func MergeRemarks(merge MergeBody) MergeBody {
	return mergeSection(spec.DiscussionHeading, mergeSection(task.Heading, merge))
}

// mergeSection does so for one section of remarks.
func mergeSection(heading string, merge MergeBody) MergeBody {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		var docs [3]*markdown.Document
		var said [3][]string
		for i, body := range [][]byte{base, ours, theirs} {
			doc, err := markdown.Parse("body", nil)
			if err != nil {
				return nil, false, err
			}
			docs[i] = doc.WithBody(body)
			said[i] = paragraphs(docs[i], heading)
		}
		// Nothing was said, so the sections need no care.
		if slices.Equal(said[0], said[1]) && slices.Equal(said[0], said[2]) {
			return merge(base, ours, theirs)
		}
		for i := range docs {
			// Blank lines at the end would differ where only one side has a section after them.
			rest := bytes.TrimRight(docs[i].DropSections(heading).Body(), " \t\r\n")
			docs[i] = docs[i].WithBody(append(bytes.Clone(rest), lineEnd(ours)...))
		}
		out, conflict, err := merge(docs[0].Body(), docs[1].Body(), docs[2].Body())
		if err != nil || conflict {
			// The discussion stays where it is.
			return merge(base, ours, theirs)
		}
		doc, all := docs[1].WithBody(out), joinRemarks(said)
		if len(all) == 0 {
			return out, false, nil
		}
		end := lineEnd(ours)
		text := strings.ReplaceAll(strings.Join(all, "\n\n"), "\n", end)
		return doc.AppendToSection(heading, []byte(text)).Body(), false, nil
	}
}

// paragraphs lists the remarks in a section, none for a section of a review that has no comments.
func paragraphs(doc *markdown.Document, heading string) []string {
	if heading == task.Heading && len(task.Comments(doc)) == 0 {
		return nil
	}
	section, _ := doc.Section(heading)
	var out []string
	for part := range bytes.SplitSeq(spec.UnixLineEnds(section), []byte("\n\n")) {
		if line := strings.Trim(string(part), "\n"); strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
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
