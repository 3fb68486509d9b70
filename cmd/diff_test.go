package cmd

import (
	"strings"
	"testing"

	"chant/cmd/console"
	"chant/engine/view"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestRenderDiff: styles are those of git, and lines of files that look like headers, or contain styles, are only lines.
func TestRenderDiff(t *testing.T) {
	t.Parallel()
	patch := "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@ func\n same\n--- gone\n+++ came\x1b[8m\n@@ -9 +9 @@\n-a\r\ndiff --git a/y b/y\nnew file\n"
	r := view.DiffResult{
		Patch: []byte(patch), Stat: []byte(" a|b-c | 3 ++-\n p.png | Bin 0 -> 3 bytes\n 2 files changed\n"),
		Files: []gitops.FileDiff{{Path: "a\tb"}, {Path: "c"}},
	}
	for _, test := range []struct {
		on    console.Canvas
		names bool
		want  string
	}{
		{console.Canvas{}, true, "\"a\\tb\"\nc\n"},
		{console.Canvas{}, false, string(r.Stat) + patch},
		{console.Canvas{Styled: true}, false, " a|b-c | 3 G++0R-0\n p.png | Bin 0 -> 3 bytes\n 2 files changed\n" +
			"Bdiff --git a/x b/x0\nBindex 1..2 1006440\nB--- a/x0\nB+++ b/x0\nC@@ -1,3 +1,2 @@0 func\n same\nR--- gone0\nG+++ came\\x1b[8m0\n" +
			"C@@ -9 +9 @@0\nR-a\\x0d0\nBdiff --git a/y b/y0\nBnew file0\n"},
	} {
		var out strings.Builder
		renderDiff(&out, r, test.names, test.on)
		got := strings.NewReplacer("\x1b[1m", "B", "\x1b[31m", "R", "\x1b[32m", "G", "\x1b[36m", "C", "\x1b[0m", "0").Replace(out.String())
		assert.Equal(t, test.want, got, "names %t, %+v:", test.names, test.on)
	}
}
