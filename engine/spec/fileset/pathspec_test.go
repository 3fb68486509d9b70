package fileset

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestMatchPathspec(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, file string
		want          bool
	}{
		{".env", ".env", true},
		{"./.env", ".env", true},
		{".env", "a/.env", false},
		{"**/.env", ".env", true},
		{"**/.env", "a/b/.env", true},
		{"config/*.local", "config/a.local", true},
		{"config/*.local", "config/a/b.local", false},
		{"config/", "config/a/b", true},
		{"config/**", "config/a/b", true},
		{".e{a,b}", ".ea", false},
		{".e{a,b}", ".e{a,b}", true},
		{"*{a", "x{a", true},
		{`*\{a`, "x{a", true},
		{"*[{]a", "x{a", true},
		{"a[!b]", "ac", true},
		{"a[b", "ab", false},
	} {
		assert.Equal(t, c.want, MatchPathspec(c.pattern, c.file), "%q matches %q", c.pattern, c.file)
	}
}

func TestPathspecFault(t *testing.T) {
	t.Parallel()
	for _, valid := range []string{".env", "{a", "a}", "{{{{{{{{{{", "[{]", "**/*.[a-z]"} {
		assert.Equal(t, "", PathspecFault(valid), "%q", valid)
	}
	for _, invalid := range []string{"[a", `a\`} {
		assert.Contains(t, PathspecFault(invalid), "is not a glob", "%q", invalid)
	}
}
