package adopted

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"chant/engine/format"
	"chant/engine/format/speckit"
	"chant/engine/format/tasklist"
	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// greetPeople is a plan with what most plans have.
func greetPeople() format.Planned {
	return format.Planned{
		Title: "Greet people", Created: "2026-11-30", Goal: "People are greeted when the program starts.\n\nThat shows that it runs.",
		NonGoals: []string{"Saying goodbye"}, Risks: []string{"Names may be long"},
		Members: []format.Member{
			{
				Title: "Read the name", Why: "A greeting without a name is cold.", What: "The name is the first argument.\n\nWithout one it is `you`.",
				Criteria: []format.Criterion{{Text: "A name is read", Command: "go test ./name"}, {Text: "The manual names the argument"}},
				Files:    []string{"name/name.go"}, Labels: []string{"cli"},
			},
			{Title: "Print a line", What: "One line on stdout", Files: []string{"line.go"}},
			{
				Title: "Greet", What: "Put both together", After: []int{0, 1},
				Criteria: []format.Criterion{{Text: "It greets", Command: "./greet Ann | grep -qx 'Hello, `Ann`'"}},
			},
		},
	}
}

// TestWrite_readBack: what is written is found, has no faults, is divided into the same members in the same order, and
// its parts have all of its criteria.
func TestWrite_readBack(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("many words ", 20)[:200]
	odd := func(change func(p *format.Planned)) format.Planned {
		p := greetPeople()
		change(&p)
		return p
	}
	for name, p := range map[string]format.Planned{
		"plain":                  greetPeople(),
		"a chain":                odd(func(p *format.Planned) { p.Members[1].After, p.Members[2].After = []int{0}, []int{1} }),
		"all at once":            odd(func(p *format.Planned) { p.Members[2].After = nil }),
		"against the order":      odd(func(p *format.Planned) { p.Members[0].After, p.Members[2].After = []int{2}, nil }),
		"Markdown in titles":     odd(func(p *format.Planned) { p.Members[0].Title = "*Read* `the_name` [now](x) <b> & #1" }),
		"a title that ends in #": odd(func(p *format.Planned) { p.Members[0].Title = "Port to C #" }),
		"a title like a comment": odd(func(p *format.Planned) { p.Members[0].Title, p.Goal = "Read <!-- all", "Read <!-- all" }),
		"a title like a story":   odd(func(p *format.Planned) { p.Members[0].Title = "User Story 3 - x (P1) [P] 🎯 y" }),
		"a title like a task":    odd(func(p *format.Planned) { p.Members[0].Title = "[P] T002 [US3] depends on 3.1, US3" }),
		"titles of other phases": odd(func(p *format.Planned) { p.Members[2].Title, p.Members[1].Title = "Setup", "Polish" }),
		"a title of two lines":   odd(func(p *format.Planned) { p.Members[0].Title = "Read\r\n# the name\x1b[1m" }),
		"the same title":         odd(func(p *format.Planned) { p.Members[1].Title, p.Members[2].Title = "Read the name", "read  the name" }),
		"a long title":           odd(func(p *format.Planned) { p.Members[0].Title, p.Members[0].What, p.Title = long, "", long }),
		"another language": odd(func(p *format.Planned) {
			p.Members[0].Title, p.Goal, p.Title = "名前を読む", "Имя читается", ""
		}),
		"no criteria":               odd(func(p *format.Planned) { p.Members[0].Criteria, p.Members[2].Criteria = nil, nil }),
		"the same criterion":        odd(func(p *format.Planned) { p.Members[0].Criteria[1] = p.Members[0].Criteria[0] }),
		"a criterion without words": odd(func(p *format.Planned) { p.Members[0].Criteria[0].Text = "" }),
		"an open backquote":         odd(func(p *format.Planned) { p.Members[0].Criteria[0].Text = "run `this" }),
		"a command in the text":     odd(func(p *format.Planned) { p.Members[0].Criteria[0].Text = "run `$ rm -r x`" }),
		"a dependency in the text":  odd(func(p *format.Planned) { p.Members[0].Criteria[0].Text = "It depends on 3.1 and depends on US3" }),
		"backquotes in a command":   odd(func(p *format.Planned) { p.Members[0].Criteria[0].Command = "`echo ``x``` ` \r\n" }),
		"line ends of Windows":      odd(func(p *format.Planned) { p.Goal, p.Members[0].What = "a\r\n\r\n```\r\nb", "x\r\n\r\n## Purpose\r\n" }),
		"texts that stay open": odd(func(p *format.Planned) {
			p.Goal, p.Members[0].Why, p.Members[0].What = "```sh\n# x", "<!-- x", "## ADDED Requirements\n\n- [ ] 7.1 x\n\n```"
		}),
		"one member": odd(func(p *format.Planned) { p.Members = p.Members[:1] }),
	} {
		for _, kind := range []string{OpenSpec, SpecKit} {
			files := fstest.MapFS{}
			w, err := Write(files, kind, "greet-people", p)
			assert.NoError(t, err, "%s, %s", name, kind)
			for _, f := range w.Files {
				files[f.Path] = &fstest.MapFile{Data: f.Content}
			}
			checkWritten(t, name+", "+kind, files, w, p)
		}
	}
}

