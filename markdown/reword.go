package markdown

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var (
	mismatch = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("cannot (?:unmarshal|decode) !!(\\w+)(?: `(?s:(.*?))`)? (?:into|as a) (.+)$")
	})
	wrapped = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:yaml: )?unmarshal errors:\n\s*(?:line \d+: )?`)
	})
)

// Reword says in the words of people who write front matter what the YAML package says of
// a value that does not fit, without the names of Go types. Everything else is returned
// as it is.
func Reword(msg string) string {
	msg = wrapped().ReplaceAllString(msg, "")
	at := mismatch().FindStringSubmatchIndex(msg)
	if at == nil {
		return msg
	}
	found := mismatch().FindStringSubmatch(msg)
	what := map[string]string{"map": "a mapping", "seq": "a list"}[found[1]]
	if what == "" {
		what = strconv.Quote(found[2])
	}
	return msg[:at[0]] + what + " is not " + expectedKind(found[3])
}

// expectedKind describes the kind of value of a Go type or a YAML tag.
func expectedKind(name string) string {
	switch {
	case name == "bool", name == "!!bool":
		return "true or false"
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"), name == "!!int":
		return "a whole number"
	case strings.HasPrefix(name, "float"), name == "!!float":
		return "a number"
	case name == "string", name == "!!str":
		return "a text"
	case name == "!!timestamp":
		return "a time"
	case strings.HasPrefix(name, "[]"):
		return "a list"
	}
	return "a mapping of keys to values"
}
