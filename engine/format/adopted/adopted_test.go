package adopted

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"chant/engine/format/tasklist"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// shop is a feature of spec-kit.
func shop() fstest.MapFS {
	return files(map[string]string{
		"specs/001-shop/spec.md": `# Feature Specification: A small shop

### User Story 1 - List goods (Priority: P1)

**Acceptance Scenarios**:

1. **Given** two goods, **When** the list is printed, **Then** both are in it
2. **Given** no goods, **When** the list is printed, **Then** it is empty

### User Story 2 - Buy goods (Priority: P2)

**Acceptance Scenarios**:

1. **Given** a good, **When** it is bought, **Then** it is gone

## Success Criteria

- **SC-001**: Printing takes less than a second
`,
		"specs/001-shop/plan.md":                    "# Plan\n\nUse sh.\n",
		"specs/001-shop/contracts/api.yaml":         "- [ ] not a box\n",
		"specs/001-shop/checklists/requirements.md": "# Checklist\n\n- [x] CHK001 The stories are clear\n- [ ] CHK002 Nothing is left open\n",
		"specs/001-shop/tasks.md": `# Tasks

## Phase 1: Setup

- [x] T001 Create the folder
- [ ] Write a README

## Phase 2: User Story 1 - List goods (Priority: P1)

- [ ] T002 [P] [US1] Write list.sh ` + "`$ sh list.sh`" + `

## Phase 3: User Story 2 - Buy goods (Priority: P2)

- [ ] T003 [US2] Write buy.sh (depends on T002)
`,
	})
}

// greeting is a change of OpenSpec.
func greeting() fstest.MapFS {
	return files(map[string]string{
		"openspec/changes/add-greeting/proposal.md":            "# Change: Add a greeting\n\n## Why\n\nPeople want to be greeted when they start the program, so that they see it runs.\n\n## What Changes\n\n- A greeting.\n",
		"openspec/changes/add-greeting/tasks.md":               "## 1. Program\n\n- [ ] 1.1 Write greet.sh\n\n## 2. Checks\n\n- [ ] 2.1 Run it\n",
		"openspec/changes/add-greeting/specs/greeting/spec.md": "## ADDED Requirements\n\n### Requirement: Greeting\n\nThe program SHALL greet.\n\n#### Scenario: Start\n\n- **WHEN** it starts\n- **THEN** it greets\n",
	})
}

