package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// secretValue reports whether a text looks like one that no file may hold: it begins as
// keys and tokens of well-known services do, holds a URL with a password, or a long run
// that nobody would write by hand. Better a value too few than a secret in a commit.
func secretValue(text string) bool {
	words := strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(`"'=,;`, c) })
	prefixes := []string{
		"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_", "pypi-", "sk-", "sk_live_", "rk_live_", "xox", "hf_",
		"AIza", "AKIA", "ASIA", "ya29.", "SG.", "dop_v1_", "eyJ", "-----BEGIN",
	}
	for _, w := range words {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(w, p) }) {
			return true
		}
	}
	return urlWithPassword.MatchString(text) || slices.ContainsFunc(longRun.FindAllString(text, -1), random)
}

var (
	urlWithPassword = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@`)
	longRun         = regexp.MustCompile(`[A-Za-z0-9+/_-]{32,}`)
	onlyHex         = regexp.MustCompile(`^[0-9A-Fa-f]+$`)
)

// random reports whether a long run is hex, or mixes capitals, small letters and digits
// as base64 does; words and paths do not.
func random(run string) bool {
	return onlyHex.MatchString(run) || strings.ContainsFunc(run, unicode.IsUpper) && strings.ContainsFunc(run, unicode.IsLower) && strings.ContainsFunc(run, unicode.IsDigit)
}
