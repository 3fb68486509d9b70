package lotar

import (
	"reflect"
	"strings"
	"testing"

	"chant/engine/spec/taskfields"
)

// FuzzParseTask checks that a task that is written reads as the same task.
func FuzzParseTask(f *testing.F) {
	f.Add("title: A\nstatus: Todo\ntags: [a]\ncomments:\n- {date: 2026-01-02T03:04:05Z, text: \"x\\ny\"}\n")
	f.Add("title: 2026-01-02\nreferences: [{link: a}, {code: b#1}]\nrelationships: {depends_on: [A-1], parent: A-2}\n")
	f.Add("title: t\nhistory: [{at: x, changes: [{field: a, old: b, new: c}]}]\nsprints: [1, '#2']\ncustom_fields: {a: {b: [1]}}\n")
	f.Fuzz(func(t *testing.T, src string) {
		_, read, err := ParseTask("1.yml", []byte(src))
		if err != nil {
			if !strings.Contains(err.Error(), "1.yml:") {
				t.Errorf("%v names no line", err)
			}
			return
		}
		read.CustomFields = nil // which keep their nodes
		out, err := Marshal(read.Node())
		if err != nil {
			t.Fatal(err)
		}
		_, again, err := ParseTask("1.yml", out)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", src, out, err)
		}
		a, _ := Marshal(again.Node())
		if string(a) != string(out) {
			t.Errorf("%q is written as %q, then as %q", src, out, a)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		_, again, err := ParseSprint("1.yml", out)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", src, out, err)
		}
		if a, _ := Marshal(again.Node()); string(a) != string(out) {
			t.Errorf("%q is written as %q, then as %q", src, out, a)
		}
	})
}

// TestTask_Node writes the text of a comment even if it is empty, and leaves out everything else that is.
func TestTask_Node(t *testing.T) {
	t.Parallel()
	task := Task{Title: "A", Tags: []string{}, Comments: []taskfields.Comment{{Date: "2026-01-02T03:04:05Z"}}}
	const want = "title: A\ncomments:\n  - date: 2026-01-02T03:04:05Z\n    text: \"\"\n"
	if out, err := Marshal(task.Node()); err != nil || string(out) != want {
		t.Errorf("%s, %v, want\n%s", out, err, want)
	}
}

func TestParseTask(t *testing.T) {
	t.Parallel()
	root, read, err := ParseTask("1.yml", []byte("title: A\ntask_type: Bug\nsprints: ['#2', 3]\nreferences: [{page: x}, {link: y}]\nother: 1\n"))
	if err != nil || read.Type != "Bug" || !reflect.DeepEqual(read.Sprints, []int{2, 3}) || len(read.References) != 1 || indexOf(root, "other") < 0 {
		t.Errorf("%+v, %v", read, err)
	}
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
		if _, _, err := ParseTask("1.yml", []byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}
