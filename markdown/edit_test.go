package markdown

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestApply(t *testing.T) {
	t.Parallel()
	type evidence struct {
		Command string `yaml:"command"`
		Exit    int    `yaml:"exit"`
	}
	tests := []struct {
		name, matter string
		edit         Edit
		want         string
	}{
		{"scalar keeps its comment", "a: 1\ns: old   # note\nb: 2\n", Set("s", "new"), "a: 1\ns: new   # note\nb: 2\n"},
		{"scalar keeps its place", "s:    old\n", Set("s", "new"), "s:    new\n"},
		{"single quotes stay", "s: 'old' # c\n", Set("s", "it's"), "s: 'it''s' # c\n"},
		{"double quotes stay", "s: \"a # b\"\t# c\n", Set("s", "new"), "s: \"new\"\t# c\n"},
		{"quotes do not stay on a number", "s: 'old'\n", Set("s", 3), "s: 3\n"},
		{"quoted key", "\"s\": old # c\n", Set("s", "new"), "\"s\": new # c\n"},
		{"wide characters", "ключ: 漢字 # é\ns: ü # ö\n", Set("ключ", "ß"), "ключ: ß # é\ns: ü # ö\n"},
		{"hash that is not a comment", "s: a#b # c\n", Set("s", "d#e"), "s: d#e # c\n"},
		{"no value", "s:\nb: 1\n", Set("s", "new"), "s: new\nb: 1\n"},
		{"no value, comment", "s: # c\nb: 1\n", Set("s", "new"), "s: new # c\nb: 1\n"},
		{"value on the next line", "s: # c\n  old\nb: 1\n", Set("s", "new"), "s: new # c\nb: 1\n"},
		{"text over lines", "s: one\n  two # c\nb: 1\n", Set("s", "new"), "s: new # c\nb: 1\n"},
		{"quotes over lines", "s: \"one\n  # two\"\nb: 1\n", Set("s", "new"), "s: \"new\"\nb: 1\n"},
		{"block scalar to text", "s: |- # c\n  one\n  # two\n\n# d\nb: 1\n", Set("s", "new"), "s: new # c\n\n# d\nb: 1\n"},
		{"block scalar stays one", "s: |\n  one\nb: 1\n", Set("s", "x\ny\n"), "s: |\n  x\n  y\nb: 1\n"},
		{"line break elsewhere", "s: one\n", Set("s", "x\ny"), "s: \"x\\ny\"\n"},
		{"bool", "s: false # c\n", Set("s", true), "s: true # c\n"},
		{"null", "s: x\n", Set("s", nil), "s: null\n"},
		{"tag goes", "s: !!str old # c\n", Set("s", "new"), "s: new # c\n"},
		{"time", "s: 2026-01-24T12:14:59Z # c\n", Set("s", time.Date(2026, 11, 20, 1, 2, 3, 0, time.UTC)), "s: 2026-11-20T01:02:03Z # c\n"},

		{"flow stays flow", "s: [a, 'b # c'] # d\nb: 1\n", Set("s", []string{"x", "y: z"}), "s: [x, 'y: z'] # d\nb: 1\n"},
		{"flow over lines", "s: [a, # c\n  b]\nb: 1\n", Set("s", []string{"x"}), "s: [x]\nb: 1\n"},
		{"empty flow stays flow", "s: []\n", Set("s", []string{"x"}), "s: [x]\n"},
		{"block list", "s:\n  - a\n  - b\n# c\nb: 1\n", Set("s", []string{"x", "z"}), "s:\n- x\n- z\n# c\nb: 1\n"},
		{"block list keeps the comment of its key", "s: # c\n- a\nb: 1\n", Set("s", []string{"x"}), "s: # c\n- x\nb: 1\n"},
		{"block list to empty", "s:\n- a\nb: 1\n", Set("s", []string{}), "s: []\nb: 1\n"},
		{"block list to text", "s: # c\n- a\nb: 1\n", Set("s", "x"), "s: x # c\nb: 1\n"},
		{"text to block list", "s: a # c\nb: 1\n", Set("s", []string{"x"}), "s: # c\n- x\nb: 1\n"},
		{"map", "s: a\nb: 1\n", Set("s", map[string]any{"k": []string{"x"}, "j": 1}), "s:\n  j: 1\n  k:\n  - x\nb: 1\n"},
		{
			"map of a block, key by key", "s: # of s\n    # on a\n    a: 'x' # c\n\n# on b\n    b: {d: 0x10}\n    gone: 1\n    m:\n      k: old # k\n# end\nb: 1\n",
			Set("s", map[string]any{"a": "y", "b": map[string]int{"d": 16}, "m": map[string]string{"k": "new", "l": "x"}, "n": 1}),
			"s: # of s\n    # on a\n    a: 'y' # c\n\n# on b\n    b: {d: 0x10}\n    m:\n      k: new # k\n      l: x\n    n: 1\n# end\nb: 1\n",
		},
		{"map of a block, with other keys", "s: # of s\n  # on a\n  a: 1\n  b: 2\n  # end\n", Set("s", map[string]int{"c": 3}), "s: # of s\n  # on a\n  c: 3\n  # end\n"},
		{
			"map of a block, with a time", "s:\n  # on at\n  at: 2026-01-02T10:00:00Z # c\n  n: 1\n",
			Set("s", map[string]any{"at": "2026-01-02T10:00:00Z", "n": 2}), "s:\n  # on at\n  at: 2026-01-02T10:00:00Z # c\n  n: 2\n",
		},
		{
			"maps and lists with times", "s:\n  # c\n  a: [2026-01-02, {at: 2026-01-03}]\n  n: 0x10\n  o: 1\n",
			Set("s", map[string]any{"a": []any{"2026-01-02", map[string]string{"at": "2026-01-03"}}, "n": 16, "o": 2}),
			"s:\n  # c\n  a: [2026-01-02, {at: 2026-01-03}]\n  n: 0x10\n  o: 2\n",
		},
		{"map of a block, with a block scalar", "s:\n  a: |\n    x\n\n     y\n  b: 1\n", Set("s", map[string]any{"a": "x\n\n y\n", "b": 2}), "s:\n  a: |\n    x\n\n     y\n  b: 2\n"},
		{"map of a block, with an alias", "b: &b 1\ns:\n  a: *b # c\n", Set("s", map[string]int{"a": 1, "k": 2}), "b: &b 1\ns:\n  a: 1\n  k: 2\n"},
		{"map of a block, emptied", "s:\n  a: 1\nb: 1\n", Set("s", map[string]int{}), "s: {}\nb: 1\n"},
		{"list of structs", "b: 1\n", Set("s", []evidence{{"go test", 1}}), "b: 1\ns:\n- command: go test\n  exit: 1\n"},
		{"text over lines in a list", "b: 1\n", Set("s", []string{"x\ny"}), "b: 1\ns:\n- \"x\\ny\"\n"},

		{"new key", "a: 1\n# end\n", Set("s", "new"), "a: 1\n# end\ns: new\n"},
		{"new key in an empty front matter", "", Set("s", "new"), "s: new\n"},
		{"new key below comments", "# c\n", Set("s", "new"), "# c\ns: new\n"},
		{"new key behind a block scalar", "a: |+\n  x\n\n", Set("s", "new"), "a: |+\n  x\n\ns: new\n"},
		{"new key before the end of the YAML", "a: 1\n...\n# c\n", Set("s", "new"), "a: 1\ns: new\n...\n# c\n"},
		{"new key in an indented mapping", "  a: 1\n", Set("s", []string{"x"}), "  a: 1\n  s:\n  - x\n"},
		{"new key with odd text", "a: 1\n", Set("x: y", "new"), "a: 1\n'x: y': new\n"},
		{"new list", "a: 1\n", Set("s", []string{"x"}), "a: 1\ns:\n- x\n"},

		{"remove", "a: 1\n# about s\ns: x # c\n\n# about b\nb: 2\n", Unset("s"), "a: 1\n# about s\n\n# about b\nb: 2\n"},
		{"remove a list", "s:\n- a\n# c\n- b\nb: 1\n", Unset("s"), "b: 1\n"},
		{"remove a block scalar", "s: |\n  a\n  # b\n# c\nb: 1\n", Unset("s"), "# c\nb: 1\n"},
		{"remove the last key", "s: 1\n", Unset("s"), ""},
		{"remove what is not there", "a: 1\n", Unset("s"), "a: 1\n"},

		{"equal text", "s:   'x' # c\n", Set("s", "x"), "s:   'x' # c\n"},
		{"equal list", "s:\n  - x # c\n  - 'y'\n", Set("s", []string{"x", "y"}), "s:\n  - x # c\n  - 'y'\n"},
		{"equal map in another order", "s: {b: 1, a: 2}\n", Set("s", map[string]int{"a": 2, "b": 1}), "s: {b: 1, a: 2}\n"},
		{"equal number", "s: 0x10\n", Set("s", 16), "s: 0x10\n"},
		{"equal null", "s: ~\n", Set("s", nil), "s: ~\n"},
		{"equal time as text", "s: 2026-01-24T12:14:59Z\n", Set("s", "2026-01-24T12:14:59Z"), "s: 2026-01-24T12:14:59Z\n"},
		{"number is not text", "s: 12\n", Set("s", "12"), "s: \"12\"\n"},

		{"alias elsewhere stays", "a: &x [1]\nb: *x\ns: y\n", Set("s", "new"), "a: &x [1]\nb: *x\ns: new\n"},
		{"alias replaced", "a: &x 1\ns: *x # c\nb: 1\n", Set("s", "new"), "a: &x 1\ns: new # c\nb: 1\n"},
		{"flow front matter", "{a: 1, s: old}\n", Set("s", "new"), "{a: 1, s: \"new\"}\n"},
		{"flow front matter, new key", "{a: 1}\n", Set("s", "new"), "{a: 1, s: \"new\"}\n"},
		{"flow front matter, removed key", "{a: 1, s: old}\n", Unset("s"), "{a: 1}\n"},
		{"explicit key", "a: 1\n? s\n: old\nb: 2\n", Set("s", "new"), "a: 1\ns: \"new\"\nb: 2\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, eol := range []string{"\n", "\r\n"} {
				file := func(matter string) string {
					return strings.ReplaceAll("---\n"+matter+"---\n# Body\n\n---\nx", "\n", eol)
				}
				d, err := mustParse(t, file(tt.matter)).Apply(tt.edit)
				assert.NoError(t, err)
				got, want := string(d.Bytes()), file(tt.want)
				assert.Equal(t, want, got)
			}
		})
	}
}

