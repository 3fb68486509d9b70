package exchange

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/task/tasks"
)

// TestRoundTrip imports a workspace and exports it again: every value is the same, wherever the workspace is.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	t.Run("in the project", func(t *testing.T) {
		t.Parallel()
		p, dir := enginetest.Project(t)
		from := filepath.Join(dir, ".tasks")
		writeAll(t, from, everyField())
		if _, err := Import(t.Context(), p, ImportInput{}); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "out")
		r, err := Export(t.Context(), p, ExportInput{Dir: to})
		if err != nil || r.Tasks != 6 || r.Sprints != 2 || len(r.Numbered) > 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		compareFiles(t, to, from)
	})
	t.Run("elsewhere", func(t *testing.T) {
		t.Parallel()
		p, _ := enginetest.Project(t)
		from := t.TempDir()
		writeAll(t, from, everyField())
		if _, err := Import(t.Context(), p, ImportInput{Dir: from}); err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "out")
		if _, err := Export(t.Context(), p, ExportInput{Dir: to}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"config.yml", "AUTH/config.yml"} { // settings are not imported
			if err := os.Remove(filepath.Join(from, name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Remove(filepath.Join(to, "config.yml")); err != nil {
			t.Fatal(err)
		}
		compareFiles(t, to, from)
	})
}

// TestRoundTrip_corpus does the same with a real workspace: the tasks in lotar's own repository, in the folder that
// CHANT_LOTAR_TASKS names.
func TestRoundTrip_corpus(t *testing.T) {
	t.Parallel()
	from := os.Getenv("CHANT_LOTAR_TASKS")
	if from == "" {
		t.Skip("CHANT_LOTAR_TASKS names no folder of tasks")
	}
	p, _ := enginetest.Project(t)
	r, err := Import(t.Context(), p, ImportInput{Dir: from})
	if err != nil || len(r.Tasks) != 30 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "settings") {
		t.Fatalf("%d tasks, %v, %v", len(r.Tasks), r.Warnings, err)
	}
	to := filepath.Join(t.TempDir(), "out")
	if _, err := Export(t.Context(), p, ExportInput{Dir: to}); err != nil {
		t.Fatal(err)
	}
	want := t.TempDir()
	if err := os.CopyFS(want, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for dir, names := range map[string][]string{to: {"config.yml"}, want: {"config.yml", "DEV/config.yml"}} {
		for _, name := range names {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	compareFiles(t, to, want)
}

func TestImport(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	from := filepath.Join(dir, ".tasks")
	writeAll(t, from, everyField())
	enginetest.CommitAll(t, dir)
	before := enginetest.Snapshot(t, dir)
	dry, err := Import(t.Context(), p, ImportInput{DryRun: true})
	if err != nil || len(dry.Tasks) != 6 || len(dry.Sprints) != 2 || dry.Commit != "" {
		t.Fatalf("%+v, %v", dry, err)
	}
	if after := enginetest.Snapshot(t, dir); len(after) != len(before) {
		t.Error("a dry run wrote something")
	}
	commits := enginetest.Git(t, dir, "rev-list", "--count", "HEAD")
	r, err := Import(t.Context(), p, ImportInput{})
	if err != nil || r.Commit == "" || len(r.Tasks) != 6 || !slices.Equal(r.Sprints, []int{1, 2}) {
		t.Fatalf("%+v, %v", r, err)
	}
	if enginetest.Git(t, dir, "rev-list", "--count", "HEAD~1") != commits {
		t.Error("it is not one commit")
	}
	if changed := enginetest.Git(t, dir, "status", "--porcelain"); changed != "" {
		t.Errorf("not committed:\n%s", changed)
	}
	for _, want := range []string{"AUTH-99", "WEB-7", "GONE-1"} {
		if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, want) }) {
			t.Errorf("no warning about %s: %q", want, r.Warnings)
		}
	}
	byKey := map[string]*spec.File{}
	for _, made := range r.Tasks {
		s, err := p.Store.Get(t.Context(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		byKey[made.Key] = s
	}
	one := byKey["AUTH-1"]
	if !strings.HasPrefix(one.ID, "2026-08-07-") || one.Status != spec.InProgress || one.Fields.TaskStatus != "NeedsReview" ||
		one.Fields.TaskType != "Feature" || one.Fields.Assignee != "bob" || !slices.Equal(one.Fields.Sprints, []int{1, 42}) ||
		!slices.Equal(one.Fields.DependsOn, []string{byKey["AUTH-2"].ID}) || one.Fields.Relationships.Parent != byKey["AUTH-4"].ID {
		t.Errorf("AUTH-1 is %+v", one.Fields)
	}
	if got := spec.Criteria(one.Doc); len(got) != 2 || got[1].Text != "It is tested: twice" || got[0].Checked {
		t.Errorf("its criteria are %+v", got)
	}
	two := byKey["AUTH-2"]
	if two.Status != spec.Completed || two.Fields.CompletedAt != "2026-08-02T00:00:00Z" || !spec.Criteria(two.Doc)[0].Checked || two.Fields.TaskType != "Bug" {
		t.Errorf("AUTH-2 is %+v", two.Fields)
	}
	if three := byKey["AUTH-3"]; !slices.Equal(three.Fields.DependsOn, []string{one.ID}) || three.Title != "2026" || !slices.Equal(three.Fields.Sprints, []int{2}) {
		t.Errorf("AUTH-3 is %+v", three.Fields)
	}
	again, err := Import(t.Context(), p, ImportInput{})
	if err != nil || len(again.Tasks)+len(again.Sprints) > 0 || len(again.Present) != 8 || again.Commit != "" {
		t.Errorf("imported twice: %+v, %v", again, err)
	}
	enginetest.Write(t, from, "AUTH/11.yml", "title: New\nstatus: Todo\nrelationships: {depends_on: [AUTH-1], blocks: [AUTH-2]}\n")
	again, err = Import(t.Context(), p, ImportInput{})
	if err != nil || len(again.Tasks) != 1 || len(again.Present) != 8 || len(again.Warnings) == 0 {
		t.Errorf("imported a new one: %+v, %v", again, err)
	}
}

func TestImport_invalid(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no title":          "status: Todo\n",
		"no YAML":           "title: [\n",
		"a list":            "- a\n",
		"a list as a title": "title: [a]\n",
		"unknown status":    "title: x\nstatus: Elsewhere\n",
		"comments":          "title: x\ncomments: text\n",
		"a key twice":       "title: x\ntitle: y\n",
		"a sprint":          "title: x\nsprints: [one]\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			writeAll(t, dir, map[string]string{".tasks/AUTH/1.yml": "title: Good\nstatus: Todo\n", ".tasks/AUTH/2.yml": text})
			r, err := Import(t.Context(), p, ImportInput{})
			if enginetest.CodeOf(t, err) != engine.Invalid || !strings.Contains(err.Error(), filepath.Join("AUTH", "2.yml")) || len(r.Invalid) != 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			if ids, err := p.Store.IDs(t.Context()); err != nil || len(ids) > 0 {
				t.Fatalf("imported %q, %v", ids, err)
			}
			r, err = Import(t.Context(), p, ImportInput{SkipInvalid: true})
			if err != nil || len(r.Tasks) != 1 || len(r.Invalid) != 1 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	p, _ := enginetest.Project(t)
	if _, err := Import(t.Context(), p, ImportInput{Dir: t.TempDir()}); enginetest.CodeOf(t, err) != engine.NotFound {
		t.Errorf("an empty directory: %v", err)
	}
	if _, err := Import(t.Context(), p, ImportInput{}); enginetest.CodeOf(t, err) != engine.NotFound || !strings.Contains(err.Error(), "no .tasks directory") {
		t.Errorf("no directory: %v", err)
	}
	above := t.TempDir()
	writeAll(t, above, map[string]string{".tasks/AUTH/1.yml": "title: x\n"})
	if r, err := Import(t.Context(), p, ImportInput{Dir: above, DryRun: true}); err != nil || len(r.Tasks) != 1 {
		t.Errorf("the folder of a directory: %+v, %v", r, err)
	}
}

// TestExport_edited: what was edited in chant takes precedence over lotar's file.
func TestExport_edited(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	writeAll(t, filepath.Join(dir, ".tasks"), everyField())
	r, err := Import(t.Context(), p, ImportInput{})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Tasks, func(made ImportedTask) bool { return made.Key == "AUTH-1" })
	name := ".chant/specs/" + r.Tasks[at].ID + ".md"
	text := enginetest.Read(t, dir, name)
	text = strings.Replace(text, "effort: 2d", "effort: 16.00h", 1)
	text = strings.Replace(text, "# Log in: with #hash and *stars*", "# Another title", 1)
	enginetest.Commit(t, dir, map[string]string{name: text, ".chant/specs/2026-09-01-001-abc.md": "---\nstatus: completed\nlabels: [x]\n---\n# Without a number\n"})
	to := filepath.Join(t.TempDir(), "a", "out")
	result, err := Export(t.Context(), p, ExportInput{Dir: to})
	if err != nil || len(result.Numbered) != 1 || !strings.Contains(result.Numbered[0], "is AUTH-11") {
		t.Fatalf("%+v, %v", result, err)
	}
	out := enginetest.Read(t, to, "AUTH/1.yml")
	if !strings.Contains(out, "effort: 16.00h") || !strings.Contains(out, "title: Another title") || !strings.Contains(out, "unknown_key") {
		t.Errorf("exported\n%s", out)
	}
	if got := lines(out, "modified:"); len(got) != 1 || strings.Contains(got[0], "2026-08-08") {
		t.Errorf("modified at %q", got)
	}
	if got := lines(out, "field: "); !slices.Contains(got, "- field: title") && !slices.Contains(got, "- field: effort") {
		t.Errorf("its history has %q", got)
	}
	if out := enginetest.Read(t, to, "AUTH/11.yml"); !strings.Contains(out, "status: Done") || !strings.Contains(out, "title: Without a number") {
		t.Errorf("exported\n%s", out)
	}
	if _, err := Export(t.Context(), p, ExportInput{Dir: to}); enginetest.CodeOf(t, err) != engine.Usage {
		t.Errorf("over an export: %v", err)
	}
	if _, err := Export(t.Context(), p, ExportInput{}); enginetest.CodeOf(t, err) != engine.Usage {
		t.Errorf("without a directory: %v", err)
	}
}

// TestImport_numbers: new tasks continue after the highest number, also of tasks that were not imported yet.
func TestImport_numbers(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	create := func(want string) {
		t.Helper()
		r, err := tasks.Create(t.Context(), p, tasks.CreateInput{Title: "New", Project: "AUTH"})
		if err != nil || r.Task.ID != want {
			t.Fatalf("the new task is %q, %v; want %s", r.Task.ID, err, want)
		}
	}
	create("AUTH-1")
	from := t.TempDir()
	writeAll(t, from, map[string]string{"AUTH/7.yml": "title: Seven\n", "AUTH/1.yml": "title: One\ncreated: 2026-01-02T00:00:00Z\n"})
	r, err := Import(t.Context(), p, ImportInput{Dir: from})
	if err != nil || len(r.Tasks) != 1 || !slices.Equal(r.Present, []string{"AUTH-1"}) || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "another task") {
		t.Fatalf("%+v, %v", r, err)
	}
	create("AUTH-8")
	writeAll(t, dir, map[string]string{".tasks/AUTH/9.yml": "title: Nine\n", ".tasks/AUTH/20.yml": "title: Twenty\n"})
	create("AUTH-21")
	if r, err = Import(t.Context(), p, ImportInput{}); err != nil || len(r.Tasks) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	create("AUTH-22")
}
