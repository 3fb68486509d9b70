package fileset

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func contentTree() Tree {
	return Tree{
		{".chant/config.md", "c1"}, {".chant/specs/2026-01-01-001-aaa.md", "s1"}, {".chant/specs/2026-01-01-002-bbb.md", "s2"},
		{"a[1].txt", "w1"}, {"docs/a.md", "d1"}, {"docs/sub/b.md", "d2"}, {"docs2/c.md", "d3"}, {"main.go", "m1"},
	}
}

func TestTree_Matching(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entry string
		want  string
	}{
		{"docs", "docs/a.md docs/sub/b.md"},
		{"docs/*.md", "docs/a.md"},
		{"docs*/**/*.md", "docs/a.md docs/sub/b.md docs2/c.md"},
		{"**/*.md", "docs/a.md docs/sub/b.md docs2/c.md"},
		{"a[1].txt", "a[1].txt"},
		{".", "a[1].txt docs/a.md docs/sub/b.md docs2/c.md main.go"},
		{".chant/specs", ".chant/specs/2026-01-01-002-bbb.md"},
		{".chant/config.md", ".chant/config.md"},
		{"gone.go", ""},
	} {
		var got []string
		for _, f := range contentTree().Matching("2026-01-01-001-aaa", c.entry) {
			got = append(got, f.Path)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "%q means", c.entry)
	}
}

func TestDigests_followContentAndPath(t *testing.T) {
	t.Parallel()
	entries := []string{"docs", "gone.go"}
	before := contentTree().Digests("x", entries)
	assert.Equal(t, NoFiles, before.Find("gone.go"))
	assert.Equal(t, 40, len(before.Find("docs")))
	assert.Equal(t, "", before.Find("other"))
	other := contentTree()
	other[7].Hash = "m2"
	assert.Equal(t, before, other.Digests("x", entries), "a file that no entry means counts")
	for name, change := range map[string]func(Tree) Tree{
		"changed": func(t Tree) Tree { t[4].Hash = "d9"; return t },
		"renamed": func(t Tree) Tree { t[4].Path = "docs/a2.md"; return t },
		"removed": func(t Tree) Tree { return slices.Delete(t, 4, 5) },
		"added":   func(t Tree) Tree { return slices.Insert(t, 5, TreeFile{"docs/new.md", "n1"}) },
	} {
		if now := change(contentTree()).Digests("x", entries); now.Find("docs") == before.Find("docs") {
			t.Errorf("%s: the digest is the same", name)
		}
	}
}
