package lotar

import (
	"testing"

	"chant/engine/spec/taskfields"

	"github.com/alecthomas/assert/v2"
)

// FuzzParseTask checks that a task that is written reads as the same task.
func FuzzParseTask(f *testing.F) {
	f.Add("title: A\nstatus: Todo\ntags: [a]\ncomments:\n- {date: 2026-01-02T03:04:05Z, text: \"x\\ny\"}\n")
	f.Add("title: 2026-01-02\nreferences: [{link: a}, {code: b#1}]\nrelationships: {depends_on: [A-1], parent: A-2}\n")
	f.Add("title: t\nhistory: [{at: x, changes: [{field: a, old: b, new: c}]}]\nsprints: [1, '#2']\ncustom_fields: {a: {b: [1]}}\n")
	f.Fuzz(func(t *testing.T, src string) {
		_, read, err := ParseTask("1.yml", []byte(src))
		if err != nil {
			assert.Contains(t, err.Error(), "1.yml:")
			return
		}
		read.CustomFields = nil // which keep their nodes
		out, err := Marshal(read.Node())
		assert.NoError(t, err)
		_, again, err := ParseTask("1.yml", out)
		assert.NoError(t, err, "%q is written as %q", src, out)
		a, _ := Marshal(again.Node())
		assert.Equal(t, string(out), string(a), "%q is written", src)
	})
}

func FuzzParseSprint(f *testing.F) {
	f.Add("actual: {started_at: 0000-00-00}\n")
	f.Add("plan: {label: a, capacity: {points: 3}}\nactual: {started_at: 2026-01-02}\ntasks: [A-1, {id: A-2}]\n")
	f.Fuzz(func(t *testing.T, src string) {
		_, read, err := ParseSprint("1.yml", []byte(src))
		if err != nil {
			return
		}
		out, err := Marshal(read.Node())
		assert.NoError(t, err)
		_, again, err := ParseSprint("1.yml", out)
		assert.NoError(t, err, "%q is written as %q", src, out)
		a, _ := Marshal(again.Node())
		assert.Equal(t, string(out), string(a), "%q is written", src)
	})
}

// TestTask_Node writes the text of a comment even if it is empty, and leaves out everything else that is.
func TestTask_Node(t *testing.T) {
	t.Parallel()
	task := Task{Title: "A", Tags: []string{}, Comments: []taskfields.Comment{{Date: "2026-01-02T03:04:05Z"}}}
	const want = "title: A\ncomments:\n  - date: 2026-01-02T03:04:05Z\n    text: \"\"\n"
	out, err := Marshal(task.Node())
	assert.NoError(t, err)
	assert.Equal(t, want, string(out))
}

func TestParseTask(t *testing.T) {
	t.Parallel()
	root, read, err := ParseTask("1.yml", []byte("title: A\ntask_type: Bug\nsprints: ['#2', 3]\nreferences: [{page: x}, {link: y}]\nother: 1\n"))
	assert.NoError(t, err)
	assert.Equal(t, "Bug", read.Type)
	assert.Equal(t, []int{2, 3}, read.Sprints)
	assert.Equal(t, 1, len(read.References))
	assert.True(t, indexOf(root, "other") >= 0, "%+v, %v", read, err)
	for src, want := range map[string]string{
		"":                                   "1.yml:1: the task has no title",
		"title: ' '\n":                       "1.yml:1: the task has no title",
		"a: 1\ntitle: [x]\n":                 "1.yml:2: title: a list or a mapping",
		"title: x\ntags: {a: b}\n":           "1.yml:2: tags: this is not a list",
		"title: x\ntags:\n- [a]\n":           "1.yml:3: tags: an item",
		"title: x\nsprints: [0]\n":           `1.yml:2: sprints: "0" is not the number of a sprint`,
		"title: x\ncomments:\n- text: [a]\n": "1.yml:3: comments: ",
		"title: x\nreferences: a\n":          "1.yml:2: references: this is not a list",
		"title: x\ncustom_fields: [a]\n":     "1.yml:2: custom_fields: this is not a mapping",
		"title: x\nrelationships: a\n":       "1.yml:2: relationships: ",
	} {
		_, _, err := ParseTask("1.yml", []byte(src))
		assert.Error(t, err, "%q", src)
		assert.Contains(t, err.Error(), want, "%q", src)
	}
}
