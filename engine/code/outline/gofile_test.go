package outline

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/code/chunk"

	"github.com/alecthomas/assert/v2"
)

func TestGoChunks_golden(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"constructs", "broken"} {
		src, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		assert.NoError(t, err)
		chunks, err := GoChunks(src)
		assert.NoError(t, err)
		assert.Equal(t, "", fault(src, chunks))
		got := describe(src, chunks)
		golden := filepath.Join("testdata", name+".golden")
		if os.Getenv("UPDATE") != "" {
			assert.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		assert.NoError(t, err)
		assert.Equal(t, string(want), got, "%s.txt: chunks differ from %s (UPDATE=1 writes it):", name, golden)
	}
}

// describe returns all that chunks say.
func describe(src []byte, chunks []chunk.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		fmt.Fprintf(&b, "%d-%d %s %s\n", c.StartLine, c.EndLine, c.Kind, strings.Join(c.Symbols, ", "))
		for _, line := range []struct{ name, text string }{
			{"in", c.Breadcrumb}, {"is", c.Signature}, {"doc", strings.ReplaceAll(c.Doc, "\n", "\\n")},
			{"inherits", strings.Join(c.Inherits, ", ")},
		} {
			if line.text != "" {
				fmt.Fprintf(&b, "\t%s: %s\n", line.name, line.text)
			}
		}
		for _, e := range c.Edges {
			name := e.Name
			if e.Of != "" {
				name = e.Of + " . " + e.Name
			}
			fmt.Fprintf(&b, "\t%d: %s %s\n", e.Line, e.Kind, name)
		}
		first, _, _ := strings.Cut(string(src[c.Start:c.End]), "\n")
		fmt.Fprintf(&b, "\tstarts: %s\n", first)
	}
	return b.String()
}

// fault returns what is wrong with chunks, whatever the file is.
func fault(src []byte, chunks []chunk.Chunk) string {
	end := 0
	for i, c := range chunks {
		switch {
		case c.Start < end || c.End <= c.Start || c.End > len(src):
			return fmt.Sprintf("chunk %d is from %d to %d of %d, the one before ends at %d", i, c.Start, c.End, len(src), end)
		case c.End-c.Start > chunk.MaxBytes:
			return fmt.Sprintf("chunk %d has %d bytes", i, c.End-c.Start)
		case c.StartLine != 1+bytes.Count(src[:c.Start], []byte{'\n'}):
			return fmt.Sprintf("chunk %d starts in line %d", i, c.StartLine)
		case c.EndLine != 1+bytes.Count(src[:c.End-1], []byte{'\n'}):
			return fmt.Sprintf("chunk %d ends in line %d", i, c.EndLine)
		case strings.Contains(c.Signature, "\n") || c.Kind == "":
			return fmt.Sprintf("chunk %d: kind %q, signature %q", i, c.Kind, c.Signature)
		}
		end = c.End
		for n, e := range c.Edges {
			if e.Name == "" || e.Line < 1 || e.Line > len(src)+1 {
				return fmt.Sprintf("chunk %d: edge %d is %+v", i, n, e)
			}
		}
	}
	return ""
}

// TestChunks_long: a long declaration is divided, and nothing of it is lost.
func TestChunks_long(t *testing.T) {
	t.Parallel()
	statement := "\tif x > 1 {\n\t\tcall(x)\n\t}\n"
	for name, c := range map[string]struct {
		src   string
		names int
	}{
		"function":  {"func long(x int) {\n" + strings.Repeat(statement, 2000) + "}\n", 1},
		"constants": {"const (\n" + numbered("\tC%d = 1 + other\n", 3000) + ")\n", 3000},
		"struct":    {"type T struct {\n\tBase\n" + numbered("\tF%d int // of T\n", 3000) + "}\n", 1},
		"comment":   {"// " + strings.Repeat("Words of a text.\n// ", 3000) + "\nfunc f() {}\n", 1},
		"block":     {"/*\n" + strings.Repeat("Words of a text.\n", 3000) + "*/\nfunc f() {}\n", 1},
		"one line":  {"var x = \"" + strings.Repeat("語", 20000) + "\"\n", 1},
	} {
		src := []byte("package p\n\n" + c.src)
		chunks, err := GoChunks(src)
		assert.NoError(t, err)
		assert.Equal(t, "", fault(src, chunks), "%s", name)
		names, size, doc := map[string]bool{}, 0, 0
		for _, part := range chunks[1:] {
			size += part.End - part.Start
			doc += strings.Count(part.Doc, "Words of a text.")
			for _, s := range part.Symbols {
				names[s] = true
			}
			assert.Equal(t, chunks[1].Kind, part.Kind, "%s", name)
			assert.Equal(t, chunks[1].Signature, part.Signature, "%s", name)
		}
		assert.True(t, len(chunks) >= 4, "%s: %d chunks of %d bytes with %d names and %d sentences, want %d bytes with %d", name, len(chunks), size, len(names), doc, len(c.src), c.names)
		assert.Equal(t, len(c.src), size, "%s", name)
		assert.Equal(t, c.names, len(names), "%s", name)
		assert.Equal(t, strings.Count(c.src, "Words of a text."), doc, "%s", name)
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestChunks_nothing(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "This is no Go.", "\x00\x00", "func f() {}", strings.Repeat("(", 1<<20)} {
		chunks, err := GoChunks([]byte(src))
		assert.Error(t, err, "%.20q", src)
		assert.True(t, chunks == nil, "%.20q: %v, %v; want an error", src, chunks, err)
	}
}

// TestChunks_library: all of Go's own library is read as it should be.
func TestChunks_library(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads many files")
	}
	for _, src := range library(t, "net") {
		chunks, err := GoChunks(src)
		assert.NoError(t, err)
		assert.Equal(t, "", fault(src, chunks))
	}
}

// library returns files of Go's own library.
func library(tb testing.TB, dir string) [][]byte {
	tb.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip("no go command")
	}
	var files [][]byte
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src", dir), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.Contains(path, "testdata") {
			return err
		}
		src, err := os.ReadFile(path)
		files = append(files, src)
		return err
	})
	if err != nil || len(files) == 0 {
		tb.Skipf("no library of Go: %v", err)
	}
	return files
}

func BenchmarkGoChunks(b *testing.B) {
	files := library(b, "")
	size := 0
	for _, src := range files {
		size += len(src)
	}
	b.SetBytes(int64(size / len(files)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, err := GoChunks(files[i*31%len(files)])
		assert.NoError(b, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "files/s")
}

func FuzzGoChunks(f *testing.F) {
	for _, name := range []string{"constructs", "broken"} {
		src, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		assert.NoError(f, err)
		f.Add(src)
	}
	f.Add([]byte("package p; type A int; type B int\r\nvar x = `\r\n`"))
	f.Add([]byte("\ufeffpackage p\n//line x.go:1\nfunc f() {}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		before := slices.Clone(src)
		chunks, _ := GoChunks(src)
		assert.Equal(t, "", fault(src, chunks))
		assert.Equal(t, before, src, "the file was changed")
	})
}