func checkWritten(t *testing.T, name string, files fs.FS, w Written, p format.Planned) {
	t.Helper()
	found, err := Find(files)
	assert.NoError(t, err, "%s", name)
	assert.Equal(t, []string{w.Dir}, found, "%s", name)
	if KindOf(w.Dir) == OpenSpec {
		faults, err := Validate(files, w.Dir)
		assert.NoError(t, err, "%s", name)
		assert.Zero(t, faults, "%s", name)
	}
	about := Describe(files, w.Dir)
	assert.Equal(t, p.Name(), about.Title, "%s", name)
	src, err := fs.ReadFile(files, path.Join(w.Dir, "tasks.md"))
	assert.NoError(t, err, "%s", name)
	list := tasklist.Parse(src)
	assert.Equal(t, len(p.Members), len(list.Phases), "phases of %s:\n%s", name, src)
	at := 0
	for i, m := range p.Members {
		for j := range 1 + len(m.Criteria) {
			task := list.Tasks[at]
			at++
			assert.Equal(t, i, task.Phase, "%s, task %q", name, task.Text)
			if j == 0 {
				assert.Equal(t, len(m.After), len(task.DependsOn), "%s, task %q", name, task.Text)
				continue
			}
			assert.Zero(t, task.DependsOn, "%s, task %q", name, task.Text)
			var want []string
			if command := strings.TrimSpace(m.Criteria[j-1].Command); command != "" {
				want = []string{command}
			}
			assert.Equal(t, want, commandsOf(t, task.Text), "%s, task %q", name, task.Text)
		}
	}
	assert.Equal(t, len(list.Tasks), at, "%s", name)
	checkParts(t, name, files, w, p)
}

// commandsOf returns what a criterion of a spec with a text would run.
func commandsOf(t *testing.T, text string) []string {
	t.Helper()
	doc, err := markdown.Parse("", []byte("## Acceptance Criteria\n\n- [ ] "+text+"\n"))
	assert.NoError(t, err)
	all := spec.Criteria(doc)
	assert.Equal(t, 1, len(all), "criteria in %q", text)
	return all[0].Commands
}

func checkParts(t *testing.T, name string, files fs.FS, w Written, p format.Planned) {
	t.Helper()
	whole := Read(files, spec.Fields{Source: w.Dir})
	assert.Equal(t, "", whole.Problem, "%s", name)
	var ids []string
	for i, part := range w.Parts {
		one := Read(files, spec.Fields{Source: w.Dir, Part: part})
		assert.Equal(t, "", one.Problem, "%s, part %d", name, i)
		assert.Equal(t, 1+len(p.Members[i].Criteria), one.Tasks, "%s, part %d", name, i)
		for _, c := range one.Criteria {
			ids = append(ids, c.ID)
		}
	}
	var all []string
	for _, c := range whole.Criteria {
		all = append(all, c.ID)
	}
	slices.Sort(ids)
	slices.Sort(all)
	assert.Equal(t, all, ids, "%s", name)
	if len(p.Members) == 1 {
		return
	}
	divided, err := Divide(files, spec.Fields{Source: w.Dir})
	assert.NoError(t, err, "%s", name)
	// The last part may be one for what belongs to no other.
	for i, m := range p.Members {
		at := slices.IndexFunc(divided, func(d Part) bool { return slices.Contains(d.Part, w.Parts[i][0]) })
		assert.True(t, at >= 0, "%s: part %d is in none of %+v", name, i, divided)
		for _, before := range m.After {
			other := slices.IndexFunc(divided, func(d Part) bool { return slices.Contains(d.Part, w.Parts[before][0]) })
			assert.SliceContains(t, divided[at].After, other, "%s: part %d of %+v", name, i, divided)
		}
		assert.False(t, len(m.After) == 0 && len(divided[at].After) > 0, "%s: part %d waits: %+v", name, i, divided)
	}
}

