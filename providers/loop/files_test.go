package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/text"

	"github.com/alecthomas/assert/v2"
)

// box returns the tools on a worktree with some files.
func box(t *testing.T, contents map[string]string) (toolbox, string) {
	t.Helper()
	top := t.TempDir()
	for name, content := range contents {
		write(t, top, name, content)
	}
	tree, err := openTree(top)
	assert.NoError(t, err)
	t.Cleanup(func() { tree.close() })
	c := Config{API: Ollama, Worktree: top, Context: minContext}.withDefaults()
	return newToolbox(c, tree, []string{"PATH=/usr/bin:/bin"}, nil), top
}

func (b toolbox) use(tool string, input any) (string, error) {
	src, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	return b.call(context.Background(), call{Tool: tool, Input: string(src)})
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "line %d\n", i+1)
	}
	b, _ := box(t, map[string]string{
		"short": "a\nb\nc", "empty": "", "long": long.String(), "binary": "a\x00b", "wide": strings.Repeat("w", 9000) + "\nnext\n", "latin": "caf\xe9\n",
	})
	type in = map[string]any
	for _, test := range []struct {
		in   in
		want string // in the text, or in the error with a ! before it
	}{
		{in{"path": "short"}, "a\nb\nc"},
		{in{"path": "short", "offset": 2, "limit": "1"}, "b\n[lines 2 to 2 of 3; go on with offset 3]"},
		{in{"path": "short", "offset": 3.0}, "c\n[lines 3 to 3 of 3]"},
		{in{"path": "empty"}, "[the file is empty]"},
		{in{"path": "long", "offset": 100, "limit": 2}, "line 100\nline 101\n[lines 100 to 101 of 3000; go on with offset 102]"},
		{in{"path": "wide"}, "bytes left out"},
		{in{"path": "wide", "offset": 2}, "next\n[lines 2 to 2 of 2]"},
		{in{"path": "latin"}, "caf?\n"},
		{in{"path": "short", "offset": 4}, "!has only 3 lines"},
		{in{"path": "binary"}, "!not a text file"},
		{in{"path": "short", "offset": "two"}, "!is not a number"},
		{in{"path": "none"}, "!use list_files"},
		{in{"path": "."}, "!is a folder"},
	} {
		answer, err := b.use("read_file", test.in)
		want, fails := strings.CutPrefix(test.want, "!")
		got := answer + fmt.Sprint(err)
		assert.Equal(t, err != nil, fails, "%v", test.in)
		assert.Contains(t, got, want, "%v", test.in)
		assert.True(t, len(answer) <= b.said, "%v %v", test.in, len(answer))
	}
	answer, err := b.use("read_file", in{"path": "long"})
	assert.NoError(t, err)
	assert.HasPrefix(t, answer, "line 1\n")
	assert.Contains(t, answer, "of 3000; go on with offset ")
}

func TestEditFile(t *testing.T) {
	t.Parallel()
	type in = map[string]any
	for name, test := range map[string]struct {
		content, old, new string
		want              string // the file after it, or in the error with a ! before it
	}{
		"once":     {"a\nbb\nc\n", "bb", "B", "a\nB\nc\n"},
		"lines":    {"a\nb\nc\n", "a\nb", "x", "x\nc\n"},
		"deleted":  {"a\nb\n", "b\n", "", "a\n"},
		"dollar":   {"a\n", "a", "$1", "$1\n"},
		"crlf":     {"a\r\nb\r\n", "a\nb", "x\ny", "x\r\ny\r\n"},
		"twice":    {"same\nother\nsame\n", "same", "x", "!2 times (lines 1, 3)"},
		"overlaps": {"aaaa", "aa", "b", "!2 times"},
		"absent":   {"func  Parse(s string) {\n\treturn\n}\n", "func Parse(s string) {\n    return", "x", "!The nearest lines are 1 to 3:\nfunc  Parse(s string) {\n\treturn\n}"},
		"nowhere":  {"abc\n", "zzzzzz", "x", "!No line is like it"},
		"empty":    {"a", "", "x", "!use write_file"},
		"same":     {"a", "a", "a", "!nothing was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, top := box(t, map[string]string{"f": test.content})
			_, err := b.use("edit_file", in{"path": "f", "old_text": test.old, "new_text": test.new})
			after := read(t, top, "f")
			if want, fails := strings.CutPrefix(test.want, "!"); fails {
				assert.Error(t, err)
				assert.Contains(t, err.Error(), want)
				assert.Equal(t, test.content, after)
			} else if err != nil || after != want {
				t.Errorf("%v\n%q", err, after)
			}
		})
	}
}

