package view

import (
	"testing"

	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestJoinPatches gives each file its patch, up to a limit.
func TestJoinPatches(t *testing.T) {
	t.Parallel()
	patch := "diff --git a/a b.txt b/a b.txt\nindex 1..2 100644\n--- a/a b.txt\n+++ b/a b.txt\n@@ -1,2 +1,2 @@\n same\n---- removed\n+diff --git is only text\n" +
		"diff --git a/bin b/bin\nnew file mode 100644\nBinary files /dev/null and b/bin differ\n" +
		"diff --git a/old b/q\nrename from old\nrename to q\n@@ -0,0 +1 @@\n+x\n"
	files := []gitops.FileDiff{{Path: "a b.txt", Added: 1, Removed: 1}, {Path: "bin", Binary: true}, {Path: "q", Old: "old", Added: 1}}
	got, cut := joinPatches(files, patch, 1000)
	assert.Equal(t, 3, len(got), "%+v, cut", got)
	assert.False(t, cut, "%+v, cut %t", got, cut)
	for i, ends := range []string{"only text\n", "differ\n", "+x\n"} {
		f := got[i]
		assert.Equal(t, files[i].Path, f.Path)
		assert.Equal(t, files[i].Added, f.Added)
		assert.Equal(t, files[i].Removed, f.Removed)
		assert.True(t, len(f.Patch) >= len(ends), "%+v of %+v", f, files[i])
		assert.Equal(t, ends, f.Patch[len(f.Patch)-len(ends):])
	}
	got, cut = joinPatches(files, patch, len(got[0].Patch))
	assert.True(t, cut, "with a limit: %+v, cut %t", got, cut)
	assert.NotEqual(t, "", got[0].Patch, "with a limit")
	assert.Equal(t, "", got[1].Patch, "with a limit")
	assert.Equal(t, "q", got[2].Path, "with a limit")
	got, cut = joinPatches(nil, "", 10)
	assert.True(t, got != nil, "%+v, cut %t", got, cut)
	assert.Zero(t, got)
	assert.False(t, cut, "%+v, cut %t", got, cut)
}

// FuzzSplitPatch: nothing panics, and no part is longer than what there was.
func FuzzSplitPatch(f *testing.F) {
	f.Add("diff --git a/a b/a\n@@ -1 +1 @@\n-x\n+y\n")
	f.Add("diff --git \ndiff --git a/b\n")
	f.Fuzz(func(t *testing.T, patch string) {
		total := 0
		for _, part := range splitPatch(patch) {
			total += len(part)
		}
		assert.True(t, total <= len(patch), "%d bytes of %d", total, len(patch))
	})
}