// TestWrite_refused: nothing that exists is overwritten, and what cannot be written says why.
func TestWrite_refused(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"openspec/changes/old/proposal.md": {}, "openspec/specs/living/spec.md": {}, "specs/007-old/spec.md": {}, "specs/20260101-101010-timed/spec.md": {},
	}
	for name, tc := range map[string]struct {
		kind, slug string
		change     func(p *format.Planned)
		want       string
	}{
		"a change":       {OpenSpec, "old", nil, `"openspec/changes/old" already exists`},
		"a capability":   {OpenSpec, "living", nil, `"openspec/specs/living" already exists`},
		"a feature":      {SpecKit, "old", nil, `"specs/007-old" already exists`},
		"another kind":   {Kiro, "new", nil, `a plan cannot be written as "kiro" (use openspec or spec-kit)`},
		"a path":         {OpenSpec, "../x", nil, `invalid name "../x" (use words of a-z and 0-9 with hyphens between them)`},
		"nothing":        {SpecKit, "new", func(p *format.Planned) { p.Members = nil }, `the plan "new" has no goal, or no parts`},
		"no goal":        {SpecKit, "new", func(p *format.Planned) { p.Goal, p.Title = " \n", "" }, `the plan "new" has no goal, or no parts`},
		"no title":       {SpecKit, "new", func(p *format.Planned) { p.Members[1].Title = "\r\n" }, `part 2 of the plan has no title`},
		"waits for none": {SpecKit, "new", func(p *format.Planned) { p.Members[1].After = []int{3} }, `part 2 of the plan, "Print a line", waits for part 4 of 3`},
		"waits for self": {SpecKit, "new", func(p *format.Planned) { p.Members[1].After = []int{1} }, `part 2 of the plan, "Print a line", waits for part 2 of 3`},
		"two lines": {OpenSpec, "new", func(p *format.Planned) { p.Members[0].Criteria[0].Command = "cd x\nls" },
			`a command of part 1 of the plan, "Read the name", has several lines: "cd x\nls"`},
	} {
		p := greetPeople()
		if tc.change != nil {
			tc.change(&p)
		}
		_, err := Write(files, tc.kind, tc.slug, p)
		assert.EqualError(t, err, tc.want, "%s", name)
		_, exists := errors.AsType[*format.ExistsError](err)
		assert.Equal(t, strings.HasSuffix(tc.want, "already exists"), exists, "%s", name)
	}
	w, err := Write(files, SpecKit, "new", greetPeople())
	assert.NoError(t, err)
	assert.Equal(t, "specs/008-new", w.Dir)
}

// TestWrite_golden shows both folders as they are written.
func TestWrite_golden(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{OpenSpec, SpecKit} {
		w, err := Write(fstest.MapFS{}, kind, "greet-people", greetPeople())
		assert.NoError(t, err)
		var got strings.Builder
		for _, f := range w.Files {
			got.WriteString("-- " + f.Path + " --\n" + string(f.Content))
		}
		golden := "testdata/written-" + kind + ".txtar"
		if os.Getenv("UPDATE") != "" {
			assert.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
		}
		want, err := os.ReadFile(golden)
		assert.NoError(t, err)
		assert.Equal(t, string(want), got.String(), "differs from %s (UPDATE=1 writes it):", golden)
	}
}

// FuzzWrite: whatever the texts of a plan are, its folder is read back as it was meant.
func FuzzWrite(f *testing.F) {
	f.Add("Read the name", "It `reads", "go test ./...", "## Why")
	f.Add("#", "depends on US1", "`", "<!--")
	f.Add("a", "b", "grep 'depends on US2' a; grep 'depends on 1.2' b", "c")
	f.Fuzz(func(t *testing.T, title, text, command, what string) {
		p := greetPeople()
		p.Goal, p.Members[0].Title, p.Members[0].What, p.Members[2].Title = what, title, what, title
		p.Members[0].Criteria[0] = format.Criterion{Text: text, Command: command}
		for _, kind := range []string{OpenSpec, SpecKit} {
			files := fstest.MapFS{}
			w, err := Write(files, kind, "greet-people", p)
			if err != nil {
				return
			}
			for _, f := range w.Files {
				files[f.Path] = &fstest.MapFile{Data: f.Content}
			}
			checkWritten(t, kind, files, w, p)
		}
	})
}

// TestWrite_layout: the reader of spec-kit finds every part of a feature.
func TestWrite_layout(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	w, err := Write(files, SpecKit, "greet-people", greetPeople())
	assert.NoError(t, err)
	for _, f := range w.Files {
		files[f.Path] = &fstest.MapFile{Data: f.Content}
	}
	f, err := speckit.Open(files, "specs/001-greet-people")
	assert.NoError(t, err)
	assert.Equal(t, speckit.Implement, f.Phase)
	assert.Equal(t, 3, len(f.Stories))
	assert.Equal(t, "**Given** the story is implemented, **When** `$ go test ./name` runs, **Then** it succeeds: A name is read", f.Stories[0].Scenarios[0].Text)
	assert.Equal(t, 3, len(f.SuccessCriteria))
	found, err := speckit.Find(files, "001-greet-people")
	assert.NoError(t, err)
	assert.Equal(t, w.Dir, found)
}
