package spec

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/spec/fileset"
	"chant/markdown"
)

func TestDigests_inFrontMatter(t *testing.T) {
	t.Parallel()
	doc, err := markdown.Parse("x.md", []byte("---\nstatus: completed # so\nother: [1]\n---\n# A\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := fileset.Digests{{Entry: "**/*.md", Sum: "0123456789"}, {Entry: "a: b #c", Sum: fileset.NoFiles}, {Entry: "z", Sum: "1e5"}, {Entry: "a", Sum: "true"}}
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
