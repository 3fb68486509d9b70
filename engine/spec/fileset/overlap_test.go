package fileset

import (
	"path"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"a.go", "a.go", true},
		{"a.go", "b.go", false},
		{"src", "src/a.go", true},
		{"src/", "src/deep/a.go", true},
		{"src", "srcs/a.go", false},
		{"./src//a.go", "src/a.go", true},
		{`src\a.go`, "src/a.go", true},
		{"src/A.go", "src/a.go", true},
		{".", "anything", true},
		{"*.md", "README.md", true},
		{"*.md", "*.go", false},
		{"a*", "*b", true},
		{"a*c", "a*d", false},
		{"a?c", "abc", true},
		{"a[xy]c", "abc", true}, // in doubt they overlap
		{"{a,b}.go", "a.go", true},
		{"src/*.go", "src/deep/a.go", false},
		{"src/**/*.go", "src/deep/er/a.go", true},
		{"src/**/*.go", "src/a.go", true},
		{"**/a.go", "b/**", true},
		{"src/**/a.go", "docs/a.go", false},
		{"日本/*", "日本/語", true},
	} {
		assert.Equal(t, tc.want, Overlap([]string{tc.a}, []string{tc.b}), "Overlap(%q, %q)", tc.a, tc.b)
	}
	assert.False(t, Overlap(nil, []string{"a"}), "a list without entries claims a file")
	assert.False(t, Overlap([]string{}, nil), "a list without entries claims a file")
}

func TestOverlapNamed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		glob, entry string
		want        bool
	}{
		{"**/*.go", "README.md", false},
		{"**/*.go", "docs/*.md", false},
		{"src/**/*.go", "src/a.md", false},
		{"**/*.go", "a/b.go", true},
		{"**/*.go", "a/*.go", true},
		{"**/*.go", "main", true},
		{"**/*.go", "docs/**", true},
		{"**/*.yml", ".github", true},
		{"**/*.go", "v1.2", true},
		{"**/*.go", "a/*.*", true},
		{"conf.d/*.conf", "conf.d", true},
		{"conf.d", "conf.d/a.conf", true},
		{"conf.d/**/*.conf", "conf.d", true},
		{"web/**", "docs/a.md", false},
		{"**", "README.md", true},
		{".", "README.md", true},
	} {
		assert.Equal(t, tc.want, OverlapNamed([]string{tc.glob}, []string{tc.entry}), "OverlapNamed(%q, %q)", tc.glob, tc.entry)
		assert.Equal(t, tc.want, OverlapNamed([]string{tc.entry}, []string{tc.glob}), "OverlapNamed(%q, %q)", tc.entry, tc.glob)
	}
}

// genPath generates the path of a file that is at most three folders deep.
func genPath() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.StringMatching(`[ab]{1,2}`), 1, 4), func(parts []string) string { return path.Join(parts...) })
}

// genGlob turns a path into an entry that matches it.
func genGlob(t *rapid.T, file, label string) string {
	parts := strings.Split(file, "/")
	var out []string
	for i := 0; i < len(parts); i++ {
		switch rapid.SampledFrom([]string{"as it is", "star", "question", "some", "any depth", "folder"}).Draw(t, label) {
		case "star":
			out = append(out, parts[i][:1]+"*")
		case "question":
			out = append(out, "?"+parts[i][1:])
		case "some":
			out = append(out, "*")
		case "any depth":
			skip := rapid.IntRange(0, len(parts)-1-i).Draw(t, label+" skips")
			i += skip
			out = append(out, "**", parts[i])
		case "folder":
			return path.Join(append(out, parts[i])...)
		default:
			out = append(out, parts[i])
		}
	}
	return path.Join(out...)
}

// TestOverlap_commonFile: two entries that match the same file overlap, in either order.
func TestOverlap_commonFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		file := genPath().Draw(t, "file")
		a, b := genGlob(t, file, "a"), genGlob(t, file, "b")
		if !Overlap([]string{a}, []string{b}) || !Overlap([]string{b}, []string{a}) {
			t.Fatalf("%q and %q both hold %q", a, b, file)
		}
	})
}

func TestOverlap_symmetric(t *testing.T) {
	t.Parallel()
	entry := rapid.StringMatching(`([ab*?\[\]{},]{1,4}/|\*\*/){0,3}[ab*?]{1,3}`)
	lists := rapid.SliceOfN(entry, 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		a, b := lists.Draw(t, "a"), lists.Draw(t, "b")
		if Overlap(a, b) != Overlap(b, a) {
			t.Fatalf("Overlap(%q, %q) = %v, the other way round %v", a, b, Overlap(a, b), Overlap(b, a))
		}
		if len(a) > 0 && !Overlap(a, a) {
			t.Fatalf("%q does not overlap itself", a)
		}
	})
}

// TestOverlap_paths: two plain paths overlap only if one is equal to or below the other.
func TestOverlap_paths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := genPath().Draw(t, "a"), genPath().Draw(t, "b")
		want := a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
		if got := Overlap([]string{a}, []string{b}); got != want {
			t.Fatalf("Overlap(%q, %q) = %v, want %v", a, b, got, want)
		}
	})
}