func files(texts map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range texts {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// spell lists criteria as "key x text", with an o for an open box, and ~ before those without a box.
func spell(all []spec.Criterion) []string {
	var out []string
	for _, c := range all {
		mark := "o"
		if c.Checked {
			mark = "x"
		}
		if c.Boxless {
			mark = "~"
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s:%d", c.Key, mark, c.File[strings.LastIndex(c.File, "/")+1:], c.Line)))
	}
	return out
}

func TestRead_feature(t *testing.T) {
	t.Parallel()
	a := Read(shop(), spec.Fields{Source: "specs/001-shop/"})
	want := []string{
		"T001 x tasks.md:5", "o tasks.md:6", "T002 o tasks.md:10", "T003 o tasks.md:14", "CHK001 x requirements.md:3", "CHK002 o requirements.md:4",
		"US1.1 ~ spec.md:7", "US1.2 ~ spec.md:8", "US2.1 ~ spec.md:14", "SC-001 ~ spec.md:18",
	}
	got := spell(a.Criteria)
	assert.Equal(t, "", a.Problem)
	assert.Equal(t, want, got)
	assert.Equal(t, 4, a.Tasks)
	assert.Equal(t, SpecKit, a.Kind)
	assert.Equal(t, 5, len(a.Files))
	assert.Equal(t, "US1.1: Given two goods, When the list is printed, Then both are in it", a.Criteria[6].Text)
	assert.False(t, a.Criteria[2].Runs(), "the text of a task became a command")
}

func TestRead_change(t *testing.T) {
	t.Parallel()
	fsys := greeting()
	a := Read(fsys, spec.Fields{Source: "openspec/changes/add-greeting"})
	got := spell(a.Criteria)
	assert.Equal(t, []string{"1.1 o tasks.md:3", "2.1 o tasks.md:7", "~ spec.md:7"}, got)
	assert.Equal(t, OpenSpec, a.Kind)
	assert.False(t, a.Moved, "%q\n%+v", got, a)
	assert.Equal(t, "Greeting, Start: WHEN it starts THEN it greets", a.Criteria[2].Text)
	moved := fstest.MapFS{}
	for name, f := range fsys {
		moved[strings.Replace(name, "changes/add-greeting", "changes/archive/2026-01-02-add-greeting", 1)] = f
	}
	b := Read(moved, spec.Fields{Source: "openspec/changes/add-greeting"})
	assert.True(t, b.Moved, "%+v", b)
	assert.Equal(t, "openspec/changes/archive/2026-01-02-add-greeting", b.Dir)
	assert.Zero(t, spec.Tampering(a.Criteria, b.Criteria))
	assert.Equal(t, b.Digest, a.Digest)
}

// What cannot be read never holds, and never counts as nothing to do.
func TestRead_problems(t *testing.T) {
	t.Parallel()
	fsys := shop()
	fsys["specs/file"] = &fstest.MapFile{Data: []byte("x")}
	for source, want := range map[string]string{
		"specs/002-none": "it does not exist", "../elsewhere": "not a folder of a feature", ".": "not a folder of a feature", "/etc": "not a folder of a feature",
		".chant/specs": "not a folder of a feature", "specs/file": "it is a file", "openspec/changes/none": "it does not exist",
	} {
		a := Read(fsys, spec.Fields{Source: source})
		assert.Contains(t, a.Problem, want, "%s", source)
		assert.Equal(t, 1, len(a.Criteria), "%s", source)
		assert.False(t, a.Criteria[0].Checked, "%s: %+v", source, a)
		assert.NotEqual(t, "", a.Criteria[0].ID, "%s", source)
	}
	a := Read(fsys, spec.Fields{Source: "specs/001-shop", Part: spec.StringList{"T001", "T099"}})
	assert.Contains(t, a.Problem, `"T099"`, "%+v", a)
	many := fstest.MapFS{}
	for i := range maxFiles + 1 {
		many[fmt.Sprintf("specs/001-many/%d.md", i)] = &fstest.MapFile{}
	}
	assert.Contains(t, Read(many, spec.Fields{Source: "specs/001-many"}).Problem, "more than 1000 files")
}

func TestRead_part(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]int{"us1": 3, "T001": 1, "checklists": 2, "scenarios": 3, "success criteria": 1, "Tasks": 4, "US2.1": 1, "SC-001": 1} {
		if a := Read(shop(), spec.Fields{Source: "specs/001-shop", Part: spec.StringList{part}}); a.Problem != "" || len(a.Criteria) != want {
			t.Errorf("%s: %q %q", part, spell(a.Criteria), a.Problem)
		}
	}
}

// The digest is that of the text: boxes and line ends do not count, any other byte does.
func TestRead_digest(t *testing.T) {
	t.Parallel()
	of := spec.Fields{Source: "specs/001-shop"}
	digest := Read(shop(), of).Digest
	change := func(name, old, next string) string {
		fsys := shop()
		fsys[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(fsys[name].Data), old, next))}
		return Read(fsys, of).Digest
	}
	const tasks = "specs/001-shop/tasks.md"
	assert.Equal(t, digest, change(tasks, "- [ ] T002", "- [X] T002"), "a box or a line end counts")
	assert.Equal(t, digest, change(tasks, "\n", "\r\n"), "a box or a line end counts")
	for _, other := range []string{change(tasks, "T002", "T020"), change("specs/001-shop/plan.md", "sh", "awk"), change("specs/001-shop/contracts/api.yaml", "[ ]", "[x]")} {
		assert.NotEqual(t, digest, other, "a change of the text does not count")
	}
}

func TestTick(t *testing.T) {
	t.Parallel()
	src := shop()["specs/001-shop/tasks.md"].Data
	for _, c := range Read(shop(), spec.Fields{Source: "specs/001-shop", Part: spec.StringList{"tasks"}}).Criteria {
		moved := append([]byte("A line more.\n\n"), src...)
		got, err := Tick(moved, c, !c.Checked)
		assert.NoError(t, err)
		differ := 0
		for i := range got {
			if got[i] != moved[i] {
				differ++
			}
		}
		assert.Equal(t, len(moved), len(got), "%s", c.Text)
		assert.Equal(t, 1, differ, "%s", c.Text)
	}
	_, err := Tick(src, spec.Criterion{Text: "T009 Gone"}, true)
	assert.Error(t, err, "no error for a task that is gone")
}

