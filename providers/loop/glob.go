package loop

import (
	"fmt"
	"regexp"
	"strings"

	"chant/providers"
)

// glob compiles a pattern for paths from the top: ** stands for any folders, * and ? for
// no slash, {a,b} for either. A pattern without a slash is about the name alone.
func glob(pattern string) (func(path string) bool, error) {
	pattern = strings.TrimPrefix(strings.ReplaceAll(pattern, `\`, "/"), "./")
	if pattern == "" {
		return func(string) bool { return true }, nil
	}
	expr := globRegexp(pattern)
	if !strings.Contains(pattern, "/") {
		expr = "(?:.*/)?" + expr
	}
	compiled, err := regexp.Compile("^" + expr + "$")
	if err != nil {
		return nil, fmt.Errorf("%q is no pattern such as *.go or src/**/*.ts", providers.Clip(pattern, 80))
	}
	return compiled.MatchString, nil
}

func globRegexp(pattern string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch rest := pattern[i:]; {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			i++
		case rest[0] == '*':
			b.WriteString("[^/]*")
		case rest[0] == '?':
			b.WriteString("[^/]")
		case rest[0] == '{':
			b.WriteString("(?:")
			depth++
		case rest[0] == '}' && depth > 0:
			b.WriteString(")")
			depth--
		case rest[0] == ',' && depth > 0:
			b.WriteString("|")
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
		}
	}
	return b.String()
}
