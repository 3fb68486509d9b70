package loop

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"", "a/b", true},
		{"*.go", "a/b/c.go", true},
		{"/*.go", "c.go", false},
		{"a/*.go", "a/b/c.go", false},
		{"a/**/*.go", "a/c.go", true},
		{"a/**.go", "a/b/c.go", true},
		{"a/**", "a/b/c.go", true},
		{`a\b`, "a/b", true},
		{"app/[id]/page.tsx", "app/[id]/page.tsx", true},
		{"app/[id]/page.tsx", "app/i/page.tsx", false},
		{"{a,b/c}/*.go", "b/c/d.go", true},
		{"a,b", "a,b", true},
	} {
		matches, err := glob(test.pattern)
		assert.NoError(t, err, "%q", test.pattern)
		assert.Equal(t, test.want, matches(test.path), "%q", test.pattern)
	}
	for _, broken := range []string{"{a", "a}"} {
		_, err := glob(broken)
		assert.Error(t, err, "%q is accepted", broken)
	}
}
