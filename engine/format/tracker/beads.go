package tracker

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// readBeads reads JSON lines, one issue in each, as `bd export` writes them, or the list that `bd list --json` prints.
func (r *Result) readBeads(f File) error {
	src := bytes.TrimPrefix(f.Content, []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("[")) {
		var all []record
		if err := decode(f, src, &all); err != nil {
			return err
		}
		for i, issue := range all {
			if err := r.addBead(issue, f.Path, fmt.Sprintf("issue %d", i+1)); err != nil {
				return err
			}
		}
		return nil
	}
	number := 0
	for line := range bytes.Lines(src) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var issue record
		err := decode(f, line, &issue)
		if err == nil {
			err = r.addBead(issue, f.Path, fmt.Sprintf("line %d", number))
		}
		if fault, ok := err.(*FileError); ok {
			fault.Line = number
			return fault
		}
	}
	return nil
}

// dependency is what an issue of beads says of another one.
type dependency struct {
	On   string `json:"depends_on_id"`
	Kind string `json:"type"`
}

func (r *Result) addBead(b record, path, where string) error {
	it := Item{ID: b.word("id"), Title: b.word("title")}
	// An export may hold memories and settings, too.
	if kind := b.word("_type"); kind != "" && kind != "issue" {
		r.left("%s (a %s)", where, kind)
		return nil
	}
	if it.ID == "" {
		return &FileError{Path: path, Msg: "an issue of beads has an id"}
	}
	word := b.word("status")
	if word == "tombstone" {
		r.left("%s, which was deleted", it.ID)
		return nil
	}
	status, known := statusOf(word)
	it.setStatus(word, known, status)
	it.Priority, it.Type, it.Assignee, it.Reporter = b.word("priority"), b.word("issue_type"), b.word("assignee"), b.word("created_by")
	it.Labels = b.words("labels")
	it.Created, it.Updated, it.Closed, it.Due = b.time("created_at"), b.time("updated_at"), b.time("closed_at"), b.time("due_at")
	if minutes, err := strconv.Atoi(b.word("estimated_minutes")); err == nil && minutes > 0 {
		it.Effort = fmt.Sprintf("%.2fh", float64(minutes)/60)
	}
	it.section("", b.word("description"))
	it.section("Design", b.word("design"))
	it.section("Notes", b.word("notes"))
	it.addCriteria(b.word("acceptance_criteria"))
	var all []dependency
	b.take("dependencies", &all)
	for _, d := range all {
		it.relate(d)
	}
	if len(all) > 0 {
		r.left("when and by whom dependencies were added")
	}
	if parent := b.word("parent"); it.Parent == "" {
		it.Parent = parent
	}
	var comments []struct {
		Author  string `json:"author"`
		Text    string `json:"text"`
		Created string `json:"created_at"`
	}
	b.take("comments", &comments)
	for _, c := range comments {
		it.comment(c.Author, c.Created, c.Text)
	}
	// The lists themselves say how many there are.
	for _, count := range []string{"dependency_count", "dependent_count", "comment_count"} {
		delete(b, count)
	}
	b.rest(&it)
	r.Items = append(r.Items, it)
	return nil
}

// relate adds a dependency by its kind. Kinds that mean more than a relation are kept in words as well.
func (it *Item) relate(d dependency) {
	switch d.Kind {
	case "", "blocks", "conditional-blocks", "waits-for":
		if !slices.Contains(it.DependsOn, d.On) {
			it.DependsOn = append(it.DependsOn, d.On)
		}
	case "parent-child":
		if it.Parent == "" {
			it.Parent = d.On
			return
		}
		it.keep("further parent", d.On)
	case "duplicates":
		it.DuplicateOf = d.On
	default:
		if !slices.Contains(it.Related, d.On) {
			it.Related = append(it.Related, d.On)
		}
		if !strings.HasPrefix(d.Kind, "relate") {
			it.keep(d.Kind, d.On)
		}
	}
}
