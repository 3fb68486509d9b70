package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/format"
	"chant/engine/format/adopted"

	"github.com/alecthomas/assert/v2"
)

// planned is a plan of two parts, the second of which waits for the first.
func planned(title, text, command string) format.Planned {
	return format.Planned{
		Title: title, Created: "2026-11-30", Goal: text, NonGoals: []string{text}, Risks: []string{text},
		Members: []format.Member{
			{Title: title, Why: text, What: text, Files: []string{"bow.sh"}, Criteria: []format.Criterion{{Text: text, Command: command}, {Text: "A person likes it"}}},
			{Title: "The other part", After: []int{0}, Labels: []string{"docs"}},
		},
	}
}

// writePlan writes a plan into a project as the folder of a tool.
func (p *project) writePlan(kind, slug string, plan format.Planned) adopted.Written {
	p.t.Helper()
	w, err := adopted.Write(os.DirFS(p.dir), kind, slug, plan)
	assert.NoError(p.t, err)
	for _, f := range w.Files {
		p.write(f.Path, string(f.Content))
	}
	return w
}

// TestWrittenPlan_validates: the real tool accepts what plans become, whatever their texts are, and sees their tasks.
func TestWrittenPlan_validates(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	tool := findOpenSpec(t, p)
	tool.run(p.dir, "init", "--tools", "none", ".")
	plans := []format.Planned{
		planned("A bow", "It bows.", "sh bow.sh"),
		planned("*Bow* `now` [x](y) #", "<!-- x\r\n\r\n## ADDED Requirements\r\n", "echo `pwd` ``"),
		planned("User Story 3 (P1) [P]", "```sh\n# x", "x"),
		planned(strings.Repeat("very long ", 20), strings.Repeat("many words ", 100), strings.Repeat("true && ", 50)+"true"),
		planned("お辞儀をする", "Он кланяется", "true"),
		{Title: "The same twice", Members: []format.Member{{Title: "One"}, {Title: "one"}}},
	}
	for i, plan := range plans {
		p.writePlan(adopted.OpenSpec, fmt.Sprintf("plan-%d", i), plan)
	}
	verdicts := tool.validate(p.dir, "--strict")
	assert.Equal(t, len(plans), len(verdicts.Items))
	for _, item := range verdicts.Items {
		assert.True(t, item.Valid, "%+v", item)
	}
	assert.Equal(t, len(plans)-1, strings.Count(tool.run(p.dir, "list", "--json"), `"totalTasks": 4`))
	assert.Contains(t, tool.run(p.dir, "show", "plan-0", "--json", "--deltas-only"), "$ sh bow.sh")
}

// TestWrittenPlan_lands: a plan that is adopted where it was written lands only with its commands, which its spec has as
// criteria of its own.
func TestWrittenPlan_lands(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{adopted.OpenSpec, adopted.SpecKit} {
		for work, want := range map[string]int{"echo bow > bow.sh": 0, "echo bow > other.sh": 9} {
			t.Run(kind+" "+work, func(t *testing.T) {
				t.Parallel()
				p := newProject(t)
				plan := planned("A bow", "It bows", "test -f bow.sh")
				w := p.writePlan(kind, "bow", plan)
				id := p.adoptOne(w.Dir)
				// The numbers of the criteria without a box follow those of the command and the four tasks.
				script := work + "; sed -i.bak 's/\\[ \\]/[x]/' " + w.Dir + "/tasks.md; rm " + w.Dir + "/*.bak" +
					"; for n in 6 7 8 9 10; do chant check " + id + " $n >&2 || true; done"
				file := filepath.Join(".chant", "specs", id+".md")
				p.write(file, p.read(file)+"\n## Acceptance Criteria\n\n- [ ] "+plan.Members[0].Criteria[0].Line()+"\n\n## Script\n\n```sh\n"+script+"\n```\n")
				out, errs, code := p.try(nil, "work", id)
				assert.Equal(t, want, code, "%s%s", out, errs)
				assert.Contains(t, out+errs, map[bool]string{true: "", false: "test -f bow.sh"}[want == 0])
			})
		}
	}
}