func TestMergeBoxes(t *testing.T) {
	t.Parallel()
	const base, ours, theirs = "- [ ] a\n- [ ] b\n- [x] c\n", "- [x] a\n- [ ] b\n- [x] c\n", "- [ ] a\n- [x] b\n- [ ] c\n"
	got, ok := MergeBoxes([]byte(base), []byte(ours), []byte(theirs))
	assert.True(t, ok, "%s %v", got, ok)
	assert.Equal(t, "- [x] a\n- [x] b\n- [ ] c\n", string(got))
	for _, other := range []string{"- [ ] a\n- [ ] b\n- [x] d\n", base + "- [ ] d\n", strings.ReplaceAll(base, "\n", "\r\n")} {
		_, ok := MergeBoxes([]byte(base), []byte(ours), []byte(other))
		assert.False(t, ok, "merged %q", other)
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	parts, err := Divide(shop(), spec.Fields{Source: "specs/001-shop"})
	assert.NoError(t, err)
	var got []string
	for _, p := range parts {
		if a := Read(shop(), spec.Fields{Source: "specs/001-shop", Part: p.Part}); a.Problem != "" || len(a.Criteria) != len(p.Text) {
			t.Errorf("%s: part %q gives %q, not %q", p.Title, p.Part, spell(a.Criteria), p.Text)
		}
		got = append(got, fmt.Sprintf("%s %d after %v", p.Title, len(p.Text), p.After))
	}
	assert.Equal(t, []string{"Setup 2 after []", "List goods 3 after [0]", "Buy goods 2 after [0 1]", "Check the whole 3 after [0 1 2]"}, got)
	polished := shop() // a last phase waits for the first one through the stories
	polished["specs/001-shop/tasks.md"].Data = append(polished["specs/001-shop/tasks.md"].Data, "\n## Phase 9: Polish\n\n- [ ] T009 Tidy up\n"...)
	parts, err = Divide(polished, spec.Fields{Source: "specs/001-shop"})
	assert.NoError(t, err)
	assert.Equal(t, 4, len(parts))
	assert.Equal(t, "Polish", parts[3].Title)
	assert.Equal(t, []string{"T009", "checklists", "success criteria"}, parts[3].Part)
	change, err := Divide(greeting(), spec.Fields{Source: "openspec/changes/add-greeting"})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(change))
	assert.Equal(t, []string{"2.1", "scenarios"}, change[1].Part)
	for _, source := range []string{"specs/none", "specs/001-one"} {
		one := files(map[string]string{"specs/001-one/tasks.md": "- [ ] T001 One\n"})
		_, err := Divide(one, spec.Fields{Source: source})
		assert.Error(t, err, "%s was divided", source)
	}
}

