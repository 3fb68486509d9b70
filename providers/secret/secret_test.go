package secret

import (
	"bytes"
	"strings"
	"testing"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"OPENAI_API_KEY": true, "GITHUB_TOKEN": true, "PGPASSWORD": true, "MYSQL_PWD": true, "npm_config__authToken": true,
		"AWS_SECRET_ACCESS_KEY": true, "APIKEY": true, "SESSION_COOKIE": true, "gh-token": true,
		"SSH_AUTH_SOCK": false, "GOOGLE_APPLICATION_CREDENTIALS_FILE": false, "KEYBOARD": false, "AWS_ACCESS_KEY_ID": false,
		"PATH": false, "": false, "MONKEY": false, "TOKENIZER": false, "TOKEN_URL": false, "CHANT_RUN_ID": false,
	} {
		if got := Named(name); got != want {
			t.Errorf("Named(%q) = %v", name, got)
		}
	}
}

func TestRedactor(t *testing.T) {
	t.Parallel()
	r := From("API_KEY=s3cr3t-value", `DB_PASSWORD=pa"ss&word/1`, "DATABASE_URL=postgres://ann:correct-horse@db/x", "EDITOR_TOKEN=true",
		"PIN_KEY=12345678", "CERT_KEY=/etc/ssl/key.pem", "NAME=s3cr3t", "SHORT_KEY=abc", "SIGN_KEY=-----BEGIN KEY-----\nAAAABBBBCCCC\n-----END KEY-----\n",
		"LONG_KEY=s3cr3t-value-longer", "PWD=/home/ann/somewhere", "not a variable")
	for text, want := range map[string]string{
		"key s3cr3t-value.":                    "key [API_KEY redacted].",
		"s3cr3t-value-longer":                  "[LONG_KEY redacted]",
		`{"p":"pa\"ss&word/1"}`:                `{"p":"[DB_PASSWORD redacted]"}`,
		"?p=pa%22ss%26word%2F1":                "?p=[DB_PASSWORD redacted]",
		"postgres://ann:correct-horse@db/":     "postgres://ann:[DATABASE_URL redacted]@db/",
		"line AAAABBBBCCCC of a key":           "line [SIGN_KEY redacted] of a key",
		"-----BEGIN KEY-----":                  "-----BEGIN KEY-----",
		"true 12345678 abc s3cr3t":             "true 12345678 abc s3cr3t",
		"/etc/ssl/key.pem /home/ann/somewhere": "/etc/ssl/key.pem /home/ann/somewhere",
		"":                                     "",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got := string(r.Bytes([]byte(text))); got != want {
			t.Errorf("bytes of %q: got %q, want %q", text, got, want)
		}
	}
	var none *Redactor
	if none.Text("x") != "x" || string(none.Bytes([]byte("x"))) != "x" {
		t.Error("nil redactor changes a text")
	}
}

// TestWriter_pieces cuts a text at every place.
func TestWriter_pieces(t *testing.T) {
	t.Parallel()
	r := From("A_KEY=abcabcabd", "B_KEY=abcabcab")
	const text = "xabcabcabd abcabc abcabcabcabd\nabcabcab"
	for i := range len(text) {
		for j := i; j <= len(text); j++ {
			var out bytes.Buffer
			w := r.Writer(&out)
			for _, piece := range []string{text[:i], text[i:j], text[j:]} {
				if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
					t.Fatal(n, err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(out.String(), "abcabcabd") || strings.Contains(out.String(), "abcabcab") {
				t.Fatalf("cut at %d and %d: %q", i, j, out.String())
			}
			if !strings.HasPrefix(out.String(), "x[") || strings.Count(out.String(), "redacted") != 3 {
				t.Fatalf("cut at %d and %d: %q", i, j, out.String())
			}
		}
	}
}

// FuzzRedactor holds that a secret is gone, and that a text without one stays.
func FuzzRedactor(f *testing.F) {
	f.Add("secret-one", "text with ", " in it")
	f.Add("a\"b\\c<d>e&", `{"x":"`, `"}`)
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		secret = "\x01" + strings.TrimSpace(secret) + "\x02" // in no place that stands for one
		r := From("MY_KEY=" + secret)
		if got := r.Text(before + secret + after); len(r.values) > 0 && strings.Contains(got, secret) {
			t.Errorf("%q still holds %q", got, secret)
		}
		if text := strings.NewReplacer("\x01", "", "%", "").Replace(before); r.Text(text) != text && !strings.Contains(text, `\u0001`) {
			t.Errorf("%q has changed", text)
		}
	})
}
