package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestReadme_isShort: README is a page, and the guides have the rest.
func TestReadme_isShort(t *testing.T) {
	t.Parallel()
	text := readme(t)
	lines, words := strings.Count(text, "\n"), len(strings.Fields(text))
	assert.True(t, lines <= 150, "README has %d lines, at most 150 are allowed", lines)
	assert.True(t, words <= 1100, "README has %d words, at most 1100 are allowed", words)
}

// TestReadme_tour pastes the tour into a shell, word by word.
func TestReadme_tour(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the tour is for sh")
	}
	_, tour, found := strings.Cut(readme(t), "\n## A tour of two minutes\n")
	assert.True(t, found, "README has no tour")
	tour, _, _ = strings.Cut(tour, "\n## What makes it different\n")
	script := ""
	for _, block := range regexp.MustCompile("(?ms)^````sh\n(.*?)^````$|^```sh\n(.*?)^```$").FindAllStringSubmatch(tour, -1) {
		script += block[1] + block[2]
	}
	bin := t.TempDir()
	assert.NoError(t, os.Symlink(chantBinary(t), filepath.Join(bin, "chant")))
	env := append(os.Environ(), append(environment(t.TempDir()), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))...)
	got := execute(t, t.TempDir(), env, "sh", "-c", strings.ReplaceAll(script, "chant work 002 ", "chant work 002; echo \"exit code $?\" "))
	assert.Equal(t, 0, got.code, "%s%s", got.out, got.stderr)
	for _, want := range []string{"chant is ready in", "Landed ", "completed  Write a greeting", "exit code 9\n", "`sh greet.sh | grep Ada` exited with 1"} {
		assert.Contains(t, got.out, want, "%s", got.stderr)
	}
}