func TestArchive(t *testing.T) {
	t.Parallel()
	fsys := greeting()
	day := time.Date(2026, 3, 4, 23, 0, 0, 0, time.FixedZone("west", -5*3600)) // the tool names the local day
	_, err := Archive(fsys, "openspec/changes/add-greeting", day)
	assert.Error(t, err, "a change with open tasks was archived")
	name := "openspec/changes/add-greeting/tasks.md"
	fsys[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(fsys[name].Data), "[ ]", "[x]"))}
	fsys["openspec/changes/add-greeting/try.sh"] = &fstest.MapFile{Data: []byte("true\n"), Mode: 0o755}
	plan, err := Archive(fsys, "openspec/changes/add-greeting", day)
	assert.NoError(t, err)
	written, removed := map[string]bool{}, 0
	for _, f := range plan.Files {
		if f.Content == nil {
			removed++
		} else {
			written[f.Path] = f.Executable
		}
	}
	const to = "openspec/changes/archive/2026-03-04-add-greeting/"
	want := []string{to + "proposal.md", to + "specs/greeting/spec.md", to + "tasks.md", to + "try.sh", "openspec/specs/greeting/spec.md"}
	got := slices.Sorted(maps.Keys(written))
	assert.Equal(t, want, got)
	assert.Equal(t, 4, removed)
	assert.True(t, written[to+"try.sh"], "%q, %d removed", got, removed)
	assert.False(t, written[to+"tasks.md"], "%q, %d removed", got, removed)
	again := fstest.MapFS{}
	maps.Copy(again, fsys)
	again["openspec/specs/greeting/spec.md"] = &fstest.MapFile{Data: []byte("# greeting Specification\n\n## Purpose\n\nIt greets people who start the program, whoever they are.\n\n## Requirements\n\n### Requirement: Greeting\n\nIt SHALL not greet.\n\n#### Scenario: S\n\n- **WHEN** a\n- **THEN** b\n")}
	if _, err := Archive(again, "openspec/changes/add-greeting", day); err == nil {
		t.Error("an addition replaced another requirement")
	} else if _, ok := err.(*RejectedError); !ok {
		t.Errorf("%T %v", err, err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	fsys := shop()
	maps.Copy(fsys, greeting())
	for _, name := range []string{
		"specs/20260319-143022-timed/spec.md", "specs/readme/spec.md", "specs/002-empty/notes.txt", "specs/12-short/spec.md",
		"openspec/changes/archive/2026-01-01-old/proposal.md", "apps/web/specs/003-nested/tasks.md", "apps/api/openspec/changes/two/proposal.md",
		"node_modules/x/specs/004-no/spec.md", ".hidden/specs/005-no/spec.md", "a/b/c/d/e/specs/006-deep/spec.md", "specs/007-\xff/spec.md", "b\xffd/specs/008-no/spec.md",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte("# X\n")}
	}
	want := []string{"apps/api/openspec/changes/two", "apps/web/specs/003-nested", "openspec/changes/add-greeting", "specs/001-shop", "specs/20260319-143022-timed"}
	got, err := Find(locked{fsys, "node"})
	assert.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = Find(locked{fsys, "specs"})
	assert.NoError(t, err)
	assert.Equal(t, want[:3], got)
}

// locked is a file system in which one folder may not be read, and names that are not UTF-8 cannot be asked for.
type locked struct {
	fstest.MapFS
	folder string
}

func (l locked) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == l.folder {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrPermission}
	}
	if !utf8.ValidString(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	return l.MapFS.ReadDir(name)
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	fsys := shop()
	maps.Copy(fsys, greeting())
	maps.Copy(fsys, files(map[string]string{"specs/007-some-thing/notes.md": "x", "openspec/changes/no-proposal/tasks.md": "- [x] 1.1 Done\n",
		"specs/008-état-général/tasks.md": "x", "specs/009-latin/spec.md": "# Feature Specification: Caf\xe9\n"}))
	for dir, want := range map[string]Description{
		"specs/001-shop":                {"A small shop", "implement", 1, 4},
		"specs/007-some-thing":          {"Some thing", "specify", 0, 0},
		"specs/none":                    {"None", "", 0, 0},
		"specs/008-état-général":        {"État général", "specify", 0, 0},
		"specs/009-latin":               {"Caf\uFFFD", "plan", 0, 0},
		"openspec/changes/add-greeting": {"Add a greeting", "", 0, 2},
		"openspec/changes/no-proposal":  {"No proposal", "", 1, 1},
	} {
		assert.Equal(t, want, Describe(fsys, dir), "%s", dir)
	}
}

func TestUnticked(t *testing.T) {
	t.Parallel()
	a := Read(shop(), spec.Fields{Source: "specs/001-shop"})
	out, err := Unticked(shop(), a)
	assert.NoError(t, err, "%+v", out)
	assert.Equal(t, 2, len(out), "%+v", out)
	for _, f := range out {
		assert.NotContains(t, string(f.Content), "[x]", "%s\n%s", f.Path, f.Content)
	}
}

