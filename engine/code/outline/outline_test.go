package outline_test

import (
	"slices"
	"strings"
	"testing"

	"chant/engine/code/chunk"
	"chant/engine/code/outline"

	"github.com/alecthomas/assert/v2"
)

func TestOf_markdown(t *testing.T) {
	t.Parallel()
	text := "\ufeff---\ntitle: x\n---\nIntro.\n\n# Guide\n\nText.\n\n```sh\n# no heading\n```\n\nInstall\n-------\n\nMore.\n\n## Linux ##\n\nLast.\n"
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		o, err := outline.Divide(t.Context(), "a.md", []byte(text))
		assert.NoError(t, err)
		var got []string
		for _, c := range o.Chunks {
			got = append(got, string(c.Kind)+" "+c.Name()+" / "+c.Breadcrumb)
		}
		want := []string{"document  / ", "markdownSection  / ", "markdownSection Guide / ", "markdownSection Install / Guide > Install", "markdownSection Linux / Guide > Linux"}
		assert.Equal(t, want, got)
		check(t, text, o)
	}
}

func TestLanguage_headers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"struct a { int b; };\nint class(void);\n":     "c",
		"#ifdef __cplusplus\nextern \"C\" {\n#endif\n": "c",
		"// a\nclass A : public B {\npublic:\n};\n":    "cpp",
		"namespace a {\nint b();\n}\n":                 "cpp",
		"template <typename T>\nT max(T a, T b);\n":    "cpp",
		"#import <A.h>\n@interface A : NSObject\n@end": "objc",
		"": "c",
	} {
		assert.Equal(t, want, outline.Language("a/b.h", []byte(text)), "%q", text)
	}
}

// check fails if the chunks are not in order, overlap, are too long, or name other lines than those of their bytes.
func check(t *testing.T, text string, o outline.Outline) {
	t.Helper()
	at := 0
	for i, c := range o.Chunks {
		assert.True(t, c.Start >= at, "chunk %d has the bytes %d to %d of %d, after %d", i, c.Start, c.End, len(text), at)
		assert.True(t, c.End > c.Start, "chunk %d has the bytes %d to %d of %d, after %d", i, c.Start, c.End, len(text), at)
		assert.True(t, c.End <= len(text), "chunk %d has the bytes %d to %d of %d, after %d", i, c.Start, c.End, len(text), at)
		assert.True(t, c.End-c.Start <= chunk.MaxBytes, "chunk %d has the bytes %d to %d of %d, after %d", i, c.Start, c.End, len(text), at)
		at = c.End
		first, last := 1+strings.Count(text[:c.Start], "\n"), 1+strings.Count(text[:c.End-1], "\n")
		assert.Equal(t, first, c.StartLine, "chunk %d has the lines", i)
		assert.Equal(t, last, c.EndLine, "chunk %d has the lines", i)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a.md", "# A\n\nb\n===\n")
	f.Add("a.txt", strings.Repeat("word\n\n", 2000))
	f.Add("a.json", strings.Repeat("ä", 20000))
	f.Fuzz(func(t *testing.T, name, text string) {
		if outline.Language(name, []byte(text)) != "markdown" {
			name = "a.txt" // other readers have tests of their own
		}
		o, err := outline.Divide(t.Context(), name, []byte(text))
		assert.NoError(t, err)
		check(t, text, o)
		back, ok := outline.Open(o.Bytes())
		assert.True(t, ok, "%v, read back %v", o, back)
		assert.Equal(t, o.Language, back.Language)
		assert.Equal(t, len(o.Chunks), len(back.Chunks))
	})
}

func FuzzOpen(f *testing.F) {
	o := outline.Outline{Language: "go", Skipped: "binary", Chunks: []chunk.Chunk{{
		Kind: chunk.Method, Symbols: []string{"a"}, Signature: "func a()", Breadcrumb: "T > a", Doc: "A.", Start: 3, End: 9, StartLine: 2, EndLine: 4,
		Inherits: []string{"B"}, Edges: []chunk.Edge{{Kind: chunk.References, Name: "b", Of: "c", Line: 3}},
	}}}
	back, ok := outline.Open(o.Bytes())
	assert.True(f, ok, "read back %+v", back)
	assert.Equal(f, o, back)
	f.Add(outline.Outline{Language: "c", Chunks: slices.Repeat(o.Chunks, 3)}.Bytes())
	f.Add(o.Bytes())
	o.Chunks[0].Edges[0].Kind = chunk.References + 1
	_, ok = outline.Open(o.Bytes())
	assert.False(f, ok, "an unknown kind of edge was read")
	f.Fuzz(func(t *testing.T, data []byte) {
		outline.OpenChunk(data, 1)
		o, ok := outline.Open(data)
		if !ok {
			return
		}
		for n, want := range o.Chunks {
			language, c, ok := outline.OpenChunk(data, n)
			assert.True(t, ok, "chunk %d is %+v, want %+v", n, c, want)
			assert.Equal(t, o.Language, language, "chunk %d", n)
			assert.Equal(t, want, c, "chunk %d", n)
		}
		for _, n := range []int{-1, len(o.Chunks)} {
			_, c, ok := outline.OpenChunk(data, n)
			assert.False(t, ok, "chunk %d of %d is %+v", n, len(o.Chunks), c)
		}
		back, ok := outline.Open(o.Bytes())
		assert.True(t, ok, "%+v, read back %+v", o, back)
		assert.Equal(t, o, back)
	})
}
