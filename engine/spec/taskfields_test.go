package spec

import (
	"encoding/json"
	"testing"

	"chant/engine/spec/taskfields"

	"github.com/alecthomas/assert/v2"
)

// TestTaskFields reads the keys of a task, and keeps a spec readable whose keys have other shapes.
func TestTaskFields(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ matter, want string }{
		"all": {
			"task: AUTH-12\nassignee: ada\ndue_date: 2026-12-01\nsprints: [2, '#1', 2, x, -3]\neffort: 3pt\n" +
				"relationships: {related: [a, b], parent: c}\ncustom_fields: {product: Platform, areas: [x, y], none: null, deep: {a: 1}}\n",
			`{"type":"code","task":"AUTH-12","assignee":"ada","due_date":"2026-12-01","effort":"3pt","sprints":[1,2],` +
				`"relationships":{"related":["a","b"],"parent":"c"},"custom_fields":{"areas":["x","y"],"deep":"{a: 1}","none":[],"product":"Platform"}}`,
		},
		"other shapes": {"task: [a]\nassignee: {a: b}\nsprints: {a: 1}\nrelationships: text\ncustom_fields: [1]\n", `{"type":"code"}`},
		"empty":        {"task:\nassignee: null\nsprints: 4\n", `{"type":"code","sprints":[4]}`},
	} {
		s, err := Parse("a", "a.md", []byte("---\n"+c.matter+"---\n# A\n"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := json.Marshal(s.Fields)
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, string(got), "%s", name)
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	const matter = "comments:\n- date: 2026-01-02T03:04:05Z\n  author: ada\n  text: \"one\\ntwo\"\nreferences: [{link: 'https://a.b'}, {code: 'a.go#1-2'}]\n" +
		"imported_history: [{at: 2026-01-01T00:00:00Z, changes: [{field: status, old: Todo, new: Done}]}]\n"
	s, err := Parse("a", "a.md", []byte("---\n"+matter+"---\n# A\n"))
	assert.NoError(t, err)
	notes, err := taskfields.ReadNotes(s.Doc)
	assert.NoError(t, err)
	const want = `{"comments":[{"date":"2026-01-02T03:04:05Z","author":"ada","text":"one\ntwo"}],"references":[{"link":"https://a.b"},{"code":"a.go#1-2"}],` +
		`"imported_history":[{"at":"2026-01-01T00:00:00Z","changes":[{"field":"status","old":"Todo","new":"Done"}]}]}`
	got, err := json.Marshal(notes)
	assert.NoError(t, err)
	assert.Equal(t, want, string(got))
	for name, matter := range map[string]string{"an unknown kind": "references: [{page: 3}]\n", "a text": "references: abc\n", "a comment": "comments: 3\n"} {
		s, err := Parse("a", "a.md", []byte("---\n"+matter+"---\n# A\n"))
		assert.NoError(t, err, "%s hides the spec", name)
		_, err = taskfields.ReadNotes(s.Doc)
		assert.Error(t, err, "%s: no error", name)
	}
}
