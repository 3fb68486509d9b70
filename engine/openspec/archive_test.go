package openspec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestArchiveName(t *testing.T) {
	t.Parallel()
	date := time.Date(2026, 3, 4, 23, 30, 0, 0, time.FixedZone("", 3600))
	for id, want := range map[string]string{"add-x": "2026-03-04-add-x", "2025-01-02-add-x": "2025-01-02-add-x", "2025-01-02": "2026-03-04-2025-01-02"} {
		if got := ArchiveName(id, date); got != want {
			t.Errorf("ArchiveName(%q) = %q, want %q", id, got, want)
		}
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
	plan, err := Archive(p.fs(), "c", ArchiveOptions{Date: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Folder != "changes/archive/2026-03-04-c" || !slices.Equal(plan.Deletes, []string{"specs/b/spec.md"}) {
		t.Errorf("got %q, %q", plan.Folder, plan.Deletes)
	}
	var said []string
	for _, o := range plan.Outcomes {
		said = append(said, fmt.Sprintf("%s %s %v", o.Action, o.Capability, o.Counts))
	}
	if want := []string{"update a {1 0 0 0}", "retire b {0 0 1 0}", "create new {1 0 0 0}"}; !slices.Equal(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
	writes, deletes, err := plan.Files(p.fs())
	if err != nil {
		t.Fatal(err)
	}
	after := maps.Clone(p)
	for _, name := range deletes {
		delete(after, name)
	}
	for _, f := range writes {
		after[f.Path] = string(f.Data)
	}
	const to = "changes/archive/2026-03-04-c/"
	want := []string{to + ".openspec.yaml", to + "notes/deep.txt", to + "specs/a/spec.md", to + "specs/b/spec.md", to + "specs/new/spec.md", "changes/other/proposal.md", "specs/a/spec.md", "specs/new/spec.md"}
	if got := keys(after); !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if got := after["specs/a/spec.md"]; got != oneSpec+"\n### Requirement: Two\nIt MUST.\n\n#### Scenario: B\n- y\n" {
		t.Errorf("got %q", got)
	}
	if got := after["specs/new/spec.md"]; !strings.Contains(got, "TBD - created by archiving change c. Update Purpose after archive.") {
		t.Errorf("got %q", got)
	}
}

func TestArchive_refused(t *testing.T) {
	t.Parallel()
	p := project{
		"specs/a/spec.md": oneSpec, "changes/good/specs/a/spec.md": addsTwo, "changes/good/tasks.md": "- [ ] x\n",
		"changes/bad/specs/a/spec.md":   "## ADDED Requirements\n",
		"changes/near/specs/a/spec.md":  "## REMOVED Requirements\n### Requirement: one\n",
		"changes/empty/specs/a/spec.md": removes,
		"changes/around/in/proposal.md": "x", "changes/2026-01-02-taken/specs/a/spec.md": addsTwo, "changes/archive/2026-01-02-taken/x": "",
		"changes/file": "",
	}
	for _, c := range []struct {
		id, code string
		opts     ArchiveOptions
	}{
		{"good", "archive_tasks_incomplete", ArchiveOptions{}},
		{"good", "", ArchiveOptions{Incomplete: true}},
		{"bad", "archive_validation_failed", ArchiveOptions{}},
		{"bad", "archive_spec_update_failed", ArchiveOptions{NoValidate: true}},
		{"bad", "", ArchiveOptions{NoValidate: true, SkipSpecs: true}},
		{"near", "archive_spec_update_failed", ArchiveOptions{}},
		{"near", "", ArchiveOptions{SkipSpecs: true}},
		{"empty", "archive_spec_validation_failed", ArchiveOptions{}},
		{"empty", "", ArchiveOptions{NoValidate: true}},
		{"around", "archive_change_is_namespace_folder", ArchiveOptions{}},
		{"2026-01-02-taken", "archive_target_exists", ArchiveOptions{}},
		{"none", "archive_change_not_found", ArchiveOptions{}},
		{"file", "archive_change_not_found", ArchiveOptions{}},
		{"archive", "archive_change_not_found", ArchiveOptions{}},
		{"", "archive_change_name_invalid", ArchiveOptions{}},
		{"..", "archive_change_name_invalid", ArchiveOptions{}},
		{"archive/2026-01-02-taken", "archive_change_name_invalid", ArchiveOptions{}},
	} {
		plan, err := Archive(p.fs(), c.id, c.opts)
		var refused *ArchiveError
		if code := ""; !errors.As(err, &refused) && (err != nil || c.code != "") || refused != nil && refused.Code != c.code {
			t.Errorf("%q %+v: %v, want %q%s", c.id, c.opts, err, c.code, code)
		}
		if refused != nil && (refused.Message == "" || len(plan.Moves)+len(plan.Writes) > 0) {
			t.Errorf("%q: %+v with plan %+v", c.id, refused, plan)
		}
		if skipped := c.opts.SkipSpecs; skipped && (len(plan.Writes) > 0 || len(plan.Moves) == 0) {
			t.Errorf("%q: writes %v and moves %v", c.id, plan.Writes, plan.Moves)
		}
	}
}

// TestApply_allProblems checks that an error lists the problems of all capabilities, and none
// that only follows from another.
func TestApply_allProblems(t *testing.T) {
	t.Parallel()
	p := project{
		"specs/a/spec.md": oneSpec, "specs/b/spec.md": oneSpec,
		"changes/c/specs/a/spec.md": "## RENAMED Requirements\n- FROM: ### Requirement: None\n- TO: ### Requirement: New\n" +
			"## REMOVED Requirements\n### Requirement: oNE\n## MODIFIED Requirements\n### Requirement: New\nIt SHALL.\n#### Scenario: S\n- x\n" +
			"### Requirement: One\nIt SHALL.\n#### Scenario: S\n- x\n",
		"changes/c/specs/b/spec.md":   addsTwo,
		"changes/c/specs/new/spec.md": "## MODIFIED Requirements\n### Requirement: X\n",
	}
	_, err := Apply(p.fs(), "c", ApplyOptions{})
	var refused *ApplyError
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	var got []string
	for _, p := range refused.Problems {
		got = append(got, fmt.Sprintf("%s:%d %.46s", p.Capability, p.Line, p.Message))
	}
	want := []string{
		`a:2 a RENAMED failed for header "### Requirement: N`[:50], `a:5 a REMOVED failed for header "### Requirement: o`[:50],
		`a:11 a MODIFIED failed for header "### Requirement: One`[:51], `new:0 new: target spec does not exist; only ADDED req`[:52],
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if n := strings.Count(refused.Error(), "\n"); n != len(want)-1 {
		t.Errorf("the text is %q", refused)
	}
}

func TestCriteria(t *testing.T) {
	t.Parallel()
	p := project{
		"changes/c/specs/b/spec.md":     "## MODIFIED Requirements\n\n### Requirement: M\nIt SHALL.\n#### Scenario: X\n- x\n#### Scenario: Empty\n\n" + addsTwo,
		"changes/c/specs/a/sub/spec.md": addsTwo,
	}
	found, err := Criteria(p.fs(), "c")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range found {
		got = append(got, fmt.Sprintf("%s %s %s/%s %s:%d %q", c.Capability, c.Kind, c.Requirement, c.Scenario, c.Path, c.Line, c.Text))
		if line := strings.Split(p[c.Path], "\n")[c.Line-1]; line != "#### Scenario: "+c.Scenario {
			t.Errorf("line %d of %s is %q", c.Line, c.Path, line)
		}
	}
	want := []string{
		`a/sub ADDED Two/B changes/c/specs/a/sub/spec.md:6 "- y"`,
		`b ADDED Two/B changes/c/specs/b/spec.md:14 "- y"`,
		`b MODIFIED M/X changes/c/specs/b/spec.md:5 "- x"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if _, err := Criteria(p.fs(), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestParseChange(t *testing.T) {
	t.Parallel()
	p := project{
		"changes/c/proposal.md": "# Change: Add it\n\n## Why\nBecause.\n\n## What Changes\n- It\n\n## Impact\nNone.\n", "changes/c/tasks.md": "- [x] a\n- [ ] b\n",
		"changes/c/.openspec.yaml": mayRetire, "changes/c/specs/a/spec.md": addsTwo, "changes/archive/2026-01-02-d/proposal.md": "# D\n", "changes/.hidden/proposal.md": "x",
	}
	c, err := ParseChange(p.fs(), "c")
	if err != nil || c.Title != "Add it" || c.Why != "Because." || c.What != "- It" || c.Done != 1 || c.Total != 2 || !c.Metadata.RetireCapabilities || len(c.Deltas) != 1 || c.Deltas[0].Path != "changes/c/specs/a/spec.md" {
		t.Errorf("got %+v, %v", c, err)
	}
	if d, err := ParseChange(p.fs(), "archive/2026-01-02-d"); err != nil || d.Title != "D" {
		t.Errorf("got %+v, %v", d, err)
	}
	for _, id := range []string{"", "archive", "none", "../changes/c", "a/b", "archive/none"} {
		if _, err := ParseChange(p.fs(), id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	list, err := Changes(p.fs())
	if err != nil || len(list) != 1 || list[0].Title != "Add it" {
		t.Errorf("got %+v, %v", list, err)
	}
	if names, err := Archived(p.fs()); err != nil || !slices.Equal(names, []string{"2026-01-02-d"}) {
		t.Errorf("got %q, %v", names, err)
	}
	if list, err := Changes(project{}.fs()); err != nil || len(list) > 0 {
		t.Errorf("got %+v, %v", list, err)
	}
}

// TestApply_keepsBytes checks what the tool would replace: bytes that are not UTF-8.
func TestApply_keepsBytes(t *testing.T) {
	t.Parallel()
	p := project{"specs/a/spec.md": strings.Replace(oneSpec, "- x", "- \xff\xfe", 1), "changes/c/specs/a/spec.md": addsTwo}
	applied, err := Apply(p.fs(), "c", ApplyOptions{})
	if err != nil || !strings.Contains(string(applied.Writes[0].Data), "- \xff\xfe\n") {
		t.Errorf("got %v, %v", applied, err)
	}
}
