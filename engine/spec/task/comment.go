package task

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chant/engine/spec"
	"chant/markdown"
	"chant/text"
)

// This file reads and writes the comments of a review, which a spec keeps in its section "Review".
//
// Each comment is a line with its author, its time and, if it is about one, a place in a file; the text follows as a
// quote:
//
//	## Review
//
//	**Ada** - 2026-11-26 19:30 - `dates.go:12`
//	> A date without a zone is taken for UTC.
//
// It reads no files and decides nothing. People may edit the section by hand.
//
// Rules:
//
//   - A section without such a line is a part of the spec like any other, and has no comments.
//   - Time and place may be missing. What follows a comment belongs to its text, quoted or not; text before the first
//     comment is one without an author.
//   - Texts are written so that nothing in them becomes a heading, a box, a script or a comment of another author.
//   - What is written is read again as it was, apart from control characters and blanks at the ends of lines.
//
// Decisions:
//
// 2026-11-26: comments are prose in a section of their own. Rejected: the key `comments` of front matter, which has the
// comments of tasks, agents may write it; and the discussion of the approval, which agents are not given to read.
//
// 2026-11-26: comments are part of what an approval covers, because the next agent works by them: a comment after an
// approval makes the approval outdated, and an approval that follows covers it. Rejected: leaving them out, as the
// discussion is, since then anyone who can commit could direct an agent past an approval.

// Heading is the heading of the section with the comments.
const Heading = "Review"

// timeForm is how times are written, in UTC.
const timeForm = "2006-01-02 15:04"

// Comment is what a person says about a spec or the work on it.
type Comment struct {
	By   string    `json:"by,omitempty"`   // a name; "" if none is written
	At   time.Time `json:"at,omitzero"`    // to the minute
	File string    `json:"file,omitempty"` // that it is about, below the top of the repository
	Line int       `json:"line,omitempty"` // of the file, 0 for none
	Text string    `json:"text"`
}

// Place returns where the comment belongs, as "file:line" or "file"; "" if it is about the whole.
func (c Comment) Place() string {
	if c.File == "" || c.Line == 0 {
		return c.File
	}
	return c.File + ":" + strconv.Itoa(c.Line)
}

// ParsePlace reads "file:line" or "file". Error: why it is not a place in the repository.
func ParsePlace(place string) (file string, line int, err error) {
	// A person on Windows copies paths with backslashes.
	file = strings.TrimSpace(strings.ReplaceAll(place, `\`, "/"))
	if at := strings.LastIndexByte(file, ':'); at >= 0 {
		if line, err = strconv.Atoi(file[at+1:]); err != nil || line < 1 {
			return "", 0, fmt.Errorf("invalid place %q (use FILE or FILE:LINE)", spec.Echo(place))
		}
		file = file[:at]
	}
	if file != "" {
		file = path.Clean(file)
	}
	// The place is written between backticks on one line.
	if file == "" || file == "." || !spec.IsInside(file) || strings.ContainsAny(file, "`\n") || text.Printable(file) != file {
		return "", 0, fmt.Errorf("invalid place %q (use FILE or FILE:LINE, with a path in the repository)", spec.Echo(place))
	}
	return file, line, nil
}

// head matches the line that begins a comment.
var head = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^\\*\\*([^*].*?)\\*\\*(?: - ([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}))?(?: - `([^`]+)`)?:?$")
})

// Comments lists the comments of a document, in its order.
func Comments(doc *markdown.Document) []Comment {
	section, found := doc.Section(Heading)
	if !found {
		return nil
	}
	var all []Comment
	var lines []string // of the text of the last comment
	comments := false
	end := func() {
		said := strings.Trim(strings.Join(lines, "\n"), "\n")
		lines = nil
		if len(all) > 0 {
			all[len(all)-1].Text = said
		} else if said != "" {
			all = append(all, Comment{Text: said})
		}
	}
	for line := range bytes.SplitSeq(spec.UnixLineEnds(section), []byte("\n")) {
		one := strings.TrimRight(string(line), " \t\r")
		if c, begins := parseHead(one); begins {
			end()
			all, comments = append(all, c), true
			continue
		}
		lines = append(lines, unquote(one))
	}
	end()
	// A section of this name that has none of chant's comments is a part of the spec.
	if !comments {
		return nil
	}
	return all
}

// parseHead reads the line that begins a comment.
func parseHead(line string) (Comment, bool) {
	m := head().FindStringSubmatch(line)
	if m == nil {
		return Comment{}, false
	}
	c := Comment{By: unescape(m[1])}
	if at, err := time.Parse(timeForm, m[2]); err == nil {
		c.At = at
	}
	if m[3] != "" {
		file, at, err := ParsePlace(m[3])
		if err != nil {
			// A line with another place was written by hand and is part of a comment's text.
			return Comment{}, false
		}
		c.File, c.Line = file, at
	}
	return c, true
}

// Add appends comments to a document. Each has a text.
func Add(doc *markdown.Document, comments ...Comment) *markdown.Document {
	for _, c := range comments {
		doc = doc.AppendToSection(Heading, withLineEndsOf(doc, c.String()))
	}
	return doc
}

// String returns a comment as it is written.
func (c Comment) String() string {
	var out strings.Builder
	// The mail address of a person does not belong into the text.
	name, _ := spec.SplitPerson(c.By)
	out.WriteString("**" + cmp.Or(escape(text.OneLine(name)), "unknown") + "**")
	if !c.At.IsZero() {
		out.WriteString(" - " + c.At.UTC().Format(timeForm))
	}
	if c.File != "" {
		out.WriteString(" - `" + c.Place() + "`")
	}
	for line := range strings.SplitSeq(Clean(c.Text), "\n") {
		out.WriteString(strings.TrimRight("\n> "+escape(line), " "))
	}
	return out.String()
}

// withLineEndsOf returns a text with the line ends of a document.
func withLineEndsOf(doc *markdown.Document, said string) []byte {
	// A file has one kind of line ends, which its first line shows.
	if first, _, _ := bytes.Cut(doc.Bytes(), []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		said = strings.ReplaceAll(said, "\n", "\r\n")
	}
	return []byte(said)
}

// DropComments returns the document without its comments. A section "Review" that has none stays.
func DropComments(doc *markdown.Document) *markdown.Document {
	if len(Comments(doc)) == 0 {
		return doc
	}
	return doc.DropSections(Heading)
}

// Same reports whether two comments are one: it was copied with the spec.
func (c Comment) Same(other Comment) bool {
	return c.By == other.By && c.At.Equal(other.At) && c.File == other.File && c.Line == other.Line && c.Text == other.Text
}

// Union returns the comments of two copies of a spec, in the order of their times as far as these are known.
func Union(a, b []Comment) []Comment {
	out := slices.Concat(a, Difference(b, a))
	slices.SortStableFunc(out, func(x, y Comment) int {
		// A comment without a time stays beside those with which it was written.
		if x.At.IsZero() || y.At.IsZero() {
			return 0
		}
		return x.At.Compare(y.At)
	})
	return out
}

// Difference lists the comments that the other copy does not have.
func Difference(all, other []Comment) []Comment {
	var out []Comment
	for _, c := range all {
		if !slices.ContainsFunc(other, c.Same) {
			out = append(out, c)
		}
	}
	return out
}
