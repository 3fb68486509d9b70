package openspec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestArchiveName(t *testing.T) {
	t.Parallel()
	date := time.Date(2026, 3, 4, 23, 30, 0, 0, time.FixedZone("", 3600))
	for id, want := range map[string]string{"add-x": "2026-03-04-add-x", "2025-01-02-add-x": "2025-01-02-add-x", "2025-01-02": "2026-03-04-2025-01-02"} {
		assert.Equal(t, want, ArchiveName(id, date), "ArchiveName(%q)", id)
	}
}

const (
	oneSpec   = "# a Specification\n\n## Purpose\nA purpose that is long enough to be called anything but brief.\n\n## Requirements\n\n### Requirement: One\nIt SHALL.\n\n#### Scenario: A\n- x\n"
	addsTwo   = "## ADDED Requirements\n\n### Requirement: Two\nIt MUST.\n\n#### Scenario: B\n- y\n"
	removes   = "## REMOVED Requirements\n\n### Requirement: One\n"
	mayRetire = "schema: spec-driven\nretire_capabilities: true\n"
)

func TestArchive_plan(t *testing.T) {
	t.Parallel()
	p := project{
		"specs/a/spec.md": oneSpec, "specs/b/spec.md": oneSpec, "changes/c/specs/a/spec.md": addsTwo, "changes/c/specs/b/spec.md": removes, "changes/c/specs/new/spec.md": addsTwo,
		"changes/c/.openspec.yaml": mayRetire, "changes/c/notes/deep.txt": "x", "changes/other/proposal.md": "y",
	}
	plan, err := Archive(p.fs(), "c", time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC))
	assert.NoError(t, err)
	assert.Equal(t, "changes/archive/2026-03-04-c", plan.Folder)
	assert.Equal(t, []string{"specs/b/spec.md"}, plan.Deletes)
	var said []string
	for _, o := range plan.Outcomes {
		said = append(said, fmt.Sprintf("%s %s %v", o.Action, o.Capability, o.Counts))
	}
	assert.Equal(t, []string{"update a {1 0 0 0}", "retire b {0 0 1 0}", "create new {1 0 0 0}"}, said)
	after := p.with(t, plan)
	const to = "changes/archive/2026-03-04-c/"
	want := []string{to + ".openspec.yaml", to + "notes/deep.txt", to + "specs/a/spec.md", to + "specs/b/spec.md", to + "specs/new/spec.md", "changes/other/proposal.md", "specs/a/spec.md", "specs/new/spec.md"}
	assert.Equal(t, want, slices.Sorted(maps.Keys(after)))
	assert.Equal(t, oneSpec+"\n### Requirement: Two\nIt MUST.\n\n#### Scenario: B\n- y\n", after["specs/a/spec.md"])
	assert.Contains(t, after["specs/new/spec.md"], "TBD - created by archiving change c. Update Purpose after archive.")
}

func TestArchive_refused(t *testing.T) {
	t.Parallel()
	p := project{
		"specs/a/spec.md": oneSpec, "changes/good/specs/a/spec.md": addsTwo, "changes/good/tasks.md": "- [ ] x\n",
		"changes/bad/specs/a/spec.md": "## ADDED Requirements\n",
		"specs/mute/spec.md":          strings.Replace(oneSpec, "It SHALL.\n", "", 1), "changes/mute/specs/mute/spec.md": addsTwo,
		"changes/near/specs/a/spec.md":  "## REMOVED Requirements\n### Requirement: one\n",
		"changes/empty/specs/a/spec.md": removes,
		"changes/around/in/proposal.md": "x", "changes/2026-01-02-taken/specs/a/spec.md": addsTwo, "changes/archive/2026-01-02-taken/x": "",
		"changes/file": "",
	}
	for id, want := range map[string]string{
		"good":                     "1 incomplete task(s) found for change 'good'.",
		"bad":                      "a/spec.md: Delta sections ## ADDED Requirements were found, but no requirement entries parsed.",
		"mute":                     `mute: line 8: Requirement "One" must contain SHALL or MUST`,
		"near":                     `not found, but "### Requirement: One" exists`,
		"empty":                    "a: Spec must have at least one requirement",
		"around":                   "it is a folder wrapping openspec/changes/around/in/",
		"2026-01-02-taken":         "Archive '2026-01-02-taken' already exists.",
		"none":                     "Change 'none' not found.",
		"file":                     "Change 'file' not found.",
		"archive":                  "Change 'archive' not found.",
		"":                         "Change '' not found.",
		"..":                       "Change '..' not found.",
		"archive/2026-01-02-taken": "Change 'archive/2026-01-02-taken' not found.",
	} {
		plan, err := Archive(p.fs(), id, time.Unix(0, 0))
		_, refused := errors.AsType[*RefusedError](err)
		assert.True(t, refused, "%q: %v, want %s", id, err, want)
		assert.Contains(t, err.Error(), want, "%q", id)
		assert.True(t, len(plan.Moves)+len(plan.Writes) <= 0, "%q: refused with plan %+v", id, plan)
	}
}