func TestListFiles(t *testing.T) {
	t.Parallel()
	contents := map[string]string{
		".gitignore": "# built\nnode_modules/\n*.o\n/top\n!kept.o\n", "a.go": "", "b.o": "", "top": "", "sub/top": "", "sub/c.go": "", "sub/deep/d.ts": "",
		"node_modules/x/y.js": "", ".git/config": "", "sub/.git": "gitdir: x", ".github/ci.yml": "",
	}
	b, _ := box(t, contents)
	type in = map[string]any
	for _, test := range []struct {
		in   in
		want string
	}{
		{in{}, ".github/ci.yml .gitignore a.go sub/c.go sub/deep/d.ts sub/top"},
		{in{"pattern": "*.go"}, "a.go sub/c.go"},
		{in{"pattern": "**/*.ts"}, "sub/deep/d.ts"},
		{in{"pattern": "sub/*"}, "sub/c.go sub/top"},
		{in{"pattern": "./sub/**"}, "sub/c.go sub/deep/d.ts sub/top"},
		{in{"pattern": "*.{go,ts}"}, "a.go sub/c.go sub/deep/d.ts"},
		{in{"pattern": "?.go", "path": "sub"}, "sub/c.go"},
		{in{"pattern": "deep/*", "path": "sub/"}, "sub/deep/d.ts"},
		{in{"pattern": "[x"}, "[no files]"},
		{in{"path": "a.go"}, "a.go"},
	} {
		got, err := b.use("list_files", test.in)
		if got = strings.ReplaceAll(got, "\n", " "); test.want == "[no files]" && got == test.want {
			continue
		}
		assert.NoError(t, err, "%v", test.in)
		assert.Equal(t, test.want, got, "%v", test.in)
	}
	many := map[string]string{}
	for i := range 500 {
		many[fmt.Sprintf("f%03d", i)] = ""
	}
	b, _ = box(t, many)
	if got, err := b.use("list_files", in{}); err != nil || !strings.HasSuffix(got, "[and 111 more; give a path or a pattern to see them]") || len(got) > b.said {
		t.Errorf("%q, %v", text.ClipBytes(got[max(0, len(got)-100):], 200), err)
	}
	_, err := b.use("list_files", in{"path": "none"})
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "call list_files without a path")
}

// TestListFiles_oddNames: a folder whose name is not text does not end the walk.
func TestListFiles_oddNames(t *testing.T) {
	t.Parallel()
	b, top := box(t, map[string]string{"a.go": "x", "z/c.go": "x"})
	if err := os.MkdirAll(filepath.Join(top, "caf\xe9", "deep"), 0o777); err != nil {
		t.Skip("this system has no such names: ", err)
	}
	got, err := b.use("list_files", map[string]any{})
	assert.NoError(t, err)
	assert.Equal(t, "a.go\nz/c.go", got)
	got, err = b.use("search", map[string]any{"pattern": "x"})
	assert.NoError(t, err)
	assert.Equal(t, "a.go:1: x\nz/c.go:1: x", got)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	b, _ := box(t, map[string]string{
		"a.go": "package a\n\nfunc A() {}\n", "sub/b.go": "func B() {}\r\n", "binary": "func \x00", "long": strings.Repeat("needle\n", 1000), "wide": "func " + strings.Repeat("w", 1000),
	})
	type in = map[string]any
	for _, test := range []struct {
		in   in
		want string
	}{
		{in{"pattern": `^func \w`, "files": "*.go"}, "a.go:3: func A() {}\nsub/b.go:1: func B() {}"},
		{in{"pattern": "func", "path": "sub"}, "sub/b.go:1: func B() {}"},
		{in{"pattern": "func", "path": "a.go"}, "a.go:3: func A() {}"},
		{in{"pattern": "nowhere"}, "[nothing found]\n[files left out, as no text or too large: 1]"},
	} {
		got, err := b.use("search", test.in)
		assert.NoError(t, err, "%v", test.in)
		assert.Equal(t, test.want, got, "%v", test.in)
	}
	got, err := b.use("search", in{"pattern": "needle"})
	assert.NoError(t, err)
	assert.Contains(t, got, "\n[there is more; narrow the search by path, files or pattern]")
	assert.True(t, len(got) <= b.said, "%d bytes, %v", len(got), err)
	got, err = b.use("search", in{"pattern": "wwww"})
	assert.NoError(t, err, "%q", got)
	assert.True(t, len(got) <= 2*maxShown, "%q, %v", got, err)
}
