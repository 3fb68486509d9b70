package outline

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine/code/chunk"

	"github.com/alecthomas/assert/v2"
)

func render(chunks []chunk.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "%d-%d %s %s\n", c.StartLine, c.EndLine, c.Kind, strings.Join(c.Symbols, ", "))
		for _, part := range [][2]string{{"breadcrumb", c.Breadcrumb}, {"signature", c.Signature}, {"doc", strings.ReplaceAll(c.Doc, "\n", " | ")}} {
			if part[1] != "" {
				fmt.Fprintf(&b, "  %s: %s\n", part[0], part[1])
			}
		}
		for _, e := range c.Edges {
			fmt.Fprintf(&b, "  %s %s of %q in %d\n", e.Kind, e.Name, e.Of, e.Line)
		}
	}
	return b.String()
}

func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/sample.*")
	assert.NoError(t, err)
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".golden") })
	assert.NotEqual(t, 0, len(files), "no samples")
	return files
}

func readSample(t testing.TB, file string) []byte {
	t.Helper()
	src, err := os.ReadFile(file)
	assert.NoError(t, err)
	return src
}

func TestChunks_golden(t *testing.T) {
	t.Parallel()
	for _, file := range samples(t) {
		src := readSample(t, file)
		chunks := scanChunks(strings.TrimPrefix(filepath.Ext(file), "."), src)
		checkSample(t, src, chunks)
		golden := file + ".golden"
		if os.Getenv("UPDATE") != "" {
			assert.NoError(t, os.WriteFile(golden, []byte(render(chunks)), 0o644))
			continue
		}
		got, want := render(chunks), string(readSample(t, golden))
		assert.Equal(t, want, got, "the chunks differ from %s; they are:", golden)
	}
}

// checkSample fails the test for chunks that break the rules of package chunk.
func checkSample(t testing.TB, src []byte, chunks []chunk.Chunk) {
	t.Helper()
	last, counted, lines := 0, 0, 1
	line := func(at int) int {
		lines += bytes.Count(src[counted:at], []byte("\n"))
		counted = at
		return lines
	}
	for _, c := range chunks {
		assert.True(t, c.Start >= last, "%s %q has the bytes %d to %d after %d, of %d", c.Kind, c.Name(), c.Start, c.End, last, len(src))
		assert.True(t, c.End > c.Start, "%s %q has the bytes %d to %d after %d, of %d", c.Kind, c.Name(), c.Start, c.End, last, len(src))
		assert.True(t, c.End <= len(src), "%s %q has the bytes %d to %d after %d, of %d", c.Kind, c.Name(), c.Start, c.End, last, len(src))
		assert.True(t, c.End-c.Start <= chunk.MaxBytes, "%s %q has the bytes %d to %d after %d, of %d", c.Kind, c.Name(), c.Start, c.End, last, len(src))
		assert.Equal(t, line(c.Start), c.StartLine, "%s %q has the lines", c.Kind, c.Name())
		assert.Equal(t, line(c.End-1), c.EndLine, "%s %q has the lines", c.Kind, c.Name())
		last = c.End
	}
}

func TestChunks_windows(t *testing.T) {
	t.Parallel()
	src := []byte(strings.Repeat("some words of text\n", 150))
	for _, lang := range []string{"", "text", "lua"} {
		chunks := scanChunks(lang, src)
		checkSample(t, src, chunks)
		assert.Equal(t, 3, len(chunks), "%v", lang)
		assert.Equal(t, 121, chunks[2].StartLine, "%v", lang)
		assert.Equal(t, 150, chunks[2].EndLine, "%v", lang)
	}
}

func TestChunks_longLine(t *testing.T) {
	t.Parallel()
	src := []byte(strings.Repeat("x", 3*chunk.MaxBytes+5) + "\n")
	if chunks := scanChunks("lua", src); len(chunks) != 4 {
		t.Errorf("a long line is\n%s", render(chunks))
	} else {
		checkSample(t, src, chunks)
	}
}

func TestChunks_hard(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"func a( {\n", "class A {\n", "{\n", "(defun a\n", "def a:\n", "// x\n", "type A\n", "func a(b(c(d(\n"} {
		src := []byte(strings.Repeat(text, 100_000))
		checkSample(t, src, scanChunks("any", src))
	}
}

func TestChunks_mutated(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, file := range samples(t) {
		src := readSample(t, file)
		for range 300 {
			text := slices.Clone(src)
			for range 1 + r.IntN(6) {
				at := r.IntN(len(text) - 1)
				to := min(len(text)-1, at+r.IntN(50))
				switch r.IntN(3) {
				case 0:
					text = append(slices.Delete(text, at, to), '\n')
				case 1:
					text[at] = byte(r.IntN(256))
				default:
					text = slices.Insert(text, at, slices.Clone(text[at:to])...)
				}
			}
			checkSample(t, text, scanChunks("any", text))
		}
	}
}

func FuzzChunks(f *testing.F) {
	for _, file := range samples(f) {
		f.Add("any", readSample(f, file))
	}
	f.Fuzz(func(t *testing.T, lang string, src []byte) { checkSample(t, src, scanChunks(lang, src)) })
}

func BenchmarkChunks(b *testing.B) {
	for _, file := range samples(b) {
		src := readSample(b, file)
		b.Run(filepath.Base(file), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				scanChunks("any", src)
			}
		})
	}
}
