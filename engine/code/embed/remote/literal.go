package remote

import (
	"regexp"
	"sync"

	"chant/providers/secret"
)

// assigned is a quoted text without spaces behind a name: dbPassword := "…", "api_key": '…', token=`…`.
var assigned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("([A-Za-z_][A-Za-z0-9_-]*)[\"']?\\s*(?::=|=>|[=:,(])\\s*[\"'`]([^\\s\"'`]{6,})[\"'`]")
})

// capital is where a word begins inside a name.
var capital = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([a-z0-9])([A-Z])`) })

// assignsSecret reports whether code gives a text to something whose name says that it is a secret.
func assignsSecret(code string) bool {
	for _, m := range assigned().FindAllStringSubmatch(code, -1) {
		// Names in camel case are divided, since only whole words show a secret.
		if secret.Named(capital().ReplaceAllString(m[1], "${1}_$2")) {
			return true
		}
	}
	return false
}
