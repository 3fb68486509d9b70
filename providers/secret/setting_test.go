package secret

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestInSetting(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, value string
		want       bool
	}{
		{"http.extraHeader", "Authorization: Bearer abc", true},
		{"http.https://example.com/.extraheader", "X: y", true},
		{"HTTP.ExtraHeader", "X: y", true},
		{"credential.helper", "!f() { echo password=x; }; f", true},
		{"credential.https://example.com.username", "ann", true},
		{"url.https://ann:pw@example.com/.insteadOf", "https://example.com/", true},
		{"url.https://ghp_0123456789abcdef@github.com/.insteadOf", "https://github.com/", true},
		{"remote.origin.url", "https://ann:hunter22@example.com/x.git", true},
		{"http.proxy", "http://ann:pw@proxy:8080", true},
		{"sendemail.smtpPass", "hunter22", true},
		{"github.token", "0123456789abcdef", true},
		{"url.git@github.com:.insteadOf", "https://github.com/", false},
		{"url.ssh://git@github.com/.insteadOf", "https://github.com/", false},
		{"user.signingKey", "0123456789ABCDEF0123456789ABCDEF01234567", false},
		{"http.sslKey", "/home/ann/key.pem", false},
		{"http.sslVerify", "false", false},
		{"branch.fix-token.merge", "refs/heads/fix-token", false},
		{"user.name", "Ann O'Neil", false},
		{"safe.directory", "/work/repo", false},
		{"", "", false},
	} {
		assert.Equal(t, c.want, InSetting(c.key, c.value), "%s=%s", c.key, c.value)
	}
}
