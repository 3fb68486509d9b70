package loop

import (
	"fmt"
	"regexp"
	"strings"

	"chant/text"

	"github.com/bmatcuk/doublestar/v4"
)

// glob compiles a pattern for paths from the top: ** matches any folders, * and ? no
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
	// Models write a/**.go for all files below a.
	pattern = regexp.MustCompile(`/\*\*([^/])`).ReplaceAllString(pattern, "/**/*$1")
	// A bracket is itself here, as in the names of many routes.
	pattern = strings.ReplaceAll(pattern, "[", `\[`)
	if !doublestar.ValidatePattern(pattern) {
		return nil, fmt.Errorf("invalid pattern %q (use one such as *.go or src/**/*.ts)", text.ClipBytes(shown, 80))
	}
	return func(path string) bool { return doublestar.MatchUnvalidated(pattern, path) }, nil
}

// ignored are the rules by which lists leave files out.
type ignored []ignoreRule

type ignoreRule struct {
	matches            func(path string) bool
	atTop, foldersOnly bool
}

// readIgnored reads the .gitignore at the top, as far as it is simple: names, paths and
// patterns, with a slash at the end for folders and one at the beginning or within for paths
// from the top. Lines that take something back are left out, and so is every other
// .gitignore: of what those take out more is listed.
func (t *tree) readIgnored() ignored {
	src, _, err := t.read(".gitignore")
	if err != nil {
		// Without the file, nothing is ignored.
		return nil
	}
	var rules ignored
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, " \t\r\n")
		// A line that takes something back is left out, so more is listed than git would.
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		name, folders := strings.CutSuffix(line, "/")
		name, rooted := strings.CutPrefix(name, "/")
		if matches, err := glob(name); err == nil {
			rules = append(rules, ignoreRule{matches, rooted && !strings.Contains(name, "/"), folders})
		}
	}
	return rules
}

func (rules ignored) skip(path string, folder bool) bool {
	for _, r := range rules {
		if (folder || !r.foldersOnly) && !(r.atTop && strings.Contains(path, "/")) && r.matches(path) {
			return true
		}
	}
	return false
}