// TestArchive_doneBefore leaves a spec as it is if all that the delta wants was done before, also its blank lines.
func TestArchive_doneBefore(t *testing.T) {
	t.Parallel()
	p := project{"specs/a/spec.md": oneSpec + "\n\n\n" + addsTwo[len("## ADDED Requirements\n\n"):], "changes/c/specs/a/spec.md": addsTwo}
	plan, err := Archive(p.fs(), "c", time.Unix(0, 0))
	assert.NoError(t, err)
	assert.Zero(t, plan.Writes)
	assert.Equal(t, 1, len(plan.Outcomes))
	assert.Equal(t, Keep, plan.Outcomes[0].Action)
}

// TestArchive_allProblems checks that an error lists the problems of all capabilities, and none
// that only follows from another.
func TestArchive_allProblems(t *testing.T) {
	t.Parallel()
	p := project{
		"specs/a/spec.md": oneSpec, "specs/b/spec.md": oneSpec,
		"changes/c/specs/a/spec.md": "## RENAMED Requirements\n- FROM: ### Requirement: None\n- TO: ### Requirement: New\n" +
			"## REMOVED Requirements\n### Requirement: oNE\n## MODIFIED Requirements\n### Requirement: New\nIt SHALL.\n#### Scenario: S\n- x\n" +
			"",
		"changes/c/specs/b/spec.md":   addsTwo,
		"changes/c/specs/new/spec.md": "## MODIFIED Requirements\n### Requirement: X\nIt SHALL.\n#### Scenario: S\n- x\n",
	}
	_, err := Archive(p.fs(), "c", time.Unix(0, 0))
	refused, ok := errors.AsType[*RefusedError](err)
	assert.True(t, ok, "%v", err)
	want := []string{
		`a RENAMED failed for header "### Requirement: None" - source not found`, `a REMOVED failed for header "### Requirement: oNE" - not found`,
		`new: target spec does not exist; only ADDED req`,
	}
	assert.True(t, slices.EqualFunc(refused.Problems, want, strings.HasPrefix), "got\n%q, want\n%q", refused.Problems, want)
}

func TestCriteria(t *testing.T) {
	t.Parallel()
	p := project{
		"changes/c/specs/b/spec.md":     "## MODIFIED Requirements\n\n### Requirement: M\nIt SHALL.\n#### Scenario: X\n- x\n#### Scenario: Empty\n\n" + addsTwo,
		"changes/c/specs/a/sub/spec.md": addsTwo,
	}
	found, err := Criteria(p.fs(), "c")
	assert.NoError(t, err)
	var got []string
	for _, c := range found {
		got = append(got, fmt.Sprintf("%s/%s %s:%d %q", c.Requirement, c.Scenario, c.Path, c.Line, c.Text))
		assert.Equal(t, "#### Scenario: "+c.Scenario, strings.Split(p[c.Path], "\n")[c.Line-1], "line %d of %s", c.Line, c.Path)
	}
	want := []string{
		`Two/B changes/c/specs/a/sub/spec.md:6 "- y"`,
		`Two/B changes/c/specs/b/spec.md:14 "- y"`,
		`M/X changes/c/specs/b/spec.md:5 "- x"`,
	}
	assert.Equal(t, want, got)
	_, err = Criteria(p.fs(), "none")
	assert.IsError(t, err, ErrNotFound)
}

func TestSummarize(t *testing.T) {
	t.Parallel()
	p := project{
		"changes/c/proposal.md": "# Change: Add it\n\n## Why\nBecause.\n", "changes/c/tasks.md": "- [x] a\n- [ ] b\n",
		"changes/archive/2026-01-02-d/proposal.md": "# D\n",
	}
	s, err := Summarize(p.fs(), "c")
	assert.NoError(t, err)
	assert.Equal(t, "Add it", s.Title)
	assert.Equal(t, 1, s.Done)
	assert.Equal(t, 2, s.Total)
	s, err = Summarize(p.fs(), "archive/2026-01-02-d")
	assert.NoError(t, err)
	assert.Equal(t, "D", s.Title)
	for _, id := range []string{"", "archive", "none", "../changes/c", "a/b", "archive/none"} {
		_, err := Summarize(p.fs(), id)
		assert.IsError(t, err, ErrNotFound, "%q", id)
	}
}

// TestArchive_keepsBytes checks what the tool would replace: bytes that are not UTF-8.
func TestArchive_keepsBytes(t *testing.T) {
	t.Parallel()
	p := project{"specs/a/spec.md": strings.Replace(oneSpec, "- x", "- \xff\xfe", 1), "changes/c/specs/a/spec.md": addsTwo}
	plan, err := Archive(p.fs(), "c", time.Unix(0, 0))
	assert.NoError(t, err, "got %v", plan)
	assert.Contains(t, string(plan.Writes[0].Data), "- \xff\xfe\n", "got %v", plan)
}
