package secret

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"OPENAI_API_KEY": true, "GITHUB_TOKEN": true, "PGPASSWORD": true, "MYSQL_PWD": true, "npm_config__authToken": true,
		"AWS_SECRET_ACCESS_KEY": true, "APIKEY": true, "SESSION_COOKIE": true, "gh-token": true,
		"SSH_AUTH_SOCK": false, "GOOGLE_APPLICATION_CREDENTIALS_FILE": false, "KEYBOARD": false, "AWS_ACCESS_KEY_ID": false,
		"PATH": false, "": false, "MONKEY": false, "SSH_ASKPASS": false, "GIT_CONFIG_KEY_0": false, "BYPASS": false, "SSHPASS": true, "MY_CONN_STR": true, "WEBHOOK_URL": true, "TOKENIZER": false, "TOKEN_URL": false, "CHANT_RUN_ID": false,
		"TOKEN1": true, "DB_PASSWORD2": true, "MYTOKENS": true, "REFRESHTOKENX": true, "SECRETKEY1": true, "VAULT_SECRET_ID": true, "MY_TOKEN_ID": false,
		"HF_TOKENIZERS_PARALLELISM": false, "BYPASS2": false,
	} {
		assert.Equal(t, want, Named(name), "Named(%q)", name)
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
		assert.Equal(t, want, r.Text(text), "%q", text)
		assert.Equal(t, want, string(r.Bytes([]byte(text))), "bytes of %q", text)
	}
	var none *Redactor
	assert.Equal(t, "x", none.Text("x"), "nil redactor changes a text")
	assert.Equal(t, "x", string(none.Bytes([]byte("x"))), "nil redactor changes a text")
	assert.Equal(t, "xy", inPieces(t, none, "x", "y"), "nil redactor changes what passes through it")
	assert.Equal(t, "xy", inPieces(t, From(), "x", "y"), "nil redactor changes what passes through it")
}

