package proxy

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Host{
		"registry.npmjs.org":   {name: "registry.npmjs.org"},
		"Registry.NPMJS.org.":  {name: "registry.npmjs.org"},
		"proxy.golang.org:443": {name: "proxy.golang.org", port: 443},
		"*.example.com":        {name: "example.com", below: true},
		"*.example.com:8443":   {name: "example.com", below: true, port: 8443},
		"10.1.2.3":             {name: "10.1.2.3"},
		"[2001:DB8::1]:8080":   {name: "2001:db8::1", port: 8080},
		"2001:db8::1":          {name: "2001:db8::1"},
		"localhost:11434":      {name: "localhost", port: 11434},
		"[::1]:5432":           {name: "::1", port: 5432},
		"my_host":              {name: "my_host"},
	} {
		got, err := Parse(text)
		assert.NoError(t, err, "%q", text)
		assert.Equal(t, want, got, "%q", text)
	}
	for _, text := range []string{
		"", ".", "*", "*.", "**.example.com", "a.*.com", "*example.com", "https://example.com", "example.com/x", "a@example.com", "example.com:0",
		"example.com:http", "example.com:70000", "a b", "exämple.com", "0x7f000001", "127.1", "1.2.3.4.5", "*.10.0.0.1", "a..b",
		"fe80::1%eth0", strings.Repeat("a", 64) + ".com", strings.Repeat("a.", 127) + "com", "a\nb",
	} {
		got, err := Parse(text)
		assert.Error(t, err, "%q: %+v", text, got)
		assert.Contains(t, err.Error(), "invalid host", "%q: %+v", text, got)
	}
	for _, text := range []string{"localhost", "127.0.0.1", "127.9.9.9", "::1", "LOCALHOST."} {
		got, err := Parse(text)
		assert.Error(t, err, "%q: %+v", text, got)
		assert.Contains(t, err.Error(), "needs a port", "%q: %+v", text, got)
	}
}

func TestHost_allows(t *testing.T) {
	t.Parallel()
	type target struct {
		name  string
		port  uint16
		usual uint16
	}
	for text, targets := range map[string]map[target]bool{
		"example.com": {
			{"example.com", 443, 443}: true, {"example.com", 80, 80}: true, {"example.com", 80, 443}: false, {"example.com", 443, 80}: false,
			{"example.com", 22, 443}: false, {"a.example.com", 443, 443}: false, {"notexample.com", 443, 443}: false, {"example.com.evil.org", 443, 443}: false,
		},
		"*.example.com": {
			{"a.example.com", 443, 443}: true, {"a.b.example.com", 443, 443}: true, {"example.com", 443, 443}: false,
			{"notexample.com", 443, 443}: false, {"a.notexample.com", 443, 443}: false,
		},
		"example.com:8080": {{"example.com", 8080, 443}: true, {"example.com", 8080, 80}: true, {"example.com", 443, 443}: false, {"example.com", 80, 80}: false},
		"10.0.0.1":         {{"10.0.0.1", 443, 443}: true, {"10.0.0.10", 443, 443}: false, {"::ffff:10.0.0.1", 443, 443}: false},
	} {
		h, err := Parse(text)
		assert.NoError(t, err)
		for at, want := range targets {
			assert.Equal(t, want, h.allows(at.name, at.port, at.usual), "%s: %+v", text, at)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"a.com", "*.a.com:1", "[::1]:2", "%", "1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := Parse(text)
		if err != nil {
			return
		}
		assert.NotEqual(t, "", h.name, "%q", text)
		assert.Equal(t, canonicalHost(h.name), h.name, "%q", text)
		assert.False(t, strings.ContainsAny(h.name, "/@* "), "%q: %+v", text, h)
	})
}
