package prove

import (
	"strings"
	"testing"

	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

const patchHead = "diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n"

func TestHunks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		patch, before, now string
		reverted           []string // with each hunk reverted
	}{
		"changed": {"@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nb\nc\n", "a\nB\nc\n", []string{"a\nb\nc\n"}},
		"added and removed, with lines between": {"@@ -1,3 +1,3 @@\n-a\n b\n c\n+d\n", "a\nb\nc\n", "b\nc\nd\n",
			[]string{"a\nb\nc\nd\n", "b\nc\n"}},
		"without lines around":       {"@@ -2 +1,0 @@ f()\n-b\n@@ -3,0 +3,2 @@\n+d\n+e\n", "a\nb\nc\n", "a\nc\nd\ne\n", []string{"a\nb\nc\nd\ne\n", "a\nc\n"}},
		"without an end of the line": {"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "a", "b\n", []string{"a"}},
		"lines like headers":         {"@@ -1,2 +1,2 @@\n--- a\n+++ b\n @@ -1 +1 @@\n", "-- a\n@@ -1 +1 @@\n", "++ b\n@@ -1 +1 @@\n", []string{"-- a\n@@ -1 +1 @@\n"}},
		"of an empty file":           {"@@ -0,0 +1 @@\n+a\n", "", "a\n", []string{""}},
	} {
		sections, err := parsePatch([]byte(patchHead + c.patch))
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, 1, len(sections), "%s", name)
		var got []string
		for _, h := range sections[0].hunks {
			got = append(got, string(revert([]byte(c.before), []byte(c.now), h)))
		}
		assert.Equal(t, c.reverted, got, "%s", name)
	}
}

func TestParsePatch_sections(t *testing.T) {
	t.Parallel()
	sections, err := parsePatch([]byte("diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n" +
		"diff --git a/b b/b\ndeleted file mode 100644\nBinary files a/b and /dev/null differ\n" +
		"diff --git a/c b/d\nsimilarity index 100%\nrename from c\nrename to d\n" +
		"diff --git a/e b/e\ndeleted file mode 100644\n--- a/e\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/e b/e\nnew file mode 120000\n--- /dev/null\n+++ b/e\n@@ -0,0 +1 @@\n+y\n"))
	assert.NoError(t, err)
	assert.Equal(t, 4, len(sections))
	assert.True(t, sections[0].added, "the first is new")
	assert.True(t, sections[1].deleted, "the second is removed")
	for _, bad := range []string{"x", patchHead + "@@ what\n", patchHead + "@@ -1,2 +1 @@\n-a\n", patchHead + "@@ -1 +1 @@\n?\n"} {
		_, err := parsePatch([]byte(bad))
		assert.IsError(t, err, errPatch, "%q", bad)
	}
}

func TestHunkVersions(t *testing.T) {
	t.Parallel()
	was, now := []byte("a\nb\n"), []byte("a\nB\n")
	changed := []hunk{{oldAt: 2, oldLines: 1, newAt: 2, newLines: 1}}
	for name, c := range map[string]struct {
		of    change
		files [][]gitops.File // of each version
		lines [][]int
	}{
		"added":   {change{section: section{added: true}, now: now}, [][]gitops.File{{{Path: "x"}}}, [][]int{{1, 2}}},
		"deleted": {change{section: section{deleted: true}, before: was, wasProgram: true}, [][]gitops.File{{{Path: "x", Content: was, Executable: true}}}, [][]int{nil}},
		"changed": {change{section: section{hunks: changed}, before: was, now: now}, [][]gitops.File{{{Path: "x", Content: was}}}, [][]int{{2}}},
		"moved": {change{FileDiff: gitops.FileDiff{Old: "y"}, section: section{hunks: changed}, before: was, now: now},
			[][]gitops.File{{{Path: "x"}, {Path: "y", Content: was}}, {{Path: "x", Content: was}}}, [][]int{nil, {2}}},
		"binary":                {change{FileDiff: gitops.FileDiff{Binary: true}, before: was, now: now}, [][]gitops.File{{{Path: "x", Content: was}}}, [][]int{{1}}},
		"only a comment":        {change{section: section{hunks: changed}, before: []byte("a\n# b\n"), now: []byte("a\n# B\n")}, nil, nil},
		"only other permission": {change{before: was, now: was}, nil, nil},
	} {
		c.of.Path = "x"
		var files [][]gitops.File
		var lines [][]int
		for _, v := range c.of.hunkVersions() {
			files, lines = append(files, v.files), append(lines, v.lines)
		}
		assert.Equal(t, c.files, files, "%s", name)
		assert.Equal(t, c.lines, lines, "%s", name)
	}
}