// TestRedactor_found holds what is found in which variable.
func TestRedactor_found(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entry, leak string }{
		{`DB_URL=postgres://ann:abSECRETRAW%40x$y2@db/shop`, `abSECRETRAW%40x$y2`},
		{`DB_URL=postgres://ann:abSECRETRAW%40x$y2@db/shop`, `abSECRETRAW@x$y2`},
		{`DB_URL=postgres://ann:abSECRETRAW%40x$y2@db/shop`, `abSECRETRAW%40x%24y2`},
		{`DB_URL=postgres://ann:ab%2FSECRETRAW@db/shop`, `ab%2fSECRETRAW`},
		{`DB_URL=postgres://ann:ab%2fSECRETRAW@db/shop`, `ab%2FSECRETRAW`},
		{`DB2_URL=postgres://ann:pa#SECRET2/word@db/shop?a=b@c`, `pa#SECRET2/word`},
		{`DB2_URL=postgres://ann:p@ss/SECRETword@db/shop`, `p@ss/SECRETword`},
		{`DB2_URL=mysql://ann:1234/SECRETword@db/shop`, `1234/SECRETword`},
		{`DB3_URL=ann:SECRETpw7@tcp(db:3306)/x`, `SECRETpw7`},
		{`DB3_URL=ann:SECRET@pw7@tcp(db:3306)/x?y=z`, `SECRET@pw7`},
		{`DB4_URL=ann:SECRETpw7@db:5432/x`, `SECRETpw7`},
		{`DATABASE=host=db user=ann password=SECRETpw7`, `SECRETpw7`},
		{`BROKERS=amqp://a:SECRETone1@x:1,amqp://b:SECRETtwo2@y:1`, `SECRETone1`},
		{`BROKERS=amqp://a:SECRETone1@x:1,amqp://b:SECRETtwo2@y:1`, `SECRETtwo2`},
		{`REMOTE=https://ghp_SECRETtoken@github.com/a/b`, `ghp_SECRETtoken`},
		{`REMOTE=https://ghp_SECRETtoken:x-oauth-basic@github.com/a/b`, `ghp_SECRETtoken`},
		{`REMOTE=https://0123456789abcdef0123456789abcdef@sentry.example/1`, `0123456789abcdef0123456789abcdef`},
		{`GIT_CONFIG_KEY_0=url.https://ann:SECRETtoken1@github.com/.insteadOf`, `SECRETtoken1`},
		{`AWS_SECRET_ACCESS_KEY=/SECRETAWS5abcdefghijklmnopqrstuvwxyz0123`, `/SECRETAWS5abcdefghijklmnopqrstuvwxyz0123`},
		{`AWS_SECRET_ACCESS_KEY=/aB3dEfGhIjKlMnOp/QrStUvWxYz0123456789aBc`, `/aB3dEfGhIjKlMnOp/QrStUvWxYz0123456789aBc`},
		{`SSHPASS=SECRETpw7`, `SECRETpw7`},
		{`JWT=eyJSECRET.eyJ.x`, `eyJSECRET.eyJ.x`},
		{`STORE_CONNECTION_STRING=Server=db;AccountKey=SECRETab==;X=y`, `SECRETab==`},
		{`STORE_CONN_STR=SECRETconnection1`, `SECRETconnection1`},
		{`SLACK_WEBHOOK_URL=https://hooks.example/T0/B0/SECRET`, `https://hooks.example/T0/B0/SECRET`},
		{"ANTHROPIC_CUSTOM_HEADERS=X-Api-Key: SECRETheader1\nAccept: text/html", `SECRETheader1`},
		{"OTEL_HEADERS=api-key=SECRETheader1,x-b=Bearer SECRETheader2", `SECRETheader2`},
		{`GIT_CONFIG_VALUE_0=AUTHORIZATION: basic U0VDUkVUdXNlcjpTRUNSRVRwdzc=`, `U0VDUkVUdXNlcjpTRUNSRVRwdzc=`},
		{`GIT_CONFIG_VALUE_0=AUTHORIZATION: basic U0VDUkVUdXNlcjpTRUNSRVRwdzc=`, `SECRETpw7`},
		{`UNI_KEY=SECRET-ä-😀-<x>`, `SECRET-\u00e4-\ud83d\ude00-<x>`},
		{`UNI_KEY=SECRET-ä-😀-<x>`, `SECRET-\u00E4-\uD83D\uDE00-\u003Cx\u003E`},
		{`UNI_KEY=SECRET-ä-😀-<x>`, `SECRET-ä-😀-\u003cx\u003e`},
		{`DB_PASSWORD=hunter"2\SECRET`, `hunter\\\"2\\\\SECRET`},
		{"SIGN_KEY=SECRET1\nabcdef2\nabcdef3", `SECRET1\\nabcdef2\\nabcdef3`},
		{`UNI_KEY=SECRET-ä-<x>`, `SECRET-\\u00e4-\\u003cx\\u003e`},
		{`PHP_KEY=SECRET/one/two`, `SECRET\/one\/two`},
		{`API_KEYS=SECRETone1,SECRETtwo2`, `SECRETtwo2`},
		{`API_KEYS=SECRETone1;SECRETtwo2`, `SECRETtwo2`},
		{`API_KEYS=SECRETone1 SECRETtwo2`, `SECRETtwo2`},
		{`TWO_PASSPHRASE=two  spaces  SECRETPP14`, `two spaces`},
		{"GOOGLE_CREDENTIALS={\"type\": \"service_account\", \"private_key\": \"-----BEGIN KEY-----\\nSECRETline1\\n-----END KEY-----\\n\"}", `SECRETline1`},
	} {
		text := "in " + c.leak + " SECRETPP14 out"
		got := From(c.entry).Text(text)
		assert.NotContains(t, got, c.leak, "%s", c.entry)
		assert.Contains(t, got, "redacted]", "%s", c.entry)
		assert.HasPrefix(t, got, "in [", "%s", c.entry)
	}
	if got := From("GIT_CONFIG_KEY_1=sendemail.smtpPass", "GIT_CONFIG_VALUE_1=SECRETpw7").Text("SECRETpw7"); got != "[GIT_CONFIG_VALUE_1 redacted]" {
		t.Errorf("password of git: %q", got)
	}
}

// TestRedactor_left lists values that are not secrets, whatever the names of their variables.
func TestRedactor_left(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		"SSL_KEY=/etc/ssl/private/key.pem", "SIGN_KEY=/home/Ann2/keys/signing", "TLS_KEY=/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/key", "DEPLOY_KEY=/tmp/TestRun12345/001/key",
		"IMAGE=docker://registry:5000/some/image@sha256:abcdef", "IMAGE=registry:5000/some/image@sha256:12ab34", "PACKAGE=npm:typescript@5.0.0",
		"REPO=git@github.com:some/repository.git", "REPO=ssh://git@github.com/some/repository", "URL=https://host.example/package@v1.2.3",
		"PATH=/usr/local/bin:/opt/some@1/bin", "BYPASS=everything-else", "EDITOR_TOKEN=true", "BUILD_KEY=12345678",
		"NOTE=see https://host.example/page and mail somebody@host.example", "CUSTOM_HEADERS=Accept: application/json", "PROXY=http://proxy.example:3128",
	} {
		_, text, _ := strings.Cut(entry, "=")
		assert.Equal(t, text, From(entry).Text(text), "%s", entry)
	}
	credentials := From("GOOGLE_CREDENTIALS={\"type\": \"service_account\", \"project_id\": \"x\"}")
	if text := `"service_account", "project_id": "y"`; credentials.Text(text) != text {
		t.Errorf("words of JSON: %q", credentials.Text(text))
	}
}

