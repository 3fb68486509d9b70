package secret

import (
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// minLength is the length from which a value can be a secret, in bytes. A shorter one
// appears in too many words by chance.
const minLength = 8

// secretsIn returns what of a variable's value is secret. Its name says whether all of it
// is, and its setting whether that is meant for its value.
func secretsIn(name, setting, text string) []string {
	// These are folders, although their names read like those of passwords.
	if name == "PWD" || name == "OLDPWD" {
		return nil
	}
	found := addressSecrets(text)
	found = append(found, behindNames(text)...)
	found = append(found, behindAuthorization(text)...)
	if holdsHeaders(setting) {
		found = append(found, headerSecrets(text)...)
	}
	if Named(setting) {
		found = append(found, strings.TrimSpace(text))
		// Logs are written line by line, and lists member by member.
		found = append(found, parts(text)...)
	}
	return slices.DeleteFunc(found, func(s string) bool { return !isSecretLike(s) })
}

// parts are what may be printed of a value without the rest: what JSON has under the
// name of a secret, or the members of a list.
func parts(text string) []string {
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) != nil {
		return members(text)
	}
	var found []string
	for name, part := range object {
		if value, ok := part.(string); ok && Named(name) {
			found = append(append(found, value), members(value)...)
		}
	}
	return found
}

// members are those of a list, and the lines of a key: logs are written line by line. A
// word is not a member, since it appears in every text.
func members(text string) []string {
	var found []string
	for _, separators := range []string{"\n", ",", ";", "\n,; \t"} {
		split := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(separators, c) })
		if len(split) < 2 {
			continue
		}
		for _, part := range split {
			// A word appears in every text, and the marks around a key hide nothing.
			if part = strings.TrimSpace(part); strings.HasPrefix(part, "-----") || separators != "\n" && word().MatchString(part) {
				continue
			}
			found = append(found, part)
		}
	}
	return found
}

// word is a part that says nothing of itself.
var word = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\pP*(?:\p{L}?\p{Ll}*|\p{Lu}{1,15})\pP*$`)
})

// named is a part of a value after a name that marks it as secret, as in connection settings
// and in the query of a URL.
var named = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:password|passwd|pwd|passphrase|secret|token|account_?key|access_?key|api_?key|\bsig|\bsignature)=("[^"]+"|'[^']+'|[^\s;&,"']+)`)
})

func behindNames(text string) []string {
	var found []string
	for _, m := range named().FindAllStringSubmatch(text, -1) {
		found = append(found, strings.Trim(m[1], `"'`))
	}
	return found
}

// authorization returns the credential of a header.
var authorization = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)authorization:\s*(?:(?:basic|bearer|token)\s+)?([^\s"']+)`)
})

func behindAuthorization(text string) []string {
	var found []string
	for _, m := range authorization().FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
		// For basic authorization, this is the name and the password.
		if login, err := base64.StdEncoding.DecodeString(m[1]); err == nil {
			_, password, _ := strings.Cut(string(login), ":")
			found = append(found, password)
		}
	}
	return found
}

// header is one of a list: a name, and the text after it up to the next one.
var header = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\n,;])\s*[\w.-]+\s*[:=]\s*([^\n,;]+)`)
})

// media is what headers say of a form of contents.
var media = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\w*]+/[\w.+*-]+$`)
})

// headerSecrets returns the values of headers, whole and without how they authorize.
func headerSecrets(text string) []string {
	var found []string
	for _, m := range header().FindAllStringSubmatch(text, -1) {
		whole := strings.TrimSpace(m[1])
		if media().MatchString(whole) || word().MatchString(whole) {
			continue
		}
		found = append(found, whole)
		// The first word is the kind of authorization.
		if words := strings.Fields(whole); len(words) == 2 {
			found = append(found, words[1])
		}
	}
	return found
}

// isSecretLike reports whether a value is more than a setting.
func isSecretLike(text string) bool {
	if len(text) < minLength || isPath(text) {
		return false
	}
	// Short numbers are in every log.
	if _, err := strconv.ParseFloat(text, 64); err == nil && len(text) < 2*minLength {
		return false
	}
	return true
}

// isPath reports whether a value reads like an absolute path. Keys may begin with a slash
// too: what is written in base64 has long parts, of more than small letters.
func isPath(text string) bool {
	if !filepath.IsAbs(text) || strings.ContainsAny(text, "\n+=") {
		return false
	}
	parts := strings.Count(text, "/")
	// Keys in base64 may begin with a slash, too.
	encoded := inBase64().MatchString(text) && strings.ContainsAny(text, "0123456789") && strings.ToLower(text) != text
	return !encoded || len(text) < 20 || len(text) < 11*parts
}

var inBase64 = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9/]+$`)
})