func TestDiffOf(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "-a\n+b\n", diffOf(linesOf([]byte("a\n")), linesOf([]byte("b"))))
	assert.HasSuffix(t, diffOf(linesOf([]byte(strings.Repeat("a\n", 20))), nil), "-a\n-… 8 more lines\n")
}

func TestIsUninteresting(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "\n\t// a\n": true, "# a\n": true, "#include <a>\n": true, "import a\n": true, "\t\"fmt\"\n": true, "from a import b\n": true,
		"use a::b;\n": true, " * a\n": true, "#define A 1\n": false, "a = 1 // b\n": false, "*a = 1\n": false, "package a\n\nvar b int\n": false,
	} {
		assert.Equal(t, want, isUninteresting(linesOf([]byte(text))), "%q", text)
	}
}

func TestIsDocumentation(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"README.md": true, "docs/a.txt": true, "LICENSE": true, "a.tex": true, "a.py": false, "data.bin": false, "Makefile": false, ".gitignore": false,
	} {
		assert.Equal(t, want, isDocumentation(name), "%s", name)
	}
}

func FuzzParsePatch(f *testing.F) {
	f.Add(patchHead+"@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nb\nc\n", "a\nB\nc\n")
	f.Fuzz(func(t *testing.T, patch, before, now string) {
		sections, err := parsePatch([]byte(patch))
		if err != nil {
			return
		}
		for _, s := range sections {
			for _, h := range s.hunks {
				revert([]byte(before), []byte(now), h)
			}
		}
	})
}

func TestVersionOf(t *testing.T) {
	t.Parallel()
	changes := []*change{
		{FileDiff: gitops.FileDiff{Path: "a.go"}, now: []byte("a\nb\n\nb\nc"), isProgram: true},
		{FileDiff: gitops.FileDiff{Path: "gone"}, section: section{deleted: true}},
	}
	for name, c := range map[string]struct {
		diff, want, shown string
		line              int
	}{
		"with wrong numbers":   {"--- a/a.go\n+++ b/a.go\n@@ -9,9 +9,9 @@\n a\n-b\n+B\n", "a\nB\n\nb\nc", "-b\n+B\n", 2},
		"two hunks":            {"--- a/a.go\n+++ b/a.go\t2026\n@@ -1 +1 @@\n-a\n+A\n@@ -4,2 +4,2 @@\n b\n-c\n+C\n", "A\nb\n\nb\nC", "-a\n-b\n-\n-b\n-c\n+A\n+b\n+\n+b\n+C\n", 1},
		"an empty line":        {"diff --git a/a.go b/a.go\nindex 1..2\n--- a/a.go\n+++ b/a.go\n@@ -2,2 +2 @@\n b\n-\n\n+b\n", "", "", 0},
		"a trimmed empty line": {"--- a/a.go\n+++ b/a.go\n@@ -2,3 +2,3 @@\n b\n\n-b\n+B\n c\n\\ No newline at end of file\n", "a\nb\n\nB\nc", "-b\n+B\n", 4},
		"an ambiguous place":   {"--- a/a.go\n+++ b/a.go\n@@ -2 +2 @@\n-b\n+B\n", "", "", 0},
		"another file":         {"--- a/b.go\n+++ b/b.go\n@@ -1 +1 @@\n-a\n+A\n", "", "", 0},
		"a deleted file":       {"--- a/gone\n+++ b/gone\n@@ -1 +1 @@\n-a\n+A\n", "", "", 0},
		"no change":            {"--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n a\n", "", "", 0},
		"only an addition":     {"--- a/a.go\n+++ b/a.go\n@@ -1,0 +1 @@\n+A\n", "", "", 0},
		"no diff":              {"I cannot do that.", "", "", 0},
		"another mark":         {"--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-a\n+A\nSo be it.\n", "", "", 0},
	} {
		v := versionOf(c.diff, changes)
		if c.want == "" {
			assert.Zero(t, v, "%s", name)
			continue
		}
		assert.NotZero(t, v, "%s", name)
		assert.Equal(t, c.want, string(v.files[0].Content), "%s", name)
		assert.Equal(t, c.shown, v.diff, "%s", name)
		assert.Equal(t, c.line, v.line, "%s", name)
		assert.True(t, v.files[0].Executable, "%s", name)
	}
}
