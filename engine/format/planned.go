package format

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/format/tasklist"
	"chant/engine/spec"
	"chant/markdown"
	"chant/text"
)

// Planned is a finished plan, as the packages below write it. Its texts are Markdown.
type Planned struct {
	Title    string // in a few words; "" for the beginning of Goal
	Created  string // a day such as 2026-11-30, "" if unknown
	Goal     string
	NonGoals []string
	Risks    []string
	Members  []Member
}

// Member is one piece of work of a plan.
type Member struct {
	Title    string
	Why      string
	What     string
	Criteria []Criterion
	Files    []string // that it is expected to change
	After    []int    // indexes of the members for which it waits, without cycles
	Labels   []string
}

// Criterion is one thing that must be true in the end.
type Criterion struct {
	Text    string
	Command string // one line, "" for a criterion that a person checks
}

// ExistsError names a folder that a plan would overwrite.
type ExistsError struct{ Dir string }

func (e *ExistsError) Error() string { return fmt.Sprintf("%q already exists", e.Dir) }

// slugs is what a plan may be called: the names that each of the tools accepts for a folder.
var slugs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`) })

// Check reports why a plan cannot be written under a name.
func (p Planned) Check(slug string) error {
	if !slugs().MatchString(slug) {
		return fmt.Errorf("invalid name %q (use words of a-z and 0-9 with hyphens between them)", slug)
	}
	if p.Name() == "" || len(p.Members) == 0 {
		return fmt.Errorf("the plan %q has no goal, or no parts", slug)
	}
	for i, m := range p.Members {
		if Line(m.Title) == "" {
			return fmt.Errorf("part %d of the plan has no title", i+1)
		}
		for _, before := range m.After {
			if before < 0 || before >= len(p.Members) || before == i {
				return fmt.Errorf("part %d of the plan, %q, waits for part %d of %d", i+1, m.Title, before+1, len(p.Members))
			}
		}
		for _, c := range m.Criteria {
			// A code span would join the lines to another command.
			if strings.ContainsAny(strings.TrimSpace(c.Command), "\r\n") {
				return fmt.Errorf("a command of part %d of the plan, %q, has several lines: %q", i+1, m.Title, c.Command)
			}
		}
	}
	return nil
}

// Name returns the title of the plan on one line.
func (p Planned) Name() string { return Line(cmp.Or(p.Title, text.Clip(text.FirstLine(p.Goal), 80))) }

// BesideOthers reports whether a member can begin at the same time as others: it waits for nothing, and no other member
// that waits for nothing changes a file that it changes.
func (p Planned) BesideOthers(i int) bool {
	m := p.Members[i]
	shares := func(file string) bool { return slices.Contains(m.Files, file) }
	for j, other := range p.Members {
		if j != i && len(other.After) == 0 && slices.ContainsFunc(other.Files, shares) {
			return false
		}
	}
	return len(p.Members) > 1 && len(m.After) == 0 && len(m.Files) > 0
}

// Files lists the files that members are expected to change, each once, as code spans.
func (p Planned) Files() string {
	var all []string
	for _, m := range p.Members {
		all = append(all, m.Files...)
	}
	slices.Sort(all)
	return cmp.Or(Codes(slices.Compact(all)), "not known yet")
}

// Tasks returns the texts of a member's tasks: the work, which names those that come before it, and then each criterion.
func (p Planned) Tasks(i int, name func(member int) string) []string {
	m := p.Members[i]
	work := "Implement: " + tasklist.WithoutDependency(Line(m.Title))
	if len(m.Files) > 0 {
		work += " in " + Codes(m.Files)
	}
	var before []string
	for _, at := range m.After {
		before = append(before, name(at))
	}
	if len(before) > 0 {
		work += " (depends on " + strings.Join(before, ", ") + ")"
	}
	out := []string{work}
	for _, c := range m.Criteria {
		c.Text = tasklist.WithoutDependency(c.Text)
		out = append(out, "Check: "+c.Line())
	}
	return out
}

// Text returns what a member is about, as paragraphs.
func (m Member) Text() string {
	out := []string{Block(m.Why), Block(m.What)}
	if len(m.Files) > 0 {
		out = append(out, "Files: "+Codes(m.Files))
	}
	if len(m.Labels) > 0 {
		out = append(out, "Labels: "+Codes(m.Labels))
	}
	return Paragraphs(out...)
}

// Summary returns what a member does in at most 400 characters on one line.
func (m Member) Summary() string {
	what, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(m.What, "\r\n", "\n")), "\n\n")
	return text.Clip(Line(cmp.Or(what, m.Title)), 400)
}

// Line returns a criterion as the text of an item of a list, with its command as the code span at the end that
// [chant/engine/spec.Criteria] reads.
func (c Criterion) Line() string {
	line, command := Line(c.Text), strings.TrimSpace(c.Command)
	if command == "" {
		return line
	}
	for _, said := range []string{line, strings.ReplaceAll(line, "`", "\\`")} {
		line = strings.TrimSpace(said + " " + Code("$ "+command))
		// A backquote in the text that nothing closes would end in the command.
		doc, err := markdown.Parse("", []byte("# "+spec.CriteriaHeading+"\n\n- [ ] "+line+"\n"))
		if err != nil {
			continue
		}
		if read := spec.Criteria(doc); len(read) == 1 && slices.Equal(read[0].Commands, []string{command}) {
			break
		}
	}
	return line
}

// Steps returns when a criterion is checked, and what must be true then.
func (c Criterion) Steps() (when, then string) {
	if command := strings.TrimSpace(c.Command); command != "" {
		return Code("$ "+command) + " runs", strings.TrimSuffix("it succeeds: "+Line(c.Text), ": ")
	}
	return "a person checks the result", cmp.Or(Line(c.Text), "it is as described")
}

// Readable returns a title on one line if a reader finds it there again, with its number if that is needed to know it from
// others, else only a name for the part.
func Readable(title string, part int, reads func(title string) bool) string {
	title = Line(title)
	for _, said := range []string{title, fmt.Sprintf("%s (part %d)", title, part)} {
		if reads(said) {
			return said
		}
	}
	return fmt.Sprintf("Part %d", part)
}

// Line returns a text on one line, on which it opens no comment.
func Line(src string) string {
	return strings.ReplaceAll(spec.OneLine(text.Printable(src)), "<!--", `\<!--`)
}

// Code returns a text as a code span, whatever backquotes are in it.
func Code(src string) string {
	fence, pad := "`", ""
	for strings.Contains(src, fence) {
		fence += "`"
	}
	if strings.HasPrefix(src, "`") || strings.HasSuffix(src, "`") {
		// Markdown takes away one space at each end.
		pad = " "
	}
	return fence + pad + src + pad + fence
}

// Codes returns texts as code spans with commas between them.
func Codes(all []string) string {
	var out []string
	for _, one := range all {
		out = append(out, Code(Line(one)))
	}
	return strings.Join(out, ", ")
}

// List returns texts as the items of a list.
func List(all []string) string {
	var out []string
	for _, one := range all {
		out = append(out, "- "+Line(one))
	}
	return strings.Join(out, "\n")
}

// Block returns Markdown as a part of a document, of which the rest must mean what it does without it: a text with
// headings and boxes of its own, or that leaves a fence or a comment open, becomes a block of code.
func Block(src string) string {
	src = strings.TrimSpace(text.Printable(src))
	doc, err := markdown.Parse("", []byte("# Before\n\n"+src+"\n\n# Behind\n"))
	if err == nil && len(doc.Headings()) == 2 && len(doc.AllTasks()) == 0 {
		return src
	}
	return spec.Fenced("text", src)
}

// Paragraphs joins the texts that are not empty with an empty line between them.
func Paragraphs(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(one string) bool { return one == "" }), "\n\n")
}
