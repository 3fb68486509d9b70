package syntax

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/code/chunk"

	"github.com/alecthomas/assert/v2"
)

// samples are the files of testdata and their languages.
func samples() map[string]Language {
	return map[string]Language{
		"sample.py": Python, "sample.ts": TypeScript, "sample.tsx": TSX, "sample.js": JavaScript, "sample.rs": Rust,
		"Sample.java": Java, "sample.kt": Kotlin, "sample.swift": Swift, "sample.c": C, "sample.cpp": CPP, "Sample.cs": CSharp,
		"sample.rb": Ruby, "sample.php": PHP, "sample.sh": Bash,
	}
}

// constructs are files with each construct of a language.
func constructs() map[string]Language {
	return map[string]Language{
		"constructs.py": Python, "constructs.ts": TypeScript, "constructs.tsx": TSX, "constructs.js": JavaScript, "constructs.rs": Rust,
		"Constructs.java": Java, "constructs.kt": Kotlin, "constructs.swift": Swift, "constructs.c": C, "constructs.cpp": CPP,
		"Constructs.cs": CSharp, "constructs.rb": Ruby, "constructs.php": PHP, "constructs.sh": Bash,
	}
}

// files are all files of testdata and their languages.
func files() map[string]Language {
	all := samples()
	maps.Copy(all, constructs())
	return all
}

// render lists chunks as the golden files do.
func render(chunks []chunk.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "%d-%d %s %s\n", c.StartLine, c.EndLine, c.Kind, strings.Join(c.Symbols, ", "))
		for _, part := range [][2]string{{"breadcrumb", c.Breadcrumb}, {"signature", c.Signature}, {"doc", strings.ReplaceAll(c.Doc, "\n", " | ")}, {"inherits", strings.Join(c.Inherits, ", ")}} {
			if part[1] != "" {
				fmt.Fprintf(&b, "  %s: %s\n", part[0], part[1])
			}
		}
		for _, e := range c.Edges {
			of := ""
			if e.Of != "" {
				of = " of " + e.Of
			}
			fmt.Fprintf(&b, "  %s %s%s in %d\n", e.Kind, e.Name, of, e.Line)
		}
	}
	return b.String()
}

func TestChunks_golden(t *testing.T) {
	t.Parallel()
	for file, lang := range files() {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(filepath.Join("testdata", file))
			assert.NoError(t, err)
			chunks, err := Chunks(context.Background(), lang, src)
			assert.NoError(t, err)
			check(t, src, chunks)
			golden := filepath.Join("testdata", file+".golden")
			if os.Getenv("UPDATE") != "" {
				assert.NoError(t, os.WriteFile(golden, []byte(render(chunks)), 0o644))
				return
			}
			want, err := os.ReadFile(golden)
			assert.NoError(t, err)
			assert.Equal(t, string(want), render(chunks), "the chunks differ from %s; they are:", golden)
		})
	}
}

// check fails the test for chunks that break the rules of package chunk.
func check(t testing.TB, src []byte, chunks []chunk.Chunk) {
	t.Helper()
	last, counted, lines := 0, 0, 1
	line := func(at int) int {
		lines += bytes.Count(src[counted:at], []byte("\n"))
		counted = at
		return lines
	}
	for _, c := range chunks {
		switch {
		case c.Start < last, c.End <= c.Start, c.End > len(src):
			t.Fatalf("%s %q has the bytes %d to %d after %d, of %d", c.Kind, c.Name(), c.Start, c.End, last, len(src))
		case c.End-c.Start > chunk.MaxBytes:
			t.Fatalf("%s %q has %d bytes", c.Kind, c.Name(), c.End-c.Start)
		case c.StartLine != line(c.Start), c.EndLine != line(c.End-1):
			t.Fatalf("%s %q has the lines %d to %d, which its bytes %d to %d are not", c.Kind, c.Name(), c.StartLine, c.EndLine, c.Start, c.End)
		case strings.Contains(c.Signature, "\n"):
			t.Fatalf("signature %q has several lines", c.Signature)
		}
		last = c.End
	}
}
