package view

import (
	"testing"

	"chant/gitops"
)

// TestJoinPatches gives each file its patch, up to a limit.
func TestJoinPatches(t *testing.T) {
	t.Parallel()
	patch := "diff --git a/a b.txt b/a b.txt\nindex 1..2 100644\n--- a/a b.txt\n+++ b/a b.txt\n@@ -1,2 +1,2 @@\n same\n---- removed\n+diff --git is only text\n" +
		"diff --git a/bin b/bin\nnew file mode 100644\nBinary files /dev/null and b/bin differ\n" +
		"diff --git a/old b/q\nrename from old\nrename to q\n@@ -0,0 +1 @@\n+x\n"
	files := []gitops.FileDiff{{Path: "a b.txt", Added: 1, Removed: 1}, {Path: "bin", Binary: true}, {Path: "q", Old: "old", Added: 1}}
	got, cut := joinPatches(files, patch, 1000)
	if len(got) != 3 || cut {
		t.Fatalf("%+v, cut %t", got, cut)
	}
	for i, ends := range []string{"only text\n", "differ\n", "+x\n"} {
		f := got[i]
		if f.Path != files[i].Path || f.Added != files[i].Added || f.Removed != files[i].Removed || len(f.Patch) < len(ends) || f.Patch[len(f.Patch)-len(ends):] != ends {
			t.Errorf("%+v of %+v", f, files[i])
		}
	}
	if got, cut := joinPatches(files, patch, len(got[0].Patch)); !cut || got[0].Patch == "" || got[1].Patch != "" || got[2].Path != "q" {
		t.Errorf("with a limit: %+v, cut %t", got, cut)
	}
	if got, cut := joinPatches(nil, "", 10); got == nil || len(got) != 0 || cut {
		t.Errorf("%+v, cut %t", got, cut)
	}
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
		if total > len(patch) {
			t.Errorf("%d bytes of %d", total, len(patch))
		}
	})
}
