package markdown

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"unicode/utf8"
)

func FuzzParse(f *testing.F) {
	for _, src := range samples(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := Parse("f.md", src)
		if err != nil {
			if _, ok := errors.AsType[*SyntaxError](err); !ok {
				t.Fatalf("error %T", err)
			}
			return
		}
		if !bytes.Equal(d.Bytes(), src) {
			t.Fatalf("Bytes = %q", d.Bytes())
		}
		var v map[string]any
		if err := d.Decode(&v); err != nil {
			broken, ok := errors.AsType[*SyntaxError](err)
			if !ok || broken.Line < 1 || broken.Line > bytes.Count(src, []byte("\n"))+1 {
				t.Fatalf("Decode = %#v", err)
			}
		}
		_, _ = d.Keys()
		_ = d.Title()
		if same := d.WithBody(d.Body()); !bytes.Equal(same.Bytes(), src) {
			t.Fatalf("WithBody of its own body = %q", same.Bytes())
		}
		if other := d.WithBody([]byte("---\nx")); string(other.Body()) != "---\nx" {
			t.Fatalf("WithBody = %q", other.Bytes())
		}
	})
}

func FuzzApply(f *testing.F) {
	for _, src := range samples(f) {
		f.Add(src, "status", "done")
		f.Add(src, "labels", "- x\n  y: 'z' # a")
		f.Add(src, "copy", "yes")
	}
	f.Fuzz(func(t *testing.T, src []byte, key, text string) {
		if !utf8.ValidString(key) {
			return // YAML has no such keys
		}
		d, err := Parse("f.md", src)
		if err != nil {
			return
		}
		var before map[string]any
		decodes := d.Decode(&before) == nil
		for _, value := range []any{text, []string{text}, nil} {
			e := Edit{Key: key, Value: value, Remove: value == nil}
			next, err := d.Apply(e)
			if err != nil {
				continue
			}
			if !bytes.Equal(next.Body(), d.Body()) {
				t.Fatalf("%+v changed the body to %q", e, next.Body())
			}
			checkOthers(t, next, e, before, decodes)
		}
	})
}

// checkOthers compares all keys but the edited one, and that one with its new value.
func checkOthers(t *testing.T, next *Document, e Edit, before map[string]any, decodes bool) {
	t.Helper()
	if text, ok := e.Value.(string); ok {
		var got string
		if found, err := next.Get(e.Key, &got); !found || err != nil || got != text {
			t.Fatalf("%+v reads %q, %v in %q", e, got, err, next.Bytes())
		}
	}
	var after map[string]any
	if err := next.Decode(&after); !decodes || err != nil {
		return
	}
	for key, value := range before {
		if !reflect.DeepEqual(value, value) || e.Key == "<<" {
			continue // not a number; merged keys are not keys of the file
		}
		if key != e.Key && !reflect.DeepEqual(after[key], value) {
			t.Fatalf("%+v changed %q from %#v to %#v in %q", e, key, value, after[key], next.Bytes())
		}
	}
}

func FuzzTasks(f *testing.F) {
	for _, src := range samples(f) {
		f.Add(src, "acceptance criteria")
	}
	f.Fuzz(func(t *testing.T, src []byte, title string) {
		d, err := Parse("f.md", src)
		if err != nil {
			return
		}
		end := 0
		for _, h := range d.Headings() {
			if h.Start < 0 || h.Start >= h.End || h.End > len(src) || h.Line < 1 {
				t.Fatalf("heading %+v in %q", h, src)
			}
		}
		for _, task := range d.Tasks(title) {
			if task.Offset <= end || src[task.Offset-1] != '[' || src[task.Offset+1] != ']' || task.Text == "" {
				t.Fatalf("task %+v in %q", task, src)
			}
			end = task.Offset
			if bytes.Count(src[:end], []byte("\n"))+1 != task.Line {
				t.Fatalf("task %+v on another line in %q", task, src)
			}
			if _, err := d.SetChecked(task.Offset, !task.Checked); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = d.Section(title)
		_, _ = d.CodeBlock(title)
		_ = d.DropSections(title)
		if more := d.AppendToSection(title, []byte("text")); !bytes.Contains(more.Bytes(), []byte("text")) {
			t.Fatalf("AppendToSection = %q", more.Bytes())
		}
	})
}
