package tracker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"chant/engine/enginetest"
	"chant/engine/format/tracker"

	"github.com/alecthomas/assert/v2"
	"github.com/bmatcuk/doublestar/v4"
)

// TestFindTodos_commit finds the comments of a commit in order, whatever the checkout has by then.
func TestFindTodos_commit(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{
		"b/x.go":           "package x\n\n// TODO(ann): drop\x1b[1m  this\r\nfunc f() {} // slow. FIXME: cache\n\t/* HACK */\n",
		"b/y.py":           "# XXX why\n\"\"\" TODO document \"\"\"\nx = 'TODO: no comment'\n",
		"a.md":             "<!-- TODO: write this -->\nTODOS are fine, see TODO list\n# TODO\n",
		"a.sql":            "-- todo lower case\n--TODO index\nSELECT 1 --- 2\n",
		"c.txt":            "http://TODO: x\nfoo#TODO x\n",
		"bin":              "// TODO \x00",
		".chant/rules.md":  "<!-- TODO: a rule -->\n",
		"d/名前.js":          "* @TODO 名前を読む\n",
		"large.c":          "// TODO large\n" + strings.Repeat("x\n", 1<<20),
		"b/deep/er/z.tmpl": "{{/* TODO: x */}}\n{# FIXME y #}\n",
	})
	assert.NoError(t, os.Symlink("b/x.go", filepath.Join(dir, "link.go")))
	enginetest.CommitAll(t, dir)
	enginetest.Write(t, dir, "b/x.go", "package x\n")
	files, err := p.Repo.FS(t.Context(), "HEAD")
	assert.NoError(t, err)
	for glob, want := range map[string]string{
		"**": `a.md:1: TODO: write this
a.md:3: TODO
a.sql:2: TODO index
b/deep/er/z.tmpl:1: TODO: x
b/deep/er/z.tmpl:2: FIXME y
b/x.go:3: TODO(ann): drop[1m this
b/x.go:4: FIXME: cache
b/x.go:5: HACK
b/y.py:1: XXX why
b/y.py:2: TODO document
d/名前.js:1: TODO 名前を読む
Left out: 2 files, binary or of more than 1 MB
`,
		"./b/*.go":    "b/x.go:3: TODO(ann): drop[1m this\nb/x.go:4: FIXME: cache\nb/x.go:5: HACK\n",
		"*.{md,sql}":  "a.md:1: TODO: write this\na.md:3: TODO\na.sql:2: TODO index\n",
		"**/none.go":  "",
		".chant/**":   "",
		"missing/dir": "",
	} {
		got, err := tracker.FindTodos(files, glob)
		assert.NoError(t, err, "%q", glob)
		assert.Equal(t, want, got.String(), "%q", glob)
	}
	for _, glob := range []string{"", "[", "/etc/*", "../*", "a/../../b"} {
		_, err := tracker.FindTodos(files, glob)
		assert.True(t, errors.Is(err, doublestar.ErrBadPattern), "%q: %v", glob, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	files, err = p.Repo.FS(ctx, "HEAD")
	assert.NoError(t, err)
	cancel()
	_, err = tracker.FindTodos(files, "**")
	assert.True(t, errors.Is(err, context.Canceled), "%v", err)
}

// TestFindTodos_many stops after what a plan can be about, and says so.
func TestFindTodos_many(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"z.go": {Data: []byte("// TODO last")}}
	for i := range 3 {
		files[fmt.Sprintf("%d.go", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("// TODO "+strings.Repeat("x", 400)+"\n", 200))}
	}
	got, err := tracker.FindTodos(files, "*.go")
	assert.NoError(t, err)
	assert.Equal(t, 500, len(got.Found))
	assert.Equal(t, "2.go", slices.MaxFunc(got.Found, func(a, b tracker.Todo) int { return strings.Compare(a.Path, b.Path) }).Path)
	assert.Equal(t, []string{"comments of 2.go from line 101 on", "what follows after 500 comments in 3 files, from z.go on"}, got.Left)
	assert.Equal(t, 301, len([]rune(got.Found[0].Text)))
}

// FuzzFindTodos: whatever a file holds, each comment is one line.
func FuzzFindTodos(f *testing.F) {
	f.Add([]byte("// TODO: a\n/* FIXME\r*/"))
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := tracker.FindTodos(fstest.MapFS{"x": {Data: src}}, "x")
		assert.NoError(t, err)
		assert.Equal(t, len(got.Found)+len(got.Left), strings.Count(got.String(), "\n"), "%q", src)
	})
}
