package hub

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestSelfSigned: files are kept while they are good, and a certificate is made again for other hosts or near its end.
func TestSelfSigned(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "tls")
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	read := func(hosts []string, now time.Time) (cert, authority string) {
		t.Helper()
		made, err := selfSigned(folder, hosts, now)
		assert.NoError(t, err)
		text, err := os.ReadFile(made.authorityFile)
		assert.NoError(t, err)
		for _, key := range []string{"hub.key", "authority.key"} {
			if info, err := os.Stat(filepath.Join(folder, key)); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
				t.Errorf("%s: %v, %v, want that only its owner can read it", key, info.Mode(), err)
			}
		}
		return string(made.config.Certificates[0].Certificate[0]), string(text)
	}
	first, authority := read([]string{"hub.example"}, now)
	again, a := read([]string{"hub.example"}, now.Add(24*time.Hour))
	assert.Equal(t, first, again, "a good certificate was made again")
	assert.Equal(t, authority, a, "a good certificate was made again")
	second, a := read([]string{"hub.example", "10.0.0.1"}, now)
	assert.NotEqual(t, first, second, "the certificate does not change with the hosts, or the authority does")
	assert.Equal(t, authority, a, "the certificate does not change with the hosts, or the authority does")
	other, _ := read([]string{"other.example"}, now)
	assert.NotEqual(t, second, other, "the certificate does not change with the hosts")
	if again, _ := read([]string{"hub.example", "10.0.0.1"}, now); hosts(t, again) != "other.example hub.example 10.0.0.1" {
		t.Errorf("the certificate is for %q: a server that runs has lost its hosts", hosts(t, again))
	}
	third, a := read([]string{"hub.example"}, now.Add(700*24*time.Hour))
	assert.NotEqual(t, second, third, "the certificate does not change near its end, or the authority does")
	assert.Equal(t, authority, a, "the certificate does not change near its end, or the authority does")
}

// hosts lists the hosts of a certificate.
func hosts(t *testing.T, raw string) string {
	t.Helper()
	c, err := x509.ParseCertificate([]byte(raw))
	assert.NoError(t, err)
	all := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	return strings.Join(all, " ")
}
