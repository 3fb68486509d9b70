package secret

import (
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// shortest is the length from which a value can be a secret, in bytes. A shorter one
// stands in too many words by chance.
const shortest = 8

// Named reports whether the name of a variable says that its value is a secret.
func Named(name string) bool {
	words := strings.FieldsFunc(strings.ToUpper(name), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
	if len(words) == 0 || slices.Contains([]string{"FILE", "PATH", "DIR", "SOCK", "URL", "ID", "NAME", "HOME", "COMMAND", "TTL"}, words[len(words)-1]) {
		return false
	}
	return slices.ContainsFunc(words, secretWord)
}

func secretWord(word string) bool {
	switch word {
	case "KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PWD", "PAT", "PIN",
		"CREDENTIAL", "CREDENTIALS", "AUTH", "AUTHORIZATION", "COOKIE", "PRIVATE", "DSN", "SIGNATURE",
		"TOKENS", "SECRETS", "KEYS", "PASSWORDS":
		return true
	}
	for _, end := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD"} { // APIKEY, GHTOKEN, PGPASSWORD
		if strings.HasSuffix(word, end) && !slices.Contains([]string{"MONKEY", "TURKEY", "HOTKEY"}, word) {
			return true
		}
	}
	return false
}

// secretsIn returns what of a variable's value is secret: all of it, its lines, or
// the password of a URL.
func secretsIn(name, text string) []string {
	if name == "PWD" || name == "OLDPWD" {
		return nil
	}
	if u, err := url.Parse(text); err == nil && u.User != nil {
		if password, ok := u.User.Password(); ok && len(password) >= shortest {
			return []string{password}
		}
	}
	if !Named(name) || !telling(text) {
		return nil
	}
	found := []string{strings.TrimSpace(text)}
	if lines := strings.Split(text, "\n"); len(lines) > 1 { // logs are written line by line
		for _, line := range lines {
			if line = strings.TrimSpace(line); telling(line) && !strings.HasPrefix(line, "-----") {
				found = append(found, line)
			}
		}
	}
	return found
}

// telling reports whether a value is more than a setting.
func telling(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < shortest || filepath.IsAbs(text) && !strings.ContainsAny(text, "\n+=") {
		return false
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil && len(text) < 2*shortest {
		return false
	}
	return true
}
