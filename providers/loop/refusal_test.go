package loop

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestAgent_words: the text of a 200 that is not an answer is in the reason, in
// every wire form, and tried again.
func TestAgent_words(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, want string }{
		"event":         {"event: error\ndata: {\"message\":\"overloaded now\"}\n\n", "overloaded now"},
		"event, cut":    {"event: error\ndata: {\"message\":\"overloaded now\"}", "overloaded now"},
		"event, lines":  {"event: error\ndata: {\ndata: \"error\": \"overloaded now\"}\n\n", "overloaded now"},
		"array":         {`[{"error":{"code":503,"message":"API key not valid"}}]`, "the server broke off: API key not valid"},
		"pretty array":  {"[\n{\"error\":{\n\"message\":\"API key not valid\"}}\n]", "the server broke off: API key not valid"},
		"pretty object": {"{\n\"error\":{\n\"message\":\"API key not valid\"}}\n", "the server broke off: API key not valid"},
		"page":          {"<html>Please log in to the proxy</html>", "the server broke off: Please log in to the proxy"},
		"long page": {"\n<!DOCTYPE html>\n<html><head><style>" + strings.Repeat("a{}\n", 2000) + "</style></head>\n<body><p>Please\nlog in</p></body></html>",
			"the server broke off: Please log in"},
		"plain text": {"upstream has gone\naway", "upstream has gone away"},
		"controls":   {"upstream\x1b[31m\x00 has gone", "upstream [31m has gone"},
		"nothing":    {"", "the stream ended before it did"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			everyAPI(t, func(t *testing.T, api string) {
				s := serve(t, api)
				none := 1
				s.broken = []http.HandlerFunc{status(200, test.body), status(200, test.body)}
				a, out := agentFor(t, s)
				a.Config.MaxRetries = &none
				err := a.Run(context.Background(), "Go.")
				reason := out.finished(t).Reason
				assert.Error(t, err)
				assert.Contains(t, reason, test.want)
				assert.False(t, strings.ContainsAny(reason, "\x00\x1b\n"), "%q, want %q", reason, test.want)
				assert.True(t, len(reason) <= 2*wordsLimit, "%q, want %q", reason, test.want)
				assert.Equal(t, 1, len(out.ofKind(t, sayRetry)))
			})
		})
	}
}

// TestAgent_refusedWithin: what a server would refuse again is not asked again, though it
// says so in an answer of 200.
func TestAgent_refusedWithin(t *testing.T) {
	t.Parallel()
	for body, retries := range map[string]int{
		`{"error":{"code":402,"message":"no credits"}}`:             0,
		`{"error":{"code":"401","message":"no key"}}`:               0,
		`[{"error":{"status":404,"message":"no model"}}]`:           0,
		`{"type":"error","error":{"type":"invalid_request_error"}}`: 0,
		`{"code":413,"error":"too long"}`:                           0,
		`{"error":{"code":429,"message":"too often"}}`:              1,
		`{"error":{"code":408,"message":"too slow"}}`:               1,
		`{"error":{"code":502,"message":"no upstream"}}`:            1,
		`{"error":{"type":"overloaded_error"}}`:                     1,
		`{"error":{"code":7}}`:                                      1,
		`{"error":{"code":"model_busy"}}`:                           1,
		`{"error":"gone"}`:                                          1,
	} {
		everyAPI(t, func(t *testing.T, api string) {
			s := serve(t, api)
			none := 1
			s.broken = []http.HandlerFunc{status(200, body), status(200, body)}
			a, out := agentFor(t, s)
			a.Config.MaxRetries = &none
			if err := a.Run(context.Background(), "Go."); err == nil || len(out.ofKind(t, sayRetry)) != retries {
				t.Errorf("%s: %v after %d retries, want %d", body, err, len(out.ofKind(t, sayRetry)), retries)
			}
		})
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"{\"error\":{\"message\":\"\\u001b[2Jgone\\u0000\\nand away\"}}": "[2Jgone and away",
		"\x1b]0;title\x07 text\xff":                                      "]0;title text?",
		"right\u202eleft":                                                "right left",
		`{"error":{"code":7}}`:                                           `{"error":{"code":7}}`,
		`["sorry"]`:                                                      `"sorry"`,
		`[]`:                                                             `[]`,
		"<p></p>":                                                        "<p></p>",
		"":                                                               "",
		strings.Repeat("x", wordsLimit+10):                               strings.Repeat("x", wordsLimit) + "…",
	} {
		assert.Equal(t, want, words([]byte(body)), "%q", body)
	}
}
