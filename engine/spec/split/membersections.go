package split

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/markdown"
)

// This file reads the answers that the prompts of the older chant ask for, which have a section for each member:
//
//	## Member 1: The cart
//
//	What to do.
//
//	### Acceptance Criteria
//	- [ ] The cart adds up
//
//	**Affected Files:**
//	- `cart.go`
//
//	**Dependencies:** Member 2

// memberForms are the expressions for the parts of such an answer.
var memberForms = sync.OnceValue(func() (p struct{ asked, heading, label, bullet, members, number, numbers *regexp.Regexp }) {
	p.asked = regexp.MustCompile(`(?m)^#+ Member (?:1|N)\b`)
	p.heading = regexp.MustCompile(`(?i)^\**member\s+#?([0-9]{1,4})\**\s*[:.)–—-]*\s*(.*)$`)
	p.label = regexp.MustCompile(`(?i)^\s*(?:[-*+]\s+)?\**(affected files|target files|dependencies|depends on|requires)\**\s*:\**\s*(.*)$`)
	p.bullet = regexp.MustCompile(`^\s*(?:[-*+]|[0-9]+[.)])\s+(.*)$`)
	p.members = regexp.MustCompile(`(?i)\bmembers?\s+#?[0-9]+(?:\s*(?:,|and|&|,\s*and)\s*(?:member\s+)?#?[0-9]+\b)*`)
	p.number = regexp.MustCompile(`[0-9]+`)
	p.numbers = regexp.MustCompile(`(?i)^(?:[#0-9.,&\s]|and)+$`)
	return p
})

// AsksForSections reports whether a prompt itself asks for a section for each member, so that its answer has another form than
// AnswerInstructions describes.
func AsksForSections(prompt string) bool { return memberForms().asked.MatchString(prompt) }

// readSections returns the members whose sections a text has, none if it has another form. If no member names another one,
// each waits for the one before, as with ByHeading.
func readSections(text string) []Member {
	doc, err := markdown.Parse("", []byte(withoutFence(text)))
	if err != nil {
		return nil
	}
	var out []Member
	var numbers []int
	level, depends := 0, false
	for _, h := range doc.Headings() {
		m := memberForms().heading.FindStringSubmatch(h.Text)
		if m == nil || level > 0 && h.Level != level {
			continue
		}
		level = h.Level
		number, _ := strconv.Atoi(m[1])
		sub, err := markdown.Parse("", doc.Bytes()[h.Start:h.End])
		if err != nil {
			return nil
		}
		member := readSection(sub)
		member.Title = strings.Trim(m[2], "* ")
		if member.DependsOn != nil {
			depends = true
		}
		// Corrections keep the numbers of the members that they replace.
		out, numbers = append(out, member), append(numbers, max(1, number))
	}
	for i := 1; i < len(out) && !depends; i++ {
		out[i].DependsOn = []Reference{{Number: numbers[i-1]}}
	}
	return out
}

// withoutFence returns the content of a text that is one fenced block as a whole.
func withoutFence(text string) string {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, "\n")
	inner, closed := strings.CutSuffix(rest, "```")
	if closed && strings.HasPrefix(first, "```") && strings.Contains(inner, "# Member ") {
		return inner
	}
	return text
}

// memberPart is what a line of a member's section belongs to.
type memberPart int

const (
	description memberPart = iota
	criteria
	files
	dependencies
	requires // of which the text stays in the description, because it says what is used of another member
)

// partOf returns the part of a section with this heading or label.
func partOf(title string) memberPart {
	title = strings.ToLower(strings.Trim(title, "*: "))
	switch {
	case strings.HasPrefix(title, strings.ToLower(spec.CriteriaHeading)):
		return criteria
	case title == "affected files" || title == "target files":
		return files
	case title == "dependencies" || title == "depends on":
		return dependencies
	case title == "requires":
		return requires
	}
	return description
}

// readSection reads the section of a member, without its title.
func readSection(doc *markdown.Document) Member {
	var m Member
	for _, c := range spec.Criteria(doc) {
		m.Criteria = append(m.Criteria, Criterion{Text: c.Text})
	}
	// Some models write the heading of the criteria as bold text.
	if len(m.Criteria) == 0 {
		for _, task := range doc.AllTasks() {
			m.Criteria = append(m.Criteria, Criterion{Text: task.Text})
		}
	}
	headings := map[int]markdown.Heading{}
	for _, h := range doc.Headings() {
		headings[h.Line] = h
	}
	prose := map[int]bool{}
	for _, line := range doc.Prose() {
		prose[line.Number] = true
	}
	var text, needs, wins []string
	around, at, level := description, description, 0
	for i, line := range strings.Split(string(doc.Bytes()), "\n")[1:] {
		h, isHeading := headings[i+2]
		label := memberForms().label.FindStringSubmatch(line)
		switch {
		case !prose[i+2]:
		case isHeading && (around == description || h.Level <= level):
			around, level = partOf(h.Text), h.Level
			if at = around; at != description && at != requires {
				continue
			}
		case label != nil:
			at, line = partOf(label[1]), label[2]
			if at == requires {
				text = append(text, label[0])
			}
		// A label is about the list that follows it.
		case at != around && strings.TrimSpace(line) != "" && memberForms().bullet.FindString(line) == "":
			if at = around; around == criteria {
				at = description
			}
		}
		switch at {
		case description:
			text = append(text, line)
		case files:
			m.TargetFiles = append(m.TargetFiles, filesIn(line, label != nil)...)
		case dependencies:
			needs = append(needs, line)
		case requires:
			if wins = append(wins, line); label == nil {
				text = append(text, line)
			}
		case criteria:
		}
	}
	m.Description = strings.TrimSpace(strings.Join(text, "\n"))
	if m.DependsOn = membersIn(wins); m.DependsOn == nil {
		m.DependsOn = membersIn(needs)
	}
	return m
}

// filesIn returns the files that a line of a list names, or several behind a label.
func filesIn(line string, several bool) (out []string) {
	if b := memberForms().bullet.FindStringSubmatch(line); b != nil {
		line = b[1]
	}
	names := []string{line}
	if several {
		names = strings.Split(line, ",")
	}
	for _, name := range names {
		if _, code, found := strings.Cut(name, "`"); found {
			name, _, _ = strings.Cut(code, "`")
		}
		// What follows says what is done with the file.
		for _, end := range []string{" (", " - ", " – ", " — ", ": "} {
			name, _, _ = strings.Cut(name, end)
		}
		switch name = strings.Trim(name, " \t\r*"); strings.ToLower(strings.Trim(name, ".()")) {
		case "", "none", "n/a", "-":
		default:
			out = append(out, name)
		}
	}
	return out
}

// membersIn returns the members that lines name: "Member 1 and 2", or numbers alone. It returns nil if there are none.
func membersIn(lines []string) (out []Reference) {
	for _, line := range lines {
		found := memberForms().members.FindAllString(line, -1)
		if b := memberForms().bullet.FindStringSubmatch(line); b != nil {
			line = b[1]
		}
		if found == nil && memberForms().numbers.MatchString(line) {
			found = []string{line}
		}
		for _, number := range memberForms().number.FindAllString(strings.Join(found, " "), -1) {
			if n, err := strconv.Atoi(number); err == nil && n > 0 {
				out = append(out, Reference{Number: n})
			}
		}
	}
	return out
}

// sectionsProblem returns what is wrong with the number of members.
func sectionsProblem(members []Member) []string {
	if len(members) > maxMembers {
		return []string{fmt.Sprintf("there are %d members, more than %d", len(members), maxMembers)}
	}
	return nil
}
