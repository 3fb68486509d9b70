package exchange

import (
	"encoding/json"
	"testing"

	"chant/engine/format/lotar"
	"chant/engine/format/tracker"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/spec/taskfields"

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

// FuzzComposeItem checks that whatever an item of another tool says, the spec can be read, has all criteria, and runs none
// of them.
func FuzzComposeItem(f *testing.F) {
	f.Add("Title", "text\n\n```\nopen", "- a\n- b `$ echo`", "closed", true)
	f.Add("", "## Acceptance Criteria\n\n- [ ] x ``  $ y``\n<!-- open", "`$ a", "open", false)
	f.Add("---", "---\na: b\n---\n# Acceptance Criteria\n1. [ ] c\n   `$\n d`", "", "in_progress", true)
	f.Fuzz(func(t *testing.T, title, text, criteria, status string, known bool) {
		src, err := json.Marshal(map[string]any{
			"id": "a-1", "title": title, "description": text, "acceptance_criteria": criteria, "status": status, "close_reason": text,
			"dependencies": []map[string]string{{"depends_on_id": title}, {"depends_on_id": "b"}}, "comments": []map[string]string{{"text": text, "author": title}},
		})
		assert.NoError(t, err)
		r, err := tracker.Read(tracker.Beads, []tracker.File{{Content: src}})
		if err != nil || len(r.Items) == 0 {
			return
		}
		c := composer{tool: tracker.Beads, specs: map[string]string{}}
		if known {
			c.specs["B"] = "2026-01-01-002-abc"
		}
		doc, err := c.compose(imported{Spec: "2026-01-01-001-abc", Item: r.Items[0]})
		assert.NoError(t, err, "%q", src)
		s, err := spec.Parse("2026-01-01-001-abc", "a.md", doc.Bytes())
		assert.NoError(t, err, "%q", src)
		assert.Equal(t, r.Items[0].Status, s.Status)
		all := spec.Criteria(s.Doc)
		assert.True(t, len(all) >= len(r.Items[0].Criteria), "%q has fewer criteria: %q", src, doc.Bytes())
		for _, one := range all {
			assert.False(t, one.Runs(), "%q runs %q", src, one.Text)
			assert.True(t, one.Checked || s.Status != spec.Completed, "%q", src)
		}
		notes, err := taskfields.ReadNotes(s.Doc)
		assert.NoError(t, err)
		assert.Equal(t, r.Items[0].Comments, notes.Comments, "%q", src)
	})
}
