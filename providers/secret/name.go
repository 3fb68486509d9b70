package secret

import (
	"slices"
	"strings"
)

// Named reports whether the name of a variable says that its value is a secret.
func Named(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 || strings.HasPrefix(name, "GIT_CONFIG_KEY_") { // which is the name of a setting
		return false
	}
	if whole := "_" + strings.Join(words, "_") + "_"; strings.Contains(whole, "_WEBHOOK_URL_") ||
		strings.HasSuffix(whole, "_CONNECTION_STRING_") || strings.HasSuffix(whole, "_CONN_STR_") {
		return true
	}
	if strings.HasSuffix(strings.Join(words, "_"), "SECRET_ID") { // of Vault, which is a password
		return true
	}
	if slices.Contains([]string{"FILE", "PATH", "DIR", "SOCK", "URL", "ID", "NAME", "HOME", "COMMAND", "TTL"}, words[len(words)-1]) {
		return false
	}
	return slices.ContainsFunc(words, secretWord)
}

func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToUpper(name), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
}

func secretWord(word string) bool {
	word = strings.TrimRight(word, "0123456789") // of several of a kind: TOKEN1, PASSWORD2
	switch word {
	case "KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PWD", "PAT", "PIN",
		"CREDENTIAL", "CREDENTIALS", "AUTH", "AUTHORIZATION", "COOKIE", "PRIVATE", "DSN", "SIGNATURE",
		"KEYS", "JWT", "WEBHOOK", "CONNECTIONSTRING", "CONNSTR":
		return true
	}
	for _, part := range []string{"SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "APIKEY"} { // PGPASSWORD, REFRESHSECRETS
		if strings.Contains(word, part) {
			return true
		}
	}
	for _, end := range []string{"KEY", "PASS"} { // ACCESSKEY, SSHPASS
		if strings.HasSuffix(word, end) && !slices.Contains([]string{"MONKEY", "TURKEY", "HOTKEY", "BYPASS", "COMPASS", "ASKPASS"}, word) {
			return true
		}
	}
	_, behind, found := strings.Cut(word, "TOKEN") // GHTOKEN, but no TOKENIZER
	return found && !strings.HasPrefix(behind, "IZ") && !strings.HasPrefix(behind, "IS")
}

// holdsHeaders reports whether a variable is a list of headers.
func holdsHeaders(name string) bool {
	words := wordsOf(name)
	return len(words) > 1 && words[len(words)-1] == "HEADERS"
}
