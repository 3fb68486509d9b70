package spec

import (
	"strings"
	"time"

	"chant/markdown"
	"chant/text"
)

// DiscussionHeading is the heading of the section that records approvals and rejections.
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

// Discuss appends a remark to a document's discussion, as one paragraph of plain words. Name and reason are escaped, so
// they cannot become a heading, a box, a code block or a link.
func Discuss(doc *markdown.Document, r Remark) *markdown.Document {
	// The mail address remains in the front matter and does not go into the text.
	name, _ := SplitPerson(r.By)
	// People in several time zones read the line.
	line := "**" + Inline(name) + "** - " + r.At.UTC().Format("2006-01-02 15:04") + " - " + r.Ruling
	if reason := Inline(r.Reason); reason != "" {
		line += ": " + reason
	}
	return doc.AppendToSection(DiscussionHeading, []byte(line))
}

// Inline returns a text as plain words on one line: characters with a meaning in Markdown are escaped, and control
// characters are removed.
func Inline(remark string) string {
	var out strings.Builder
	for _, c := range text.Clip(text.Printable(text.OneLine(remark)), reasonLimit) {
		// Each of these can begin markup in Markdown.
		if strings.ContainsRune("\\`*_[]<>#|~$", c) {
			out.WriteByte('\\')
		}
		out.WriteRune(c)
	}
	return out.String()
}
