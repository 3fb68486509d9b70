package secret

import (
	"slices"
	"strings"
)

// Named reports whether the name of a variable says that its value is a secret.
func Named(name string) bool {
	words := wordsOf(name)
	// GIT_CONFIG_KEY_ is the name of a setting, not a key.
	if len(words) == 0 || strings.HasPrefix(name, "GIT_CONFIG_KEY_") {
		return false
	}
	if whole := "_" + strings.Join(words, "_") + "_"; strings.Contains(whole, "_WEBHOOK_URL_") ||
		strings.HasSuffix(whole, "_CONNECTION_STRING_") || strings.HasSuffix(whole, "_CONN_STR_") {
		return true
	}
	// The secret id of Vault is a password.
	if strings.HasSuffix(strings.Join(words, "_"), "SECRET_ID") {
		return true
	}
	// Such a variable says where a secret is, and its value is needed in logs.
	if slices.Contains([]string{"FILE", "PATH", "DIR", "SOCK", "URL", "ID", "NAME", "HOME", "COMMAND", "TTL"}, words[len(words)-1]) {
		return false
	}
	return slices.ContainsFunc(words, secretWord)
}

func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToUpper(name), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
}

func secretWord(word string) bool {
	// There may be several of a kind: TOKEN1, PASSWORD2.
	word = strings.TrimRight(word, "0123456789")
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
	// GHTOKEN counts, TOKENIZER does not.
	_, behind, found := strings.Cut(word, "TOKEN")
	return found && !strings.HasPrefix(behind, "IZ") && !strings.HasPrefix(behind, "IS")
}

// holdsHeaders reports whether a variable is a list of headers.
func holdsHeaders(name string) bool {
	words := wordsOf(name)
	return len(words) > 1 && words[len(words)-1] == "HEADERS"
}
