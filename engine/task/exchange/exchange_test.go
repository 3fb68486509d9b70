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

	"github.com/alecthomas/assert/v2"
)

// TestRoundTrip imports a workspace and exports it again: every value is the same, wherever the workspace is.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	t.Run("in the project", func(t *testing.T) {
		t.Parallel()
		p, dir := enginetest.Project(t)
		from := filepath.Join(dir, ".tasks")
		writeAll(t, from, everyField())
		_, err := Import(t.Context(), p, ImportInput{})
		assert.NoError(t, err)
		to := filepath.Join(t.TempDir(), "out")
		r, err := Export(t.Context(), p, ExportInput{Dir: to})
		assert.NoError(t, err)
		assert.Equal(t, 6, r.Tasks)
		assert.Equal(t, 2, r.Sprints)
		assert.Zero(t, r.Numbered)
		compareFiles(t, to, from)
	})
	t.Run("elsewhere", func(t *testing.T) {
		t.Parallel()
		p, _ := enginetest.Project(t)
		from := t.TempDir()
		writeAll(t, from, everyField())
		_, err := Import(t.Context(), p, ImportInput{Dir: from})
		assert.NoError(t, err)
		to := filepath.Join(t.TempDir(), "out")
		_, err = Export(t.Context(), p, ExportInput{Dir: to})
		assert.NoError(t, err)
		for _, name := range []string{"config.yml", "AUTH/config.yml"} { // settings are not imported
			assert.NoError(t, os.Remove(filepath.Join(from, name)))
		}
		assert.NoError(t, os.Remove(filepath.Join(to, "config.yml")))
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
	assert.NoError(t, err)
	assert.Equal(t, 30, len(r.Tasks))
	assert.Equal(t, 1, len(r.Warnings))
	assert.Contains(t, r.Warnings[0], "settings")
	to := filepath.Join(t.TempDir(), "out")
	_, err = Export(t.Context(), p, ExportInput{Dir: to})
	assert.NoError(t, err)
	want := t.TempDir()
	assert.NoError(t, os.CopyFS(want, os.DirFS(from)))
	for dir, names := range map[string][]string{to: {"config.yml"}, want: {"config.yml", "DEV/config.yml"}} {
		for _, name := range names {
			assert.NoError(t, os.Remove(filepath.Join(dir, name)))
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
	assert.NoError(t, err)
	assert.Equal(t, 6, len(dry.Tasks))
	assert.Equal(t, 2, len(dry.Sprints))
	assert.Equal(t, "", dry.Commit)
	assert.Equal(t, len(before), len(enginetest.Snapshot(t, dir)), "a dry run wrote something")
	commits := enginetest.Git(t, dir, "rev-list", "--count", "HEAD")
	r, err := Import(t.Context(), p, ImportInput{})
	assert.NoError(t, err)
	assert.NotEqual(t, "", r.Commit)
	assert.Equal(t, 6, len(r.Tasks))
	assert.Equal(t, []int{1, 2}, r.Sprints)
	assert.Equal(t, commits, enginetest.Git(t, dir, "rev-list", "--count", "HEAD~1"), "it is not one commit")
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
	for _, want := range []string{"AUTH-99", "WEB-7", "GONE-1"} {
		if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, want) }) {
			t.Errorf("no warning about %s: %q", want, r.Warnings)
		}
	}
	byKey := map[string]*spec.File{}
	for _, made := range r.Tasks {
		s, err := p.Store.Get(t.Context(), made.ID)
		assert.NoError(t, err)
		byKey[made.Key] = s
	}
	one := byKey["AUTH-1"]
	assert.HasPrefix(t, one.ID, "2026-08-07-")
	assert.Equal(t, spec.InProgress, one.Status)
	assert.Equal(t, "NeedsReview", one.Fields.TaskStatus)
	assert.Equal(t, "Feature", one.Fields.TaskType)
	assert.Equal(t, "bob", one.Fields.Assignee)
	assert.True(t, slices.Equal(one.Fields.Sprints, []int{1, 42}), "AUTH-1 is %+v", one.Fields)
	assert.True(t, slices.Equal(one.Fields.DependsOn, []string{byKey["AUTH-2"].ID}), "AUTH-1 is %+v", one.Fields)
	assert.Equal(t, byKey["AUTH-4"].ID, one.Fields.Relationships.Parent)
	got := spec.Criteria(one.Doc)
	assert.Equal(t, 2, len(got))
	assert.Equal(t, "It is tested: twice", got[1].Text)
	assert.False(t, got[0].Checked, "its criteria are %+v", got)
	two := byKey["AUTH-2"]
	assert.Equal(t, spec.Completed, two.Status)
	assert.Equal(t, "2026-08-02T00:00:00Z", two.Fields.CompletedAt)
	assert.True(t, spec.Criteria(two.Doc)[0].Checked, "AUTH-2 is %+v", two.Fields)
	assert.Equal(t, "Bug", two.Fields.TaskType)
	three := byKey["AUTH-3"]
	assert.True(t, slices.Equal(three.Fields.DependsOn, []string{one.ID}), "AUTH-3 is %+v", three.Fields)
	assert.Equal(t, "2026", three.Title)
	assert.True(t, slices.Equal(three.Fields.Sprints, []int{2}), "AUTH-3 is %+v", three.Fields)
	again, err := Import(t.Context(), p, ImportInput{})
	assert.NoError(t, err)
	assert.True(t, len(again.Tasks)+len(again.Sprints) <= 0, "imported twice: %+v, %v", again, err)
	assert.Equal(t, 8, len(again.Present))
	assert.Equal(t, "", again.Commit)
	enginetest.Write(t, from, "AUTH/11.yml", "title: New\nstatus: Todo\nrelationships: {depends_on: [AUTH-1], blocks: [AUTH-2]}\n")
	again, err = Import(t.Context(), p, ImportInput{})
	assert.NoError(t, err, "imported a new one: %+v", again)
	assert.Equal(t, 1, len(again.Tasks), "imported a new one: %+v", again)
	assert.Equal(t, 8, len(again.Present), "imported a new one: %+v", again)
	assert.NotEqual(t, 0, len(again.Warnings), "imported a new one: %+v", again)
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
			assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err), "%+v", r)
			assert.Contains(t, err.Error(), filepath.Join("AUTH", "2.yml"), "%+v", r)
			assert.Equal(t, 1, len(r.Invalid), "%+v", r)
			ids, err := p.Store.IDs(t.Context())
			assert.NoError(t, err, "imported %q", ids)
			assert.Zero(t, ids, "imported %q", ids)
			r, err = Import(t.Context(), p, ImportInput{SkipInvalid: true})
			assert.NoError(t, err, "%+v", r)
			assert.Equal(t, 1, len(r.Tasks), "%+v", r)
			assert.Equal(t, 1, len(r.Invalid), "%+v", r)
		})
	}
	p, _ := enginetest.Project(t)
	_, err := Import(t.Context(), p, ImportInput{Dir: t.TempDir()})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err), "an empty directory")
	_, err = Import(t.Context(), p, ImportInput{})
	assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), "no .tasks directory")
	above := t.TempDir()
	writeAll(t, above, map[string]string{".tasks/AUTH/1.yml": "title: x\n"})
	r, err := Import(t.Context(), p, ImportInput{Dir: above, DryRun: true})
	assert.NoError(t, err, "the folder of a directory: %+v", r)
	assert.Equal(t, 1, len(r.Tasks), "the folder of a directory: %+v", r)
}

