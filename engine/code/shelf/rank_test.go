package shelf

import (
	"math"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"

	"chant/engine/code/chunk"
	"chant/engine/code/embed"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	c := chunk.Chunk{
		Kind: chunk.Method, Symbols: []string{"Open"}, Breadcrumb: "Store > Open", Signature: "func (s *Store) Open()",
		Doc: "Open opens it.\n\nNot twice.",
	}
	body := "// Open opens it.\n//\n// Not twice.\nfunc (s *Store) Open() {\n\t// deep inside\n\treturn\n}\n"
	got := Texts("pkg/store.go", c, body)
	want := []string{
		"Open Store > Open", "func (s *Store) Open()", "pkg/store", "Open opens it.\n\nNot twice.",
		"//\nfunc (s *Store) Open() {\n\t// deep inside\n\treturn\n}\n",
	}
	assert.Equal(t, want, got)
	if len(Fields()) != len(got) || Fields()[docField].Name != "doc" {
		t.Errorf("%d fields for %d texts, number %d is %q", len(Fields()), len(got), docField, Fields()[docField].Name)
	}
}

func TestWithoutDoc(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, doc, want string }{
		{"def f():\n    \"\"\"Reads it.\n\n    Twice.\"\"\"\n    return 1\n", "Reads it.\n\nTwice.", "def f():\n\n    return 1\n"},
		{"/**\n * Reads it.\n */\nvoid f();", "Reads it.", "/**\n */\nvoid f();"},
		{"/// Reads it.\nfn f() {}", "Reads it.", "fn f() {}"},
		{"}\n\n}\n", "", "}\n\n}\n"},
	} {
		assert.Equal(t, c.want, WithoutDoc(c.body, c.doc), "%q without %q", c.body, c.doc)
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]string{
		"Open opens it. It does not\nclose it.": "Open opens it",
		"Open opens\nfiles, e.g. these. More.":  "Open opens files, e.g. these",
		"One paragraph\n\nand another.":         "One paragraph",
		"":                                      "",
	} {
		assert.Equal(t, want, Sentence(doc), "%q", doc)
	}
}

func TestPair(t *testing.T) {
	t.Parallel()
	c := chunk.Chunk{Kind: chunk.Function, Symbols: []string{"Open"}, Signature: "func Open()", Doc: "Open opens a closed file. More."}
	pair, ok := Pair(c, Texts("a/b.go", c, "// Open opens a closed file. More.\nfunc Open() {}\n"))
	assert.True(t, ok, "%+v, %v", pair, ok)
	assert.Equal(t, "opens a closed file", pair.Text)
	assert.NotContains(t, pair.Code, "closed")
	assert.Contains(t, pair.Code, "a/b")
	for _, change := range []func(*chunk.Chunk){
		func(c *chunk.Chunk) { c.Kind = chunk.Struct },
		func(c *chunk.Chunk) { c.Doc = "Open opens files." },
		func(c *chunk.Chunk) { c.Doc = "" },
	} {
		other := c
		change(&other)
		pair, ok := Pair(other, Texts("a/b.go", other, ""))
		assert.False(t, ok, "%s %q: %+v", other.Kind, other.Doc, pair)
	}
	assert.NotEqual(t, embed.Pair{}, pair, "no pair")
}

func TestFuse(t *testing.T) {
	t.Parallel()
	lexical := []Scored{{"a", 0.8}, {"b", 0.6}, {"c", 0.2}}
	semantic := []Scored{{"d", 0.9}, {"b", 0.7}, {"a", 0.4}}
	for _, c := range []struct {
		lexical, semantic []Scored
		weight            float64
		want              string
	}{
		{lexical, semantic, 0, "abc"},
		{lexical, semantic, 1, "dba"},
		{lexical, semantic, 0.4, "badc"},
		{lexical, semantic, 0.9, "dbac"},
		{lexical, nil, 0.7, "abc"},
		{nil, semantic, 0.3, "dba"},
		{nil, nil, 0.3, ""},
		{lexical, semantic, math.NaN(), "abc"},
		{lexical, semantic, 7, "dba"},
		{[]Scored{{"y", 1}, {"x", 1}}, nil, 0, "xy"},
	} {
		got := ""
		for _, d := range Fuse(c.lexical, c.semantic, c.weight) {
			got += d.Key
		}
		assert.Equal(t, c.want, got, "%v and %v with %v", c.lexical, c.semantic, c.weight)
	}
}

// TestFuse_scores: scores are from 0 to 1, fall, and are of all documents; words alone keep their order.
func TestFuse_scores(t *testing.T) {
	t.Parallel()
	list := rapid.Custom(func(t *rapid.T) []Scored {
		keys := rapid.SliceOfNDistinct(rapid.StringMatching("[a-f]"), 0, 6, rapid.ID).Draw(t, "keys")
		var list []Scored
		for _, k := range keys {
			list = append(list, Scored{k, rapid.Float64Range(-1, 1).Draw(t, "score")})
		}
		return list
	})
	rapid.Check(t, func(t *rapid.T) {
		lexical, semantic := list.Draw(t, "lexical"), list.Draw(t, "semantic")
		got := Fuse(lexical, semantic, rapid.Float64Range(0.1, 0.9).Draw(t, "weight"))
		keys, before := map[string]bool{}, 1.0
		for _, d := range got {
			if !(d.Score >= 0 && d.Score <= before) {
				t.Errorf("score %v after %v", d.Score, before)
			}
			before = d.Score
			keys[d.Key] = true
		}
		for _, d := range slices.Concat(lexical, semantic) {
			if !keys[d.Key] {
				t.Errorf("%q is missing", d.Key)
			}
		}
		if len(keys) != len(got) {
			t.Error("a document is there twice")
		}
	})
}

func TestPercent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		score, best float64
		want        int
	}{{0.5, 1, 50}, {1, 1, 100}, {2, 1, 100}, {0, 1, 0}, {-1, 1, 0}, {0.3, 0, 0}, {0.2, 0.8, 25}, {math.NaN(), 1, 0}} {
		assert.Equal(t, c.want, Percent(c.score, c.best), "%v of %v", c.score, c.best)
	}
}