func TestApply_newFrontMatter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		src, want string
		edits     []Edit
	}{
		{"# T\n", "---\ns: x\nt: 1\n---\n# T\n", []Edit{Set("s", "x"), Set("t", 1)}},
		{"\uFEFF# T\r\n", "\uFEFF---\r\ns: x\r\n---\r\n# T\r\n", []Edit{Set("s", "x")}},
		{"", "---\ns: x\n---\n", []Edit{Set("s", "x")}},
		{"---\n---", "---\ns: x\n---", []Edit{Set("s", "x")}},
		{"# T\n", "# T\n", []Edit{Unset("s")}},
		{"---\na: 1\n---\n", "---\n---\n", []Edit{Set("b", 1), Unset("a"), Unset("b")}},
	}
	for _, tt := range tests {
		d, err := mustParse(t, tt.src).Apply(tt.edits...)
		if err != nil {
			t.Errorf("%q: %v", tt.src, err)
		} else if got := string(d.Bytes()); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestApply_refused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src string
		edit      Edit
		want      error
	}{
		{"anchor in use", "---\ns: &x 1\nb: *x\n---\n", Set("s", 2), ErrNotEditable},
		{"removed anchor in use", "---\ns: &x 1\nb: *x\n---\n", Unset("s"), ErrNotEditable},
		{"anchor that appears twice", "---\na: &x 1\ns: &x 2\nb: *x\n---\n", Set("s", 3), ErrNotEditable},
		{"no YAML", "---\na: 1\n---\n", Set("s", make(chan int)), ErrValue},
		{"no YAML, nested", "---\na: 1\n---\n", Set("s", []any{func() {}}), ErrValue},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := mustParse(t, tt.src)
			next, err := d.Apply(Set("fine", 1), tt.edit)
			assert.True(t, next == nil, "Apply = %v, %v", next, err)
			assert.IsError(t, err, tt.want)
			assert.Equal(t, tt.src, string(d.Bytes()), "the document changed")
		})
	}
	_, err := mustParse(t, "---\na: 1\na: 2\n---\n").Apply(Set("b", 1))
	_, ok := errors.AsType[*SyntaxError](err)
	assert.True(t, ok, "Apply on a broken front matter = %v", err)
}

