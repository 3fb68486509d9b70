package syntax

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chant/engine/code/chunk"

	"github.com/alecthomas/assert/v2"
)

func read(t testing.TB, file string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", file))
	assert.NoError(t, err)
	return src
}

// mutate changes a text in a few places.
func mutate(r *rand.Rand, src []byte) []byte {
	out := slices.Clone(src)
	for range 1 + r.IntN(6) {
		if len(out) == 0 {
			return out
		}
		at := r.IntN(len(out))
		to := min(len(out), at+1+r.IntN(60))
		switch r.IntN(5) {
		case 0:
			out = slices.Delete(out, at, to)
		case 1:
			out[at] = byte(r.IntN(256))
		case 2:
			out = slices.Insert(out, at, slices.Clone(out[at:to])...)
		case 3:
			out = slices.Insert(out, at, []byte("{([<\"'`/*#\n\x00é\\"[r.IntN(16)%14:])...)
		default:
			out = out[:at]
		}
	}
	return out
}

// raced reports whether the race detector is on, with which parsing takes ten times as long.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// mutations is how many files are mutated in all: CHANT_MUTATIONS, such as 10000, or else as many as take a few seconds.
func mutations(t *testing.T) int {
	t.Helper()
	if text := os.Getenv("CHANT_MUTATIONS"); text != "" {
		n, err := strconv.Atoi(text)
		assert.NoError(t, err)
		return n
	}
	if testing.Short() || raced() {
		return 200
	}
	return 1400
}

// TestChunks_mutated mutates the samples, and checks what is read of them.
func TestChunks_mutated(t *testing.T) {
	t.Parallel()
	times := max(mutations(t)/len(files()), 1)
	for file, lang := range files() {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			src := read(t, file)
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 1))
			for range times {
				text := mutate(r, src)
				chunks, err := Chunks(context.Background(), lang, text)
				assert.False(t, err != nil && !errors.Is(err, ErrTooHard), "%v\n%q", err, text)
				check(t, text, chunks)
			}
		})
	}
}

func TestChunks_hard(t *testing.T) {
	t.Parallel()
	texts := []string{
		strings.Repeat("(", 5_000), strings.Repeat("{", 5_000), strings.Repeat("a.b(", 3_000), strings.Repeat("[[<", 3_000),
		strings.Repeat("/*", 5_000), strings.Repeat("\"", 5_001), strings.Repeat("x ", 5_000), strings.Repeat("\x00\xff", 3_000),
		strings.Repeat("if a {", 2_000), strings.Repeat("class A {\n", 1_000), strings.Repeat("<<A\n", 1_000), strings.Repeat("a<", 3_000),
	}
	for file, lang := range samples() {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			for i, text := range texts {
				if (testing.Short() || raced()) && i%6 != 0 {
					continue
				}
				if lang == PHP {
					text = "<?php " + text
				}
				start := time.Now()
				chunks, err := Chunks(context.Background(), lang, []byte(text))
				assert.False(t, err != nil && !errors.Is(err, ErrTooHard), "%.20q: %v", text, err)
				check(t, []byte(text), chunks)
				t.Logf("%.20q takes %v: %v", text, time.Since(start), err)
			}
		})
	}
}

// TestChunks_lost reads a file of whose first lines the grammar makes nothing.
func TestChunks_lost(t *testing.T) {
	t.Parallel()
	src := "start() {\n  for ((T = 0; T < $(($3 / 4)); T++))\n" + strings.Repeat("[ $# -gt 0 ] ((( || a\n(b)\n{\n", 150)
	_, err := Chunks(context.Background(), Bash, []byte(src))
	assert.IsError(t, err, ErrTooHard)
}

// TestPrepare_hard hides what grammars do not know in long texts that look like much of it, each in a moment.
func TestPrepare_hard(t *testing.T) {
	t.Parallel()
	for lang, lines := range map[Language][]string{
		PHP:   {"enum a {\nconst b = 1;\n", "enum a", "enum a {", "const a = "},
		CPP:   {"class AA b ", "class AA b::", "(AA * a)(", "(AA ", "class A1(", "struct ", "((((("},
		Swift: {"#a(", " #a", " #if(", "##"},
	} {
		for _, line := range lines {
			src := []byte("enum const " + strings.Repeat(line, 1<<15/len(line)))
			assert.Equal(t, len(src), len(prepare(lang, src)), "%q", line)
		}
	}
}

func TestChunks_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Chunks(ctx, Python, []byte("x = 1\n"))
	assert.IsError(t, err, context.Canceled)
}

func TestChunks_longFunctionIsDivided(t *testing.T) {
	t.Parallel()
	src := "def long():\n" + strings.Repeat("    if call(1):\n        other(2)\n", 1000)
	chunks, err := Chunks(context.Background(), Python, []byte(src))
	assert.NoError(t, err)
	check(t, []byte(src), chunks)
	assert.True(t, len(chunks) >= 2, "%d bytes are %d chunks", len(src), len(chunks))
	assert.True(t, len(chunks) <= 4, "%d bytes are %d chunks", len(src), len(chunks))
	for _, c := range chunks {
		assert.Equal(t, chunk.Function, c.Kind, "lines %d", c.EndLine)
		assert.Equal(t, "long", c.Name(), "lines %d", c.EndLine)
		assert.False(t, c.StartLine > 1 && !strings.HasPrefix(src[c.Start:], "    if"), "lines %d to %d are a %s %q that starts with %.20q", c.StartLine, c.EndLine, c.Kind, c.Name(), src[c.Start:])
	}
}

func FuzzChunks(f *testing.F) {
	for file, lang := range files() {
		f.Add(uint8(lang), read(f, file))
	}
	f.Fuzz(func(t *testing.T, lang uint8, src []byte) {
		l := Language(lang % 14)
		chunks, err := Chunks(context.Background(), l, src)
		assert.False(t, err != nil && !errors.Is(err, ErrTooHard), "%v", err)
		check(t, src, chunks)
	})
}

func BenchmarkChunks(b *testing.B) {
	for file, lang := range samples() {
		src := read(b, file)
		b.Run(file, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				_, err := Chunks(context.Background(), lang, src)
				assert.NoError(b, err)
			}
		})
	}
}
