package markdown

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func FuzzParse(f *testing.F) {
	for _, src := range samples(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := Parse("f.md", src)
		if err != nil {
			_, ok := errors.AsType[*SyntaxError](err)
			assert.True(t, ok, "error %T", err)
			return
		}
		assert.Equal(t, src, d.Bytes())
		var v map[string]any
		if err := d.Decode(&v); err != nil {
			broken, ok := errors.AsType[*SyntaxError](err)
			assert.True(t, ok, "Decode = %#v", err)
			assert.True(t, broken.Line >= 1, "Decode = %#v", err)
			assert.True(t, broken.Line <= bytes.Count(src, []byte("\n"))+1, "Decode = %#v", err)
		}
		_, _ = d.Keys()
		_ = d.Title()
		assert.Equal(t, src, d.WithBody(d.Body()).Bytes(), "WithBody of its own body")
		other := d.WithBody([]byte("---\nx"))
		assert.Equal(t, "---\nx", string(other.Body()), "WithBody = %q", other.Bytes())
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
		found, err := next.Get(e.Key, &got)
		assert.True(t, found, "%+v reads %q, %v in %q", e, got, err, next.Bytes())
		assert.NoError(t, err, "%+v reads %q", e, next.Bytes())
		assert.Equal(t, text, got, "%+v reads %q", e, next.Bytes())
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
			assert.True(t, h.Start >= 0, "heading %+v in %q", h, src)
			assert.True(t, h.Start < h.End, "heading %+v in %q", h, src)
			assert.True(t, h.End <= len(src), "heading %+v in %q", h, src)
			assert.True(t, h.Line >= 1, "heading %+v in %q", h, src)
		}
		for _, task := range d.Tasks(title) {
			assert.True(t, task.Offset > end, "task %+v in %q", task, src)
			assert.Equal(t, '[', src[task.Offset-1])
			assert.Equal(t, ']', src[task.Offset+1])
			assert.NotEqual(t, "", task.Text)
			end = task.Offset
			assert.Equal(t, task.Line, bytes.Count(src[:end], []byte("\n"))+1, "task %+v on another line in %q", task, src)
			_, err := d.SetChecked(task.Offset, !task.Checked)
			assert.NoError(t, err)
		}
		_, _ = d.Section(title)
		_, _ = d.CodeBlock(title)
		_ = d.DropSections(title)
		more := d.AppendToSection(title, []byte("text"))
		assert.True(t, bytes.Contains(more.Bytes(), []byte("text")), "AppendToSection = %q", more.Bytes())
	})
}