// TestExport_edited: what was edited in chant takes precedence over lotar's file.
func TestExport_edited(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	writeAll(t, filepath.Join(dir, ".tasks"), everyField())
	r, err := Import(t.Context(), p, ImportInput{})
	assert.NoError(t, err)
	at := slices.IndexFunc(r.Tasks, func(made ImportedTask) bool { return made.Key == "AUTH-1" })
	name := ".chant/specs/" + r.Tasks[at].ID + ".md"
	text := enginetest.Read(t, dir, name)
	text = strings.Replace(text, "effort: 2d", "effort: 16.00h", 1)
	text = strings.Replace(text, "# Log in: with #hash and *stars*", "# Another title", 1)
	enginetest.Commit(t, dir, map[string]string{name: text, ".chant/specs/2026-09-01-001-abc.md": "---\nstatus: completed\nlabels: [x]\n---\n# Without a number\n"})
	to := filepath.Join(t.TempDir(), "a", "out")
	result, err := Export(t.Context(), p, ExportInput{Dir: to})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(result.Numbered))
	assert.Contains(t, result.Numbered[0], "is AUTH-11")
	out := enginetest.Read(t, to, "AUTH/1.yml")
	assert.Contains(t, out, "effort: 16.00h")
	assert.Contains(t, out, "title: Another title")
	assert.Contains(t, out, "unknown_key")
	got := lines(out, "modified:")
	assert.Equal(t, 1, len(got))
	assert.NotContains(t, got[0], "2026-08-08")
	got = lines(out, "field: ")
	assert.False(t, !slices.Contains(got, "- field: title") && !slices.Contains(got, "- field: effort"), "its history has %q", got)
	out = enginetest.Read(t, to, "AUTH/11.yml")
	assert.Contains(t, out, "status: Done")
	assert.Contains(t, out, "title: Without a number")
	_, err = Export(t.Context(), p, ExportInput{Dir: to})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "over an export")
	_, err = Export(t.Context(), p, ExportInput{})
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err), "without a directory")
}

// TestImport_numbers: new tasks continue after the highest number, also of tasks that were not imported yet.
func TestImport_numbers(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	create := func(want string) {
		t.Helper()
		r, err := tasks.Create(t.Context(), p, tasks.CreateInput{Title: "New", Project: "AUTH"})
		assert.NoError(t, err, "the new task")
		assert.Equal(t, want, r.Task.ID, "the new task")
	}
	create("AUTH-1")
	from := t.TempDir()
	writeAll(t, from, map[string]string{"AUTH/7.yml": "title: Seven\n", "AUTH/1.yml": "title: One\ncreated: 2026-01-02T00:00:00Z\n"})
	r, err := Import(t.Context(), p, ImportInput{Dir: from})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Tasks))
	assert.Equal(t, []string{"AUTH-1"}, r.Present)
	assert.Equal(t, 1, len(r.Warnings))
	assert.Contains(t, r.Warnings[0], "another task")
	create("AUTH-8")
	writeAll(t, dir, map[string]string{".tasks/AUTH/9.yml": "title: Nine\n", ".tasks/AUTH/20.yml": "title: Twenty\n"})
	create("AUTH-21")
	r, err = Import(t.Context(), p, ImportInput{})
	assert.NoError(t, err, "%+v", r)
	assert.Equal(t, 2, len(r.Tasks), "%+v", r)
	create("AUTH-22")
}
