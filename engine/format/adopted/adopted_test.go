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

	"chant/engine/spec"
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
	if got := spell(a.Criteria); a.Problem != "" || !slices.Equal(got, want) || a.Tasks != 4 || a.Kind != SpecKit || len(a.Files) != 5 {
		t.Errorf("%q\n%+v", got, a)
	}
	if text := a.Criteria[6].Text; text != "US1.1: Given two goods, When the list is printed, Then both are in it" {
		t.Errorf("%q", text)
	}
	if a.Criteria[2].Runs() {
		t.Error("the text of a task became a command")
	}
}

func TestRead_change(t *testing.T) {
	t.Parallel()
	fsys := greeting()
	a := Read(fsys, spec.Fields{Source: "openspec/changes/add-greeting"})
	if got := spell(a.Criteria); !slices.Equal(got, []string{"1.1 o tasks.md:3", "2.1 o tasks.md:7", "~ spec.md:7"}) || a.Kind != OpenSpec || a.Moved {
		t.Errorf("%q\n%+v", got, a)
	}
	if text := a.Criteria[2].Text; text != "Greeting, Start: WHEN it starts THEN it greets" {
		t.Errorf("%q", text)
	}
	moved := fstest.MapFS{}
	for name, f := range fsys {
		moved[strings.Replace(name, "changes/add-greeting", "changes/archive/2026-01-02-add-greeting", 1)] = f
	}
	b := Read(moved, spec.Fields{Source: "openspec/changes/add-greeting"})
	if !b.Moved || b.Dir != "openspec/changes/archive/2026-01-02-add-greeting" || len(spec.Tampering(a.Criteria, b.Criteria)) > 0 || a.Digest != b.Digest {
		t.Errorf("%+v", b)
	}
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
		if !strings.Contains(a.Problem, want) || len(a.Criteria) != 1 || a.Criteria[0].Checked || a.Criteria[0].ID == "" {
			t.Errorf("%s: %+v", source, a)
		}
	}
	if a := Read(fsys, spec.Fields{Source: "specs/001-shop", Part: spec.StringList{"T001", "T099"}}); !strings.Contains(a.Problem, `"T099"`) {
		t.Errorf("%+v", a)
	}
	many := fstest.MapFS{}
	for i := range maxFiles + 1 {
		many[fmt.Sprintf("specs/001-many/%d.md", i)] = &fstest.MapFile{}
	}
	if a := Read(many, spec.Fields{Source: "specs/001-many"}); !strings.Contains(a.Problem, "more than 1000 files") {
		t.Errorf("%q", a.Problem)
	}
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
	if change(tasks, "- [ ] T002", "- [X] T002") != digest || change(tasks, "\n", "\r\n") != digest {
		t.Error("a box or a line end counts")
	}
	for _, other := range []string{change(tasks, "T002", "T020"), change("specs/001-shop/plan.md", "sh", "awk"), change("specs/001-shop/contracts/api.yaml", "[ ]", "[x]")} {
		if other == digest {
			t.Error("a change of the text does not count")
		}
	}
}

func TestTick(t *testing.T) {
	t.Parallel()
	src := shop()["specs/001-shop/tasks.md"].Data
	for _, c := range Read(shop(), spec.Fields{Source: "specs/001-shop", Part: spec.StringList{"tasks"}}).Criteria {
		moved := append([]byte("A line more.\n\n"), src...)
		got, err := Tick(moved, c, !c.Checked)
		if err != nil {
			t.Fatal(err)
		}
		differ := 0
		for i := range got {
			if got[i] != moved[i] {
				differ++
			}
		}
		if len(got) != len(moved) || differ != 1 {
			t.Errorf("%s: %d bytes differ", c.Text, differ)
		}
	}
	if _, err := Tick(src, spec.Criterion{Text: "T009 Gone"}, true); err == nil {
		t.Error("no error for a task that is gone")
	}
}

