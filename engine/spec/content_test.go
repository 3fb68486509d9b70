package spec

import (
	"slices"
	"strings"
	"testing"

	"chant/markdown"
)

func contentTree() Tree {
	return Tree{
		{".chant/config.md", "c1"}, {".chant/specs/2026-01-01-001-aaa.md", "s1"}, {".chant/specs/2026-01-01-002-bbb.md", "s2"},
		{"a[1].txt", "w1"}, {"docs/a.md", "d1"}, {"docs/sub/b.md", "d2"}, {"docs2/c.md", "d3"}, {"main.go", "m1"},
	}
}

func TestTree_meant(t *testing.T) {
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
		for _, f := range contentTree().Meant("2026-01-01-001-aaa", c.entry) {
			got = append(got, f.Path)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q means %q, want %q", c.entry, got, c.want)
		}
	}
}

func TestDigests_followContentAndPath(t *testing.T) {
	t.Parallel()
	entries := []string{"docs", "gone.go"}
	before := contentTree().Digests("x", entries)
	if before.Of("gone.go") != NothingMeant || len(before.Of("docs")) != 40 || before.Of("other") != "" {
		t.Fatalf("%v", before)
	}
	other := contentTree()
	other[7].Hash = "m2"
	if now := other.Digests("x", entries); !slices.Equal(now, before) {
		t.Errorf("a file that no entry means counts: %v", now)
	}
	for name, change := range map[string]func(Tree) Tree{
		"changed": func(t Tree) Tree { t[4].Hash = "d9"; return t },
		"renamed": func(t Tree) Tree { t[4].Path = "docs/a2.md"; return t },
		"removed": func(t Tree) Tree { return slices.Delete(t, 4, 5) },
		"added":   func(t Tree) Tree { return slices.Insert(t, 5, TreeFile{"docs/new.md", "n1"}) },
	} {
		if now := change(contentTree()).Digests("x", entries); now.Of("docs") == before.Of("docs") {
			t.Errorf("%s: the digest is the same", name)
		}
	}
}

func TestDigests_inFrontMatter(t *testing.T) {
	t.Parallel()
	doc, err := markdown.Parse("x.md", []byte("---\nstatus: completed # so\nother: [1]\n---\n# A\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Digests{{"**/*.md", "0123456789"}, {"a: b #c", NothingMeant}, {"z", "1e5"}, {"a", "true"}}
	doc, err = doc.Apply(markdown.Set(HashesKey, want))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(doc.FrontMatter()), "\n"); lines != 2+1+len(want) {
		t.Errorf("not a line for each entry:\n%s", doc.Bytes())
	}
	s, err := FromDocument("x", doc)
	if err != nil || !slices.Equal(s.Fields.Hashes, want) {
		t.Errorf("%v, %v", s, err)
	}
	for _, odd := range []string{"content_hashes: [1]", "content_hashes: text", "content_hashes:"} {
		s, err := Parse("x", "x.md", []byte("---\n"+odd+"\n---\n# A\n"))
		if err != nil || len(s.Fields.Hashes) != 0 {
			t.Errorf("%s: %v", odd, err)
		}
	}
}

func TestFields_sources(t *testing.T) {
	t.Parallel()
	f := Fields{Tracks: StringList{"a", " "}, Origin: StringList{"b", "a"}, InformedBy: StringList{"c"}, TargetFiles: StringList{"d", "b"}}
	if got := f.Sources(); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("%q", got)
	}
}