func TestApply_textStaysText(t *testing.T) {
	t.Parallel()
	texts := []string{
		"", " ", "yes", "No", "on", "y", "~", "null", "true", "012", "0x1F", "0o7", "1e3", "1_000", ".inf", ".NaN", "12:30:45",
		"2026-11-20", "2026-11-20T01:02:03Z", "a: b", "a:", ": a", "a #b", "#a", "- a", "-", "---", "...", "? a", "*a", "&a", "!a",
		"%a", "@a", "`a`", "[a", "{a", "]", "}", ",", "|", ">", "'", "\"", "it's", "say \"x\"", `back\slash`, "a\nb", "a\n", "\na", "a\n\n",
		"  a\n b", "a\r\nb", "\r", "a\tb", "\ta", "a ", "\u0085", "\u2028", "\uFEFF", "\x00\x07", "漢字", "🍵", "<<", "=", strings.Repeat("long ", 60),
	}
	for _, old := range []string{"plain", "'single'", `"double"`, "|\n  block", ">-\n  folded", "[a]", "\n- a", "", "12"} {
		for _, eol := range []string{"\n", "\r\n"} {
			d := mustParse(t, strings.ReplaceAll("---\na: 1\ns: "+old+"\nb: [1]\n---\n", "\n", eol))
			for _, text := range texts {
				for _, value := range []any{text, []any{text, text}, map[string]any{"k": text, "l": []any{[]any{text}}}} {
					checkSet(t, d, value)
				}
			}
		}
	}
}

// checkSet sets s and compares what a reader then sees.
func checkSet(t *testing.T, d *Document, value any) {
	t.Helper()
	next, err := d.Apply(Set("s", value))
	if err != nil {
		t.Errorf("%q to %q: %v", d.FrontMatter(), value, err)
		return
	}
	var got any
	if _, err := next.Get("s", &got); err != nil || !reflect.DeepEqual(got, value) {
		t.Errorf("%q to %q: reads %q, %v", d.FrontMatter(), value, got, err)
	}
}

func TestApply_numbers(t *testing.T) {
	t.Parallel()
	d := mustParse(t, "---\ns: 1.5\n---\n")
	for _, value := range []any{0, -1, 1 << 40, 0.25, 1e300, math.Inf(-1), true, nil} {
		checkSet(t, d, value)
	}
}
