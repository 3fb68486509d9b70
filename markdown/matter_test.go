package markdown

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

type head struct {
	Status string   `yaml:"status"`
	Tags   []string `yaml:"tags"`
	Count  int      `yaml:"count"`
}

func TestDecode(t *testing.T) {
	t.Parallel()
	kept := head{Status: "kept"}
	tests := []struct {
		name, src string
		want      head
	}{
		{"no front matter", "# T\n", kept},
		{"empty", "---\n---\n", kept},
		{"comments only", "---\n# c\n\n---\n", kept},
		{"struct", "---\nstatus: pending # c\ntags: [a, b]\ncount: 3\nother: x\n---\n", head{"pending", []string{"a", "b"}, 3}},
		{"CRLF and byte order mark", "\uFEFF---\r\nstatus: x\r\ntags:\r\n- a\r\n---\r\n", head{"x", []string{"a"}, 0}},
		{"leading zeros stay text", "---\nstatus: 012\n---\n", head{Status: "012"}},
		{"fence in a block scalar", "---\nstatus: |\n  a\n  ---\n  b\n---\n", head{Status: "a\n---\nb\n"}},
		{"line like the inner fence", "---\nstatus: |\n  --- end\n  --- end-\n---\n", head{Status: "--- end\n--- end-\n"}},
		{"kept line breaks", "---\nstatus: |+\n  a\n\n---\n", head{Status: "a\n\n"}},
		{"leading blank lines", "---\n\n\nstatus: x\n---\n", head{Status: "x"}},
		{"end of the YAML document", "---\nstatus: x\n...\n# c\n---\n", head{Status: "x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := kept
			assert.NoError(t, mustParse(t, tt.src).Decode(&got))
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestDecode_syntaxError(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, matter string
		line         int
		msg          string
	}{
		{"key twice", "a: 1\nb: 2\na: 3\n", 4, "first on line 2"},
		{"list", "- a\n", 2, "not a mapping"},
		{"text", "\nwords\n", 3, "not a mapping"},
		{"list as a key", "a: 1\n? [b]\n: 2\n", 3, "key"},
		{"wrong type", "a: 1\ncount: many\n", 3, "is not a whole number"},
		{"two wrong types", "count: many\nstatus: [a]\n", 2, "and 1 more"},
		{"second colon", "a: 1\nb: : 2\nc: 3\n", 3, "mapping values"},
		{"colon in a title", "a: 1\ntitle: Fix: the parser\n", 3, `needs quotes: title: "Fix: the parser"`},
		{"tab", "a: 1\n\tb: 2\n", 3, "tab"},
		{"open flow list", "a: [1\nb: 2\n", 3, "expected ',' or ']'"},
		{"open flow map", "a: 1\nb: 2\nc: {x: 1\nd: 4\n", 4, "expected ',' or '}'"},
		{"bad character", "@x\n", 2, "cannot start any token"},
		{"list below a map", "a: 1\nb: 2\n- c\n", 4, "expected key"},
		{"control character", "a: 1\nb: \x01\n", 3, "control characters"},
		{"no UTF-8", "a: 1\nb: \xff\n", 3, "UTF-8"},
		{"unknown anchor", "a: 1\nb: *nope\n", 3, "unknown anchor"},
		{"text behind dots", "a: 1\n...\nb: 2\n", 4, "document start"},
		{"second document", "a: 1\n--- {b: 2}\n", 3, "second YAML document"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := mustParse(t, "---\n"+tt.matter+"---\n")
			var v head
			err := d.Decode(&v)
			broken, ok := errors.AsType[*SyntaxError](err)
			assert.True(t, ok, "Decode = %v", err)
			assert.Equal(t, "doc.md", broken.Path, "got %v, want line", err)
			assert.Equal(t, tt.line, broken.Line, "got %v, want line", err)
			assert.Contains(t, broken.Msg, tt.msg, "got %v, want line", err)
		})
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	keys, err := mustParse(t, "---\nz: 1\n\"a b\": 2\n# c\nm: {z: 1}\n---\n").Keys()
	want := []string{"z", "a b", "m"}
	assert.NoError(t, err)
	assert.Equal(t, want, keys)
	keys, err = mustParse(t, "text").Keys()
	assert.NoError(t, err, "Keys without front matter = %q", keys)
	assert.Zero(t, keys, "Keys without front matter = %q", keys)
	_, err = mustParse(t, "---\na: 1\na: 2\n---\n").Keys()
	assert.Error(t, err, "Keys took a key twice")
}

func TestGet(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "---\nbase: &b [x]\ntags: *b\ncount: many\n---\n")
	var tags []string
	if ok, err := d.Get("tags", &tags); !ok || err != nil || !slices.Equal(tags, []string{"x"}) {
		t.Errorf("Get(tags) = %q, %v, %v", tags, ok, err)
	}
	if ok, err := d.Get("none", &tags); ok || err != nil {
		t.Errorf("Get(none) = %v, %v", ok, err)
	}
	var count int
	_, err := d.Get("count", &count)
	broken, ok := errors.AsType[*SyntaxError](err)
	assert.True(t, ok, "Get(count) = %v", err)
	assert.Equal(t, 4, broken.Line, "Get(count) = %v", err)
}

func TestDecode_deepNesting(t *testing.T) {
	t.Parallel()
	const depth = 200_000
	for _, src := range []string{
		"a: " + strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"a: " + strings.Repeat("{a: ", depth),
		strings.Repeat("? ", depth),
		"a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	} {
		d := mustParse(t, "---\n"+src+"\n---\n")
		var v map[string]any
		_ = d.Decode(&v)                        // an error or a value, but an end
		_, _ = d.Apply(Set("b", 1), Unset("a")) // likewise
	}
}

func TestDecode_aliasBomb(t *testing.T) {
	t.Parallel()
	var src strings.Builder
	src.WriteString("---\na0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		fmt.Fprintf(&src, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	src.WriteString("---\n")
	d := mustParse(t, src.String())
	var v map[string]any
	assert.Error(t, d.Decode(&v), "Decode followed every alias")
	next, err := d.Apply(Set("status", "done"))
	assert.NoError(t, err)
	assert.HasSuffix(t, string(next.FrontMatter()), "]\nstatus: done\n", "the new key is not at the end")
}

func TestKeyLine(t *testing.T) {
	t.Parallel()
	d, err := Parse("x.md", []byte("\uFEFF---\r\n# a comment\r\na: 1\r\n\"b\":\r\n  a: 2\r\nc : 3\r\n---\r\n"))
	assert.NoError(t, err)
	for key, want := range map[string]int{"a": 3, "b": 4, "c": 6, "d": 1} {
		assert.Equal(t, want, d.KeyLine(key), "%s is on line", key)
	}
}

func TestSyntaxError_duplicateKey(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]bool{"a: 1\na: 2\n": true, "m:\n  a: 1\n  a: 2\n": true, "a: [1\n": false, "a: [1]\nkey : [\n": false} {
		d, err := Parse("x.md", []byte("---\n"+front+"---\n"))
		if err == nil {
			err = d.Decode(&map[string]any{})
		}
		broken, ok := errors.AsType[*SyntaxError](err)
		assert.True(t, ok, "%q: %v", front, err)
		assert.Equal(t, want, broken.DuplicateKey(), "%q: %v", front, err)
	}
}
