package loop

import "testing"

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
		if err != nil || matches(test.path) != test.want {
			t.Errorf("%q on %q: want %v, %v", test.pattern, test.path, test.want, err)
		}
	}
	for _, broken := range []string{"{a", "a}"} {
		if _, err := glob(broken); err == nil {
			t.Errorf("%q is accepted", broken)
		}
	}
}
