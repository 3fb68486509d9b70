package openspec

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
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
	texts := map[string]string{
		MetadataName: metadata, "proposal.md": proposalFor(slug, p), "tasks.md": tasksFor(p), path.Join(SpecsDir, slug, SpecFile): deltaFor(p),
	}
	if len(p.NonGoals)+len(p.Risks) > 0 {
		texts["design.md"] = designFor(p)
	}
	files := map[string][]byte{}
	for name, src := range texts {
		files[path.Join(dir, name)] = []byte(src + "\n")
	}
	return files, nil
}

func proposalFor(slug string, p format.Planned) string {
	out := []string{"# Change: " + p.Name(), "## Why", format.Block(p.Goal), "## What Changes"}
	touched := map[string]bool{}
	for i, m := range p.Members {
		out = append(out, fmt.Sprintf("### %d. %s", i+1, format.Line(m.Title)), m.Text())
		for _, file := range m.Files {
			touched[file] = true
		}
	}
	out = append(out, "## Capabilities", "### New Capabilities", fmt.Sprintf("- `%s`: %s", slug, p.Name()), "## Impact")
	if len(touched) == 0 {
		return format.Paragraphs(append(out, "- Not known yet.")...)
	}
	return format.Paragraphs(append(out, "- Files: "+format.Codes(slices.Sorted(maps.Keys(touched))))...)
}

func designFor(p format.Planned) string {
	out := []string{"# Design", "## Context", "The proposal says why this is done and what changes."}
	if len(p.NonGoals) > 0 {
		out = append(out, "## Goals / Non-Goals", "**Goals:**", format.List([]string{p.Name()}), "**Non-Goals:**", format.List(p.NonGoals))
	}
	if len(p.Risks) > 0 {
		out = append(out, "## Risks / Trade-offs", format.List(p.Risks))
	}
	return format.Paragraphs(out...)
}

// tasksFor returns a group of tasks for each member: the work, and then its criteria. Groups that do not follow each other
// as a chain are marked as parallel, so that only what a task says it depends on comes before it.
func tasksFor(p format.Planned) string {
	mark := " [P]"
	if isChain(p) {
		mark = ""
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

// isChain reports whether each member waits for the one before it.
func isChain(p format.Planned) bool {
	for i := range p.Members[1:] {
		if !slices.Contains(p.Members[i+1].After, i) {
			return false
		}
	}
	return true
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
