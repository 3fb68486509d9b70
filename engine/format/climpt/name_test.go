package climpt

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParseName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"git/group-commit/unstaged-changes": "", "a/b/c": "", "Go/Pre-merge-Check/v2_x": "",
		"git/commit":                     "use three words",
		"a/b/c/d":                        "use three words",
		"../b/c":                         `invalid c1 ".."`,
		"a//c":                           "c2 is empty",
		"a/b/.":                          `invalid c3 "."`,
		"a/b/-x":                         `invalid c3 "-x"`,
		"a/b/x y":                        `invalid c3 "x y"`,
		"a/b\\c/d":                       `invalid c2`,
		"a/b/" + string([]byte{0}):       "invalid c3",
		"ä/b/c":                          "invalid c1",
		"a/b/" + strings.Repeat("x", 65): "at most 64",
	} {
		n, err := ParseName(text)
		assert.Equal(t, want == "", err == nil, "%q", text)
		assert.False(t, err != nil && !strings.Contains(err.Error(), want), "%q: %v, want %q", text, err, want)
		assert.False(t, err == nil && n.String() != text, "%q is read as %q", text, n)
	}
}

func TestFileNames(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ edition, adaptation, want string }{
		{"", "", "f_default.md"},
		{"bug", "", "f_bug.md f_default.md"},
		{"", "short", "f_default_short.md f_default.md"},
		{"bug", "short", "f_bug_short.md f_bug.md f_default_short.md f_default.md"},
	} {
		assert.Equal(t, tc.want, strings.Join(FileNames(tc.edition, tc.adaptation), " "), "%q, %q", tc.edition, tc.adaptation)
	}
	for name, want := range map[string]string{"f_default.md": "default", "f_bug_short.md": "bug short", "f_.md": "-", "x.md": "-", "f_a.txt": "-"} {
		edition, adaptation, ok := VariantOf(name)
		got := strings.TrimSpace(edition + " " + adaptation)
		if !ok {
			got = "-"
		}
		assert.Equal(t, want, got, "%s", name)
	}
}
