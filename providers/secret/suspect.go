package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Suspect reports whether a text looks like one that no file may contain: it begins as keys
// and tokens of well-known services do, has an address with a password, or a long run of
// characters that is not written by hand. Better a value too few than a secret in a commit.
func Suspect(text string) bool {
	words := strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`"'=,;`, c) })
	return slices.ContainsFunc(words, token().MatchString) || len(addressSecrets(text)) > 0 || slices.ContainsFunc(longRun().FindAllString(text, -1), isRandom)
}

var (
	longRun = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[A-Za-z0-9+/_-]{32,}`)
	})
	onlyHex = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9A-Fa-f]+$`)
	})
)

// isRandom reports whether a long run is hex, or mixes capitals, small letters and digits
// as base64 does; words and paths do not.
func isRandom(run string) bool {
	return onlyHex().MatchString(run) || strings.ContainsFunc(run, unicode.IsUpper) && strings.ContainsFunc(run, unicode.IsLower) && strings.ContainsFunc(run, unicode.IsDigit)
}

// SuspectName reports whether a variable's name may say that its value is a secret. It suspects
// more than Named: to refuse a variable that is to be written into a file costs little.
func SuspectName(name string) bool {
	words := []string{"SECRET", "TOKEN", "CREDENTIAL", "PRIVATE", "PASS", "KEY", "AUTH", "COOKIE", "SESSION", "DSN", "CERT"}
	upper := strings.ToUpper(name)
	ends := []string{"PW", "PWD", "_PAT"}
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(upper, w) }) ||
		slices.ContainsFunc(ends, func(w string) bool { return strings.HasSuffix(upper, w) })
}
