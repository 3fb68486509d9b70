package code

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestPlace_matching(t *testing.T) {
	t.Parallel()
	top := &codeFolder{root: "/top/[a] b", asked: "/top/[a] b"}
	below := &codeFolder{root: "/top/[a] b", asked: "/link/src", from: "src"}
	for _, tt := range []struct {
		at         *codeFolder
		glob, name string
		want       bool
	}{
		{top, "", "a.go", true},
		{top, "*.go", "a.go", true},
		{top, "*.go", "src/a.go", false},
		{top, "./src/*.go", "src/a.go", true},
		{top, "/top/[a] b/src/**", "src/deep/a.go", true},
		{top, "/top/**", "src/a.go", false},
		{below, "*.go", "src/a.go", true},
		{below, "*.go", "src/deep/a.go", false},
		{below, "*.go", "other/a.go", false},
		{below, "src/*.go", "src/a.go", true},
		{below, "/link/src/*.go", "src/a.go", true},
		{below, "/link/src/*.go", "src/deep/a.go", false},
		{below, "/top/[a] b/src/*.go", "src/a.go", true},
		{below, "**/*.go", "srcs/a.go", true},
	} {
		assert.Equal(t, tt.want, tt.at.globMatcher(tt.glob)(tt.name), "%q from %q matches %q", tt.glob, tt.at.from, tt.name)
	}
}
