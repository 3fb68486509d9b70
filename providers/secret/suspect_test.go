package secret

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSuspect(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"core": false, "": false, "https://example.com/a:b": false, "feature/a-rather-long-name-of-a-branch-2026": false, "ada@example.com": false,
		"postgres://u:pw@h/db": true, "see redis://:pw@h": true, "npm_abc": true, "AKIAABCDEFGH": true, "token=ghp_abc": true,
		"0123456789abcdef0123456789abcdef": true, "0123456789abcdef": false, "dGhpcyBpcyBhIHNlY3JldCB0aGF0IGlzIGxvbmcx": true,
	} {
		assert.Equal(t, want, Suspect(text), "%v", !want)
	}
}

func TestSuspectName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"TEAM": false, "CI_PIPELINE": false, "DB_PW": true, "DBPW": true, "DB_PASS": true, "PASSWORD": true, "API_KEY": true, "KEYFILE": true,
		"MY_TOKEN_2": true, "client_secret": true, "SPAWN": false,
	} {
		assert.Equal(t, want, SuspectName(name), "%v", !want)
	}
}
