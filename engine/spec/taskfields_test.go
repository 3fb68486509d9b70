package spec

import (
	"encoding/json"
	"testing"

	"chant/engine/spec/taskfields"
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
		if got, err := json.Marshal(s.Fields); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s, want\n%s", name, err, got, c.want)
		}
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	const matter = "comments:\n- date: 2026-01-02T03:04:05Z\n  author: ada\n  text: \"one\\ntwo\"\nreferences: [{link: 'https://a.b'}, {code: 'a.go#1-2'}]\n" +
		"imported_history: [{at: 2026-01-01T00:00:00Z, changes: [{field: status, old: Todo, new: Done}]}]\n"
	s, err := Parse("a", "a.md", []byte("---\n"+matter+"---\n# A\n"))
	if err != nil {
		t.Fatal(err)
	}
	notes, err := taskfields.ReadNotes(s.Doc)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"comments":[{"date":"2026-01-02T03:04:05Z","author":"ada","text":"one\ntwo"}],"references":[{"link":"https://a.b"},{"code":"a.go#1-2"}],` +
		`"imported_history":[{"at":"2026-01-01T00:00:00Z","changes":[{"field":"status","old":"Todo","new":"Done"}]}]}`
	if got, err := json.Marshal(notes); err != nil || string(got) != want {
		t.Errorf("%v\n%s, want\n%s", err, got, want)
	}
	for name, matter := range map[string]string{"an unknown kind": "references: [{page: 3}]\n", "a text": "references: abc\n", "a comment": "comments: 3\n"} {
		s, err := Parse("a", "a.md", []byte("---\n"+matter+"---\n# A\n"))
		if err != nil {
			t.Fatalf("%s hides the spec: %v", name, err)
		}
		if _, err := taskfields.ReadNotes(s.Doc); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