// FuzzRead: any tasks.md can be read; ticking a task changes one box and neither the digest nor any other criterion.
func FuzzRead(f *testing.F) {
	f.Add("## 1. A\n- [ ] 1.1 B\n  - [x] C\n")
	f.Add("- [ ] T001 A\r\n- [ ] T001 A\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		const name = "specs/001-a/tasks.md"
		fsys := files(map[string]string{name: text})
		a := Read(fsys, spec.Fields{Source: "specs/001-a"})
		seen := map[string]bool{}
		for _, c := range a.Criteria {
			assert.False(t, seen[c.ID], "two criteria have the id %q", c.ID)
			seen[c.ID] = true
			if !c.InSource() || a.Problem != "" {
				continue
			}
			ticked, err := Tick([]byte(text), c, !c.Checked)
			assert.NoError(t, err)
			b := Read(files(map[string]string{name: string(ticked)}), spec.Fields{Source: "specs/001-a"})
			assert.Equal(t, a.Digest, b.Digest, "%q: ticking changed more than a box", c.Text)
			assert.Zero(t, spec.Tampering(a.Criteria, b.Criteria), "%q: ticking changed more than a box", c.Text)
		}
	})
}

// cellar is a folder of Kiro, whose tasks run one after the other but for two.
func cellar() fstest.MapFS {
	return files(map[string]string{
		".kiro/specs/cellar/requirements.md": "# Requirements Document\n\n### Requirement 1\n\n#### Acceptance Criteria\n\n1. WHEN a THEN b\n2. WHEN c THEN d\n\n### Requirement 2\n\n#### Acceptance Criteria\n\n1. WHEN e THEN f\n2. WHEN g THEN h\n\n- [ ] 3. x\n",
		".kiro/specs/cellar/tasks.md":        "- [ ] 1. First\n  - _Requirements: 1.1, 2.1_\n- [ ] 2. (P) Left\n  - [ ] 2.1 Below\n    - _Requirements: 1.2_\n- [ ] 3. (P) Right\n  - _Requirements: 2_\n- [ ] 4. Last\n- [ ]* 5. Optional\n",
	})
}

func TestDivide_kiro(t *testing.T) {
	t.Parallel()
	of := spec.Fields{Source: ".kiro/specs/cellar"}
	a := Read(cellar(), of)
	assert.Equal(t, "", a.Problem)
	assert.Equal(t, Kiro, a.Kind)
	assert.Equal(t, 5, a.Tasks)
	assert.Equal(t, []string{"R1.1 ~ requirements.md:7", "R1.2 ~ requirements.md:8", "R2.1 ~ requirements.md:14", "R2.2 ~ requirements.md:15"}, spell(a.Criteria)[5:9])
	parts, err := Divide(cellar(), of)
	assert.NoError(t, err)
	var got []string
	for _, p := range parts {
		got = append(got, fmt.Sprintf("%s %v after %v", p.Title, p.Part, p.After))
	}
	assert.Equal(t, []string{"First [1 R1.1] after []", "Left [2 2.1 R1.2] after [0]", "Right [3 R2.1 R2.2 R2.3] after [0]", "Last [4] after [1 2]"}, got)
	found, err := Find(cellar())
	assert.NoError(t, err)
	assert.Equal(t, []string{".kiro/specs/cellar"}, found)
	for part, want := range map[string]int{"R1": 2, "requirements": 5, "tasks": 5, "r2.1": 1} {
		assert.Equal(t, want, len(Read(cellar(), spec.Fields{Source: of.Source, Part: spec.StringList{part}}).Criteria), "%s", part)
	}
	_, err = divideKiro(tasklist.Parse([]byte("- [ ] 1. Only\n")))
	assert.IsError(t, err, tasklist.ErrUndivided)
}

// FuzzRequirements checks that each criterion of a file of Kiro has a text, a line and a key of its own in its requirement.
func FuzzRequirements(f *testing.F) {
	f.Add(cellar()[".kiro/specs/cellar/requirements.md"].Data)
	f.Add([]byte("### 1. a\n#### Acceptance criteria\n- a\n  - b\n### Requirement 99999999999999999999\n##### Acceptance Criteria (x)\n- c"))
	f.Fuzz(func(t *testing.T, src []byte) {
		last := 0
		for _, c := range requirements(src) {
			assert.True(t, c.Line > last, "%q: %v", src, c)
			assert.HasPrefix(t, c.Text, c.Key+": ")
			last = c.Line
		}
	})
}
