package loop

import (
	"fmt"
	"regexp"
	"strings"

	"chant/providers"

	"github.com/bmatcuk/doublestar/v4"
)

// glob compiles a pattern for paths from the top: ** stands for any folders, * and ? for no
// slash, {a,b} for either. A bracket is itself, as in the names of many routes. A pattern
// without a slash is about the name alone.
func glob(pattern string) (func(path string) bool, error) {
	shown := pattern
	pattern = strings.TrimPrefix(strings.ReplaceAll(pattern, `\`, "/"), "./")
	switch {
	case pattern == "":
		return func(string) bool { return true }, nil
	case !strings.Contains(pattern, "/"):
		pattern = "**/" + pattern
	}
	pattern = regexp.MustCompile(`/\*\*([^/])`).ReplaceAllString(pattern, "/**/*$1") // a/**.go, as models write it
	pattern = strings.ReplaceAll(pattern, "[", `\[`)
	if !doublestar.ValidatePattern(pattern) {
		return nil, fmt.Errorf("%q is no pattern such as *.go or src/**/*.ts", providers.Clip(shown, 80))
	}
	return func(path string) bool { return doublestar.MatchUnvalidated(pattern, path) }, nil
}
