package spec

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"chant/markdown"
	"chant/providers/text"
)

// DiscussionHeading is the heading under which approvals and rejections are told.
const DiscussionHeading = "Approval Discussion"

// reasonLimit bounds a reason, in runes.
const reasonLimit = 2000

// Remark is one line of the discussion.
type Remark struct {
	By     string // "Name <mail>"
	At     time.Time
	Ruling string // APPROVED or REJECTED
	Reason string // may be empty
}

// Discuss appends a remark to a document's discussion, in a form that nothing in it can
// leave: a reason is words in one paragraph, never a heading, a box, a fence or a link.
func Discuss(doc *markdown.Document, r Remark) *markdown.Document {
	name, _ := SplitPerson(r.By)
	line := "**" + Inline(name) + "** - " + r.At.UTC().Format("2006-01-02 15:04") + " - " + r.Ruling
	if reason := Inline(r.Reason); reason != "" {
		line += ": " + reason
	}
	return doc.AppendToSection(DiscussionHeading, []byte(line))
}

// Inline is a text as plain words of one line: marks that mean something to Markdown
// are escaped, controls are dropped.
func Inline(remark string) string {
	var out strings.Builder
	for _, c := range text.Clip(text.Printable(text.OneLine(remark)), reasonLimit) {
		if strings.ContainsRune("\\`*_[]<>#|~$", c) {
			out.WriteByte('\\')
		}
		out.WriteRune(c)
	}
	return out.String()
}

// ApartDiscussion merges bodies by merge without their discussions, and puts what
// either side has said behind the outcome: remarks that were added at the same place
// are no conflict.
func ApartDiscussion(merge MergeBody) MergeBody {
	return func(base, ours, theirs []byte) ([]byte, bool, error) {
		var docs [3]*markdown.Document
		var said [3][]string
		for i, body := range [][]byte{base, ours, theirs} {
			doc, err := markdown.Parse("body", nil)
			if err != nil {
				return nil, false, err
			}
			docs[i] = doc.WithBody(body)
			said[i] = remarks(docs[i])
		}
		if slices.Equal(said[0], said[1]) && slices.Equal(said[0], said[2]) {
			return merge(base, ours, theirs)
		}
		for i := range docs {
			rest := bytes.TrimRight(docs[i].DropSections(DiscussionHeading).Body(), " \t\r\n")
			docs[i] = docs[i].WithBody(append(bytes.Clone(rest), lineEnd(ours)...))
		}
		out, conflict, err := merge(docs[0].Body(), docs[1].Body(), docs[2].Body())
		if err != nil || conflict {
			return merge(base, ours, theirs) // with the discussion at its place
		}
		doc, all := docs[1].WithBody(out), joinRemarks(said)
		if len(all) == 0 {
			return out, false, nil
		}
		return doc.AppendToSection(DiscussionHeading, []byte(strings.Join(all, "\n\n"))).Body(), false, nil
	}
}

// lineEnd is the line ending of a text, judged by its first line.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// joinRemarks keeps what both sides have or one has added, and drops what one took out.
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

// remarks lists the paragraphs of a document's discussion.
func remarks(doc *markdown.Document) []string {
	text, _ := doc.Section(DiscussionHeading)
	var out []string
	for part := range bytes.SplitSeq(evenEnds(text), []byte("\n\n")) {
		if line := strings.TrimSpace(string(part)); line != "" {
			out = append(out, line)
		}
	}
	return out
}
