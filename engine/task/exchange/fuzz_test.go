package exchange

import (
	"testing"

	"chant/engine/format/lotar"
	"chant/engine/spec"
	"chant/engine/spec/task"

	"github.com/alecthomas/assert/v2"
)

// FuzzCompose checks that the spec for a task gives back every value of the task.
func FuzzCompose(f *testing.F) {
	f.Add([]byte(everyField()["AUTH/1.yml"]))
	f.Add([]byte("title: '# x #'\nstatus: done\ndescription: \"```\\n- [ ] a\\n\"\nacceptance_criteria: [a, a, '']\n"))
	f.Add([]byte("title: \"a\\nb\"\nstatus: completed\npriority: Urgent\ntype: driver\ntags: [a, a]\nlotar: {a: 1}\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		root, read, err := lotar.ParseTask("1.yml", src)
		if err != nil {
			return
		}
		st := task.Defaults(true)
		file := &lotar.TaskFile{Prefix: "AUTH", Number: 1, Path: "1.yml", Task: read, Root: root}
		if _, _, err := statusOf(file, &st); err != nil {
			return
		}
		pl := &plan{ours: &st, from: source{settings: map[string]*task.Settings{"AUTH": &st}}, keys: map[string]string{"2026-01-01-001-abc": "AUTH-1"}}
		out, err := pl.compose(file, "2026-01-01-001-abc")
		if err != nil {
			return // reported with the file
		}
		s, err := spec.Parse("2026-01-01-001-abc", "a.md", out)
		assert.NoError(t, err, "%q becomes %q", src, out)
		shown, err := exportTask(s, &st, pl.keys)
		assert.NoError(t, err, "%q becomes %q", src, out)
		back, err := restoreOriginals(s.Doc, shown.Node(), taskDigests(s))
		assert.NoError(t, err, "%q becomes %q", src, out)
		if digest(back) != digest(plainNode(root, 0)) {
			text, _ := lotar.Marshal(back)
			t.Fatalf("%q becomes %q\nand then %q", src, out, text)
		}
	})
}
