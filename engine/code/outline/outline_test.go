package outline_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"chant/engine/code/chunk"
	"chant/engine/code/outline"
)

func TestOf_markdown(t *testing.T) {
	t.Parallel()
	text := "\ufeff---\ntitle: x\n---\nIntro.\n\n# Guide\n\nText.\n\n```sh\n# no heading\n```\n\nInstall\n-------\n\nMore.\n\n## Linux ##\n\nLast.\n"
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		o, err := outline.Divide(t.Context(), "a.md", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range o.Chunks {
			got = append(got, string(c.Kind)+" "+c.Name()+" / "+c.Breadcrumb)
		}
		want := []string{"document  / ", "markdownSection  / ", "markdownSection Guide / ", "markdownSection Install / Guide > Install", "markdownSection Linux / Guide > Linux"}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("chunks %q", got)
		}
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
		if got := outline.Language("a/b.h", []byte(text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// check fails if the chunks are not in order, overlap, are too long, or name other lines than those of their bytes.
func check(t *testing.T, text string, o outline.Outline) {
	t.Helper()
	at := 0
	for i, c := range o.Chunks {
		if c.Start < at || c.End <= c.Start || c.End > len(text) || c.End-c.Start > chunk.MaxBytes {
			t.Fatalf("chunk %d has the bytes %d to %d of %d, after %d", i, c.Start, c.End, len(text), at)
		}
		at = c.End
		if first, last := 1+strings.Count(text[:c.Start], "\n"), 1+strings.Count(text[:c.End-1], "\n"); c.StartLine != first || c.EndLine != last {
			t.Fatalf("chunk %d has the lines %d to %d, want %d to %d", i, c.StartLine, c.EndLine, first, last)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		check(t, text, o)
		back, ok := outline.Open(o.Bytes())
		if !ok || back.Language != o.Language || len(back.Chunks) != len(o.Chunks) {
			t.Fatalf("%v, read back %v", o, back)
		}
	})
}

func FuzzOpen(f *testing.F) {
	o := outline.Outline{Language: "go", Skipped: "binary", Chunks: []chunk.Chunk{{
		Kind: chunk.Method, Symbols: []string{"a"}, Signature: "func a()", Breadcrumb: "T > a", Doc: "A.", Start: 3, End: 9, StartLine: 2, EndLine: 4,
		Inherits: []string{"B"}, Edges: []chunk.Edge{{Kind: chunk.References, Name: "b", Of: "c", Line: 3}},
	}}}
	if back, ok := outline.Open(o.Bytes()); !ok || !reflect.DeepEqual(back, o) {
		f.Errorf("read back %+v", back)
	}
	f.Add(outline.Outline{Language: "c", Chunks: slices.Repeat(o.Chunks, 3)}.Bytes())
	f.Add(o.Bytes())
	o.Chunks[0].Edges[0].Kind = chunk.References + 1
	if _, ok := outline.Open(o.Bytes()); ok {
		f.Error("an unknown kind of edge was read")
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		outline.OpenChunk(data, 1)
		o, ok := outline.Open(data)
		if !ok {
			return
		}
		for n, want := range o.Chunks {
			if language, c, ok := outline.OpenChunk(data, n); !ok || language != o.Language || !reflect.DeepEqual(c, want) {
				t.Errorf("chunk %d is %+v, want %+v", n, c, want)
			}
		}
		for _, n := range []int{-1, len(o.Chunks)} {
			if _, c, ok := outline.OpenChunk(data, n); ok {
				t.Errorf("chunk %d of %d is %+v", n, len(o.Chunks), c)
			}
		}
		if back, ok := outline.Open(o.Bytes()); !ok || !reflect.DeepEqual(back, o) {
			t.Errorf("%+v, read back %+v", o, back)
		}
	})
}
