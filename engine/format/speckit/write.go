package speckit

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"chant/engine/format"
	"chant/engine/format/tasklist"
)

// WriteFeature returns the files of a new feature for a plan, in a folder with the next number: each member is a user
// story with the criteria as its scenarios, and a phase of tasks. Each criterion ends in its command there. Errors:
// *format.ExistsError if a feature has the name, and what format.Planned.Check finds.
func WriteFeature(fsys fs.FS, slug string, p format.Planned) (dir string, files map[string][]byte, err error) {
	if err := p.Check(slug); err != nil {
		return "", nil, err
	}
	dirs, err := folders(fsys)
	if err != nil {
		return "", nil, err
	}
	last := 0
	for _, dir := range dirs {
		number, name, timed := splitName(path.Base(dir))
		if name == slug {
			return "", nil, &format.ExistsError{Dir: dir}
		}
		// A number too large for an int is no number that spec-kit gives.
		if n, err := strconv.Atoi(number); err == nil && !timed {
			last = max(last, n)
		}
	}
	f := written{p, fmt.Sprintf("%03d-%s", last+1, slug)}
	dir, files = path.Join(Root, f.folder), map[string][]byte{}
	for name, src := range map[string]string{"spec.md": f.spec(), "plan.md": f.plan(), "tasks.md": f.tasks()} {
		files[path.Join(dir, name)] = []byte(src + "\n")
	}
	return dir, files, nil
}

// written is a plan and the folder, below [Root], in which it is written.
type written struct {
	format.Planned
	folder string
}

// story returns what the heading of a member has behind its number in all files.
func (f written) story(i int) string {
	// The others cannot be done before those that they wait for.
	priority := fmt.Sprintf("P%d", 1+min(1, len(f.Members[i].After)))
	heading := func(title string) string {
		return fmt.Sprintf("User Story %d - %s (Priority: %s)", i+1, title, priority)
	}
	return heading(format.Readable(f.Members[i].Title, i+1, func(title string) bool {
		read := tasklist.Parse(fmt.Appendf(nil, "## Phase 1: %s\n\n- [ ] x\n", heading(title))).Phases
		return len(read) == 1 && read[0].Title == title && read[0].Priority == priority && !read[0].Parallel
	}))
}

func (f written) spec() string {
	out := []string{"# Feature Specification: " + f.Name(), "**Feature Branch**: " + format.Code(f.folder)}
	if f.Created != "" {
		out = append(out, "**Created**: "+format.Line(f.Created))
	}
	out = append(out, "**Status**: Draft", "**Input**: "+format.Line(cmp.Or(f.Goal, f.Title)), "## User Scenarios & Testing *(mandatory)*")
	var requirements, success []string
	for i, m := range f.Members {
		criteria := m.Criteria
		if len(criteria) == 0 {
			criteria = []format.Criterion{{}}
		}
		var scenarios []string
		for j, c := range criteria {
			when, then := c.Steps()
			scenarios = append(scenarios, fmt.Sprintf("%d. **Given** the story is implemented, **When** %s, **Then** %s", j+1, when, then))
		}
		out = append(out, "### "+f.story(i), m.Text(), "**Acceptance Scenarios**:", strings.Join(scenarios, "\n"))
		requirements = append(requirements, fmt.Sprintf("- **FR-%03d**: The system MUST provide: %s", i+1, m.Summary()))
		success = append(success, fmt.Sprintf("- **SC-%03d**: All acceptance scenarios of user story %d hold", i+1, i+1))
	}
	out = append(out,
		"## Requirements *(mandatory)*", "### Functional Requirements", strings.Join(requirements, "\n"),
		"## Success Criteria *(mandatory)*", "### Measurable Outcomes", strings.Join(success, "\n"))
	if len(f.NonGoals) > 0 {
		out = append(out, "## Assumptions", "Out of scope:", format.List(f.NonGoals))
	}
	return format.Paragraphs(out...)
}

func (f written) plan() string {
	branch := "**Branch**: " + format.Code(f.folder)
	if f.Created != "" {
		branch += " | **Date**: " + format.Line(f.Created)
	}
	out := []string{
		"# Implementation Plan: " + f.Name(), branch + " | **Spec**: [spec.md](spec.md)", "## Summary", format.Block(cmp.Or(f.Goal, f.Title)),
		"## Project Structure", "### Documentation (this feature)", fmt.Sprintf("```text\n%s/%s/\n├── plan.md\n├── spec.md\n└── tasks.md\n```", Root, f.folder),
		"### Source Code (repository root)", "Files: " + f.Files(),
	}
	if len(f.Risks) > 0 {
		out = append(out, "## Complexity Tracking", "Risks:", format.List(f.Risks))
	}
	return format.Paragraphs(out...)
}

// tasks returns a phase for each story: the work, and then its criteria.
func (f written) tasks() string {
	out := []string{
		"# Tasks: " + f.Name(), fmt.Sprintf("**Input**: Design documents from `/%s/%s/`", Root, f.folder), "**Prerequisites**: plan.md, spec.md",
		"## Format: `[ID] [P?] [Story] Description`",
	}
	number := 0
	for i := range f.Members {
		var list []string
		mark := ""
		if f.BesideOthers(i) {
			mark = "[P] "
		}
		for _, task := range f.Tasks(i, func(member int) string { return fmt.Sprintf("US%d", member+1) }) {
			number++
			list = append(list, fmt.Sprintf("- [ ] T%03d %s[US%d] %s", number, mark, i+1, task))
			// The criteria are checked after the work.
			mark = ""
		}
		out = append(out, fmt.Sprintf("## Phase %d: %s", i+1, f.story(i)), strings.Join(list, "\n"))
	}
	return format.Paragraphs(out...)
}
