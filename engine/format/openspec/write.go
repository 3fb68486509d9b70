package openspec

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"chant/engine/format"
	"chant/engine/format/tasklist"
	"chant/text"
)

// WriteChange returns the files of a new change for a plan, by their paths below openspec: the plan becomes one new
// capability with the name of the change, and each member a requirement of it and a group of tasks. Each criterion is a
// scenario and a task, and ends in its command there. Errors: *format.ExistsError, and what format.Planned.Check finds.
func WriteChange(fsys fs.FS, slug string, p format.Planned) (map[string][]byte, error) {
	if err := p.Check(slug); err != nil {
		return nil, err
	}
	dir := path.Join(ChangesDir, slug)
	for _, taken := range []string{dir, path.Join(SpecsDir, slug)} {
		if _, err := fs.Stat(fsys, taken); err == nil {
			return nil, &format.ExistsError{Dir: taken}
		} else if !IsAbsent(fsys, taken, err) {
			return nil, err
		}
	}
	// The project may have another schema for its own changes, which wants other documents.
	metadata := "schema: " + builtIn
	if HasDate(p.Created + "-") {
		metadata += "\ncreated: " + p.Created
	}
	files := map[string][]byte{}
	for name, src := range map[string]string{
		MetadataName: metadata, "proposal.md": proposalFor(slug, p), "design.md": designFor(p), "tasks.md": tasksFor(p),
		path.Join(SpecsDir, slug, SpecFile): deltaFor(p),
	} {
		if src != "" {
			files[path.Join(dir, name)] = []byte(src + "\n")
		}
	}
	return files, nil
}

func proposalFor(slug string, p format.Planned) string {
	out := []string{"# Change: " + p.Name(), "## Why", format.Block(p.Goal), "## What Changes"}
	for i, m := range p.Members {
		out = append(out, fmt.Sprintf("### %d. %s", i+1, format.Line(m.Title)), m.Text())
	}
	capability := fmt.Sprintf("- `%s`: %s", slug, p.Name())
	return format.Paragraphs(append(out, "## Capabilities", "### New Capabilities", capability, "## Impact", "Files: "+p.Files())...)
}

// designFor returns what a plan says beyond the proposal, "" if that is nothing.
func designFor(p format.Planned) string {
	var out []string
	if len(p.NonGoals) > 0 {
		out = append(out, "## Goals / Non-Goals", "**Non-Goals:**", format.List(p.NonGoals))
	}
	if len(p.Risks) > 0 {
		out = append(out, "## Risks / Trade-offs", format.List(p.Risks))
	}
	return format.Paragraphs(out...)
}

// tasksFor returns a group of tasks for each member: the work, and then its criteria. Groups that do not follow each other
// as a chain are marked as parallel, so that only what a task says it depends on comes before it.
func tasksFor(p format.Planned) string {
	mark := ""
	for i, m := range p.Members {
		if i > 0 && !slices.Contains(m.After, i-1) {
			mark = " [P]"
		}
	}
	out := []string{"# Tasks"}
	for i, m := range p.Members {
		group := i + 1
		title := format.Readable(m.Title, group, func(title string) bool {
			read := tasklist.Parse(fmt.Appendf(nil, "## %d. %s\n\n- [ ] x\n", group, title)).Phases
			return len(read) == 1 && read[0].Title == title && read[0].Story == "" && !read[0].Parallel
		})
		var list []string
		last := func(member int) string { return fmt.Sprintf("%d.%d", member+1, 1+len(p.Members[member].Criteria)) }
		for j, task := range p.Tasks(i, last) {
			list = append(list, fmt.Sprintf("- [ ] %d.%d %s", group, j+1, task))
		}
		out = append(out, fmt.Sprintf("## %d. %s%s", group, title, mark), strings.Join(list, "\n"))
	}
	return format.Paragraphs(out...)
}

// deltaFor returns the requirements and their scenarios.
func deltaFor(p format.Planned) string {
	out := []string{"# Spec Delta", "## Purpose", format.Block(format.Line(cmp.Or(p.Goal, p.Title))), "## ADDED Requirements"}
	seen := map[string]bool{}
	for i, m := range p.Members {
		name := format.Readable(m.Title, i+1, func(title string) bool {
			read, ok := line{text: "### Requirement: " + title}.requirement()
			return ok && read == title && !seen[foldName(title)]
		})
		seen[foldName(name)] = true
		out = append(out, "### Requirement: "+name, "The project SHALL provide: "+m.Summary())
		for j, c := range m.Criteria {
			when, then := c.Steps()
			out = append(out, fmt.Sprintf("#### Scenario: %d. %s", j+1, text.Clip(format.Line(c.Text), 80)), "- **WHEN** "+when+"\n- **THEN** "+then)
		}
		if len(m.Criteria) == 0 {
			out = append(out, "#### Scenario: Done", "- **WHEN** the change is complete\n- **THEN** it provides: "+m.Summary())
		}
	}
	return format.Paragraphs(out...)
}
