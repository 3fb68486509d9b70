package fileset

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a.go", "a.go", true},
		{"./a.go", "a.go", true},
		{" a.go ", "a.go", true},
		{"a.go", "b/a.go", false},
		{"a.go", "A.go", false},
		{"docs", "docs/x/y.md", true},
		{"docs/", "docs/x/y.md", true},
		{"docs", "docs2/x.md", false},
		{`docs\x.md`, "docs/x.md", true},
		{"docs/*.md", "docs/x.md", true},
		{"docs/*.md", "docs/x/y.md", false},
		{"docs/**", "docs/x/y.md", true},
		{"**/*.md", "y.md", true},
		{"**/*.md", "a/b/y.md", true},
		{"src/**/test_?.py", "src/a/b/test_1.py", true},
		{"src/**/test_?.py", "src/test_1.py", true},
		{"src/{a,b}/*.go", "src/b/x.go", true},
		{"src/{a,b}/*.go", "src/c/x.go", false},
		{"[ab].go", "b.go", true},
		{"app/[id]/page.tsx", "app/[id]/page.tsx", true},
		{"app/[id]", "app/[id]/page.tsx", true},
		{"a[.go", "a[.go", true},
		{"a[.go", "ab.go", false},
		{".", "any/file", true},
		{"../x", "x", false},
		{"/a.go", "a.go", false},
		{"", "a.go", false},
		{"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "aaaaaaaaa", false},
		{"\u00fcber/*", "\u00fcber/\u00e4.txt", true},
	} {
		assert.Equal(t, c.want, Match(c.pattern, c.name), "%q means %q", c.pattern, c.name)
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("src/**/*.go", "src/a/b.go")
	f.Add("{a,{b,c}}[", "{a,{b,c}}[")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		Match(pattern, name) // whatever people write, it ends
		clean := cleanEntry(name)
		assert.False(t, clean == name && !Match(name, name), "%q does not mean itself", name)
	})
}
