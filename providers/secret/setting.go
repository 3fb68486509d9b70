package secret

import "strings"

// InSetting reports whether a setting of git, with its value, holds a secret: a header of requests, what concerns credentials,
// an address with a password in its name or value, or a value that is a secret by the name of the setting.
func InSetting(key, value string) bool {
	lower := strings.ToLower(key)
	last := key[strings.LastIndexByte(key, '.')+1:]
	switch {
	// A helper may be a command with the password in it.
	case strings.HasPrefix(lower, "credential."), strings.HasPrefix(lower, "http.") && strings.HasSuffix(lower, ".extraheader"):
		return true
	case len(addressSecrets(key))+len(addressSecrets(value)) > 0:
		return true
	// It identifies a key, and agents sign their commits by it.
	case lower == "user.signingkey":
		return false
	}
	// The middle of a name is that of a branch or remote, which may be called "token".
	return len(secretsIn(last, last, value)) > 0
}