func TestMergeBoxes(t *testing.T) {
	t.Parallel()
	const base, ours, theirs = "- [ ] a\n- [ ] b\n- [x] c\n", "- [x] a\n- [ ] b\n- [x] c\n", "- [ ] a\n- [x] b\n- [ ] c\n"
	if got, ok := MergeBoxes([]byte(base), []byte(ours), []byte(theirs)); !ok || string(got) != "- [x] a\n- [x] b\n- [ ] c\n" {
		t.Errorf("%s %v", got, ok)
	}
	for _, other := range []string{"- [ ] a\n- [ ] b\n- [x] d\n", base + "- [ ] d\n", strings.ReplaceAll(base, "\n", "\r\n")} {
		if _, ok := MergeBoxes([]byte(base), []byte(ours), []byte(other)); ok {
			t.Errorf("merged %q", other)
		}
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	parts, err := Divide(shop(), spec.Fields{Source: "specs/001-shop"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range parts {
		if a := Read(shop(), spec.Fields{Source: "specs/001-shop", Part: p.Part}); a.Problem != "" || len(a.Criteria) != len(p.Text) {
			t.Errorf("%s: part %q gives %q, not %q", p.Title, p.Part, spell(a.Criteria), p.Text)
		}
		got = append(got, fmt.Sprintf("%s %d after %v", p.Title, len(p.Text), p.After))
	}
	if want := []string{"Setup 2 after []", "List goods 3 after [0]", "Buy goods 2 after [0 1]", "Check the whole 3 after [0 1 2]"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	polished := shop() // a last phase waits for the first one through the stories
	polished["specs/001-shop/tasks.md"].Data = append(polished["specs/001-shop/tasks.md"].Data, "\n## Phase 9: Polish\n\n- [ ] T009 Tidy up\n"...)
	parts, err = Divide(polished, spec.Fields{Source: "specs/001-shop"})
	if err != nil || len(parts) != 4 || parts[3].Title != "Polish" || !slices.Equal(parts[3].Part, []string{"T009", "checklists", "success criteria"}) {
		t.Errorf("%+v, %v", parts, err)
	}
	change, err := Divide(greeting(), spec.Fields{Source: "openspec/changes/add-greeting"})
	if err != nil || len(change) != 2 || !slices.Equal(change[1].Part, []string{"2.1", "scenarios"}) {
		t.Errorf("%+v, %v", change, err)
	}
	for _, source := range []string{"specs/none", "specs/001-one"} {
		one := files(map[string]string{"specs/001-one/tasks.md": "- [ ] T001 One\n"})
		if _, err := Divide(one, spec.Fields{Source: source}); err == nil {
			t.Errorf("%s was divided", source)
		}
	}
}

func TestArchive(t *testing.T) {
	t.Parallel()
	fsys := greeting()
	day := time.Date(2026, 3, 4, 23, 0, 0, 0, time.FixedZone("west", -5*3600)) // the tool names the local day
	if _, err := Archive(fsys, "openspec/changes/add-greeting", day); err == nil {
		t.Error("a change with open tasks was archived")
	}
	name := "openspec/changes/add-greeting/tasks.md"
	fsys[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(fsys[name].Data), "[ ]", "[x]"))}
	fsys["openspec/changes/add-greeting/try.sh"] = &fstest.MapFile{Data: []byte("true\n"), Mode: 0o755}
	plan, err := Archive(fsys, "openspec/changes/add-greeting", day)
	if err != nil {
		t.Fatal(err)
	}
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
	if got := slices.Sorted(maps.Keys(written)); !slices.Equal(got, want) || removed != 4 || !written[to+"try.sh"] || written[to+"tasks.md"] {
		t.Errorf("%q, %d removed", got, removed)
	}
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
	if got, err := Find(locked{fsys, "node"}); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := Find(locked{fsys, "specs"}); err != nil || !slices.Equal(got, want[:3]) {
		t.Errorf("without specs: %q, %v", got, err)
	}
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
		if got := Describe(fsys, dir); got != want {
			t.Errorf("%s: %+v, want %+v", dir, got, want)
		}
	}
}

func TestUnticked(t *testing.T) {
	t.Parallel()
	a := Read(shop(), spec.Fields{Source: "specs/001-shop"})
	out, err := Unticked(shop(), a)
	if err != nil || len(out) != 2 {
		t.Fatalf("%+v, %v", out, err)
	}
	for _, f := range out {
		if strings.Contains(string(f.Content), "[x]") {
			t.Errorf("%s\n%s", f.Path, f.Content)
		}
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
			if seen[c.ID] {
				t.Fatalf("two criteria have the id %q", c.ID)
			}
			seen[c.ID] = true
			if !c.InSource() || a.Problem != "" {
				continue
			}
			ticked, err := Tick([]byte(text), c, !c.Checked)
			if err != nil {
				t.Fatal(err)
			}
			b := Read(files(map[string]string{name: string(ticked)}), spec.Fields{Source: "specs/001-a"})
			if b.Digest != a.Digest || len(spec.Tampering(a.Criteria, b.Criteria)) > 0 {
				t.Fatalf("%q: ticking changed more than a box", c.Text)
			}
		}
	})
}
