package jetstream

import "testing"

// TestAtLeast: versions are compared by their numbers; one that cannot be read is accepted.
func TestAtLeast(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"2.11.0": true, "2.11.3": true, "2.15.2": true, "3.0.0": true, "2.11.0-beta.1": true, "2.12.0-RC.1": true,
		"2.10.29": false, "2.9.25": false, "1.99.99": false, "2.10.99-x": false,
		"": true, "dev": true, "2.11": true, "2.x.1": true,
	} {
		if got := atLeast(version, oldest); got != want {
			t.Errorf("%q: %t, want %t", version, got, want)
		}
	}
}

// FuzzAtLeast: no text of a server makes it fail.
func FuzzAtLeast(f *testing.F) {
	f.Add("2.11.0-x")
	f.Fuzz(func(t *testing.T, version string) {
		if n, err := numbers(version); err == nil && n[0] > 2 && !atLeast(version, oldest) {
			t.Errorf("%q", version)
		}
	})
}

// TestCheckURLs: URLs that cannot be used are refused, and no password is shown.
func TestCheckURLs(t *testing.T) {
	t.Parallel()
	for servers, want := range map[string]string{
		"nats://a:4222":                    "",
		"tls://a.b:1, nats://u:p@[::1]:2":  "",
		"nats://a":                         "",
		"":                                 `invalid URL "" (use nats://host:port or tls://host:port)`,
		"a:4222":                           `invalid URL "a:4222" (use nats://host:port or tls://host:port)`,
		"http://a":                         `invalid URL "http://a" (use nats://host:port or tls://host:port)`,
		"nats://a,":                        `invalid URL "" (use nats://host:port or tls://host:port)`,
		"nats://a,http://user:p@ss@host:1": `invalid URL "http://host:1" (use nats://host:port or tls://host:port)`,
	} {
		got := ""
		if err := checkURLs(servers); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", servers, got, want)
		}
	}
	if got := redact("nats://u:p@a:1,tls://b:2"); got != "nats://a:1,tls://b:2" {
		t.Errorf("%q", got)
	}
}