// TestRedactor_overlap holds that of values that overlap no end stays.
func TestRedactor_overlap(t *testing.T) {
	t.Parallel()
	r := From("A_KEY=abcdefgh1", "B_KEY=efgh1ijkl", "C_KEY=abcdefgh1-longer-part")
	for text, want := range map[string]string{
		"x abcdefgh1ijkl y":          "x [A_KEY redacted][B_KEY redacted] y",
		"x abcdefgh1-longer-part y":  "x [C_KEY redacted] y",
		"x abcdefgh1-longer-pary":    "x [A_KEY redacted]-longer-pary",
		"x abcdefgh1abcdefgh1ijkl y": "x [A_KEY redacted][A_KEY redacted][B_KEY redacted] y",
	} {
		assert.Equal(t, want, r.Text(text), "%q", text)
	}
	assert.Equal(t, "cut at ", r.Whole("cut at abcdefgh1-lon"))
	assert.Equal(t, "not cut", r.Whole("not cut"))
}

// TestWriter_pieces cuts texts at every place: the pieces become what the whole does.
func TestWriter_pieces(t *testing.T) {
	t.Parallel()
	r := From("A_KEY=abcabcabd", "B_KEY=abcabcab", "C_KEY=abcabcab-longer-part", "D_KEY=bcabd\nabcab", "E_KEY=11111111x1111111")
	for _, text := range []string{
		"xabcabcabd abcabc abcabcabcabd\nabcabcab", "abcabcab-longer-part", "abcabcab-longer-par", "abcabcab-lonabcabcab", "11111111x11111111x1111111 11111111x",
	} {
		whole := r.Text(text)
		for i := range len(text) {
			for j := i; j <= len(text); j++ {
				assert.Equal(t, whole, inPieces(t, r, text[:i], text[i:j], text[j:]), "cut at %d and %d", i, j)
			}
		}
	}
}

func inPieces(t *testing.T, r *Redactor, pieces ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := r.Writer(&out)
	for _, piece := range pieces {
		n, err := w.Write([]byte(piece))
		assert.Equal(t, len(piece), n)
		assert.NoError(t, err)
	}
	assert.NoError(t, w.Flush())
	return out.String()
}

// FuzzWriter holds that pieces become what the whole does.
func FuzzWriter(f *testing.F) {
	f.Add("abcabcabd", "abcabcab", "xabcabcabcabd", uint(3), uint(7))
	f.Fuzz(func(t *testing.T, a, b, text string, i, j uint) {
		r := From("A_KEY="+a, "B_KEY="+b)
		text += a + b
		i %= uint(len(text) + 1)
		j = i + j%(uint(len(text))-i+1)
		if got := inPieces(t, r, text[:i], text[i:j], text[j:]); got != r.Text(text) {
			t.Errorf("%q, want %q", got, r.Text(text))
		}
	})
}

// FuzzRedactor holds that a secret is gone, and that a text without one stays.
func FuzzRedactor(f *testing.F) {
	f.Add("secret-one", "text with ", " in it")
	f.Add("a\"b\\c<d>e&", `{"x":"`, `"}`)
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		secret = "\x01" + strings.TrimSpace(secret) + "\x02" // in no place of a secret
		r := From("MY_KEY=" + secret)
		got := r.Text(before + secret + after)
		assert.False(t, len(r.values()) > 0 && strings.Contains(got, secret), "%q still holds %q", got, secret)
		text := strings.NewReplacer("\x01", "", "%", "").Replace(before)
		assert.False(t, r.Text(text) != text && !strings.Contains(text, `\u0001`), "%q has changed", text)
	})
}

// TestFind names variables and lines.
func TestFind(t *testing.T) {
	t.Parallel()
	r := From("API_TOKEN=s3cr3t-value", "DB_PASSWORD=correct-horse")
	got := r.Find("a\ns3cr3t-value s3cr3t-value\n\ncorrect-horse\ns3cr3t-value")
	want := []Found{{"API_TOKEN", 2}, {"DB_PASSWORD", 4}, {"API_TOKEN", 5}}
	assert.Equal(t, want, got)
	got = r.Find("nothing")
	assert.True(t, got == nil, "got %v, want nothing", got)
	if !r.Any() || From("PATH=/bin").Any() {
		t.Errorf("got %v and %v, want true and false", r.Any(), From("PATH=/bin").Any())
	}
}
