package cli

import (
	"slices"
	"strings"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// report is what a CLI has printed in trouble: claude 2.1.328, codex 0.169.0, copilot 1.0.102, gemini 0.61.0, opencode 1.18.33
// and qwen 0.24.4 were run against a server that answers as the APIs do, or does not.
type report struct {
	form, trouble string
	out, err      string   // stdout, without what has no part in it, and stderr
	retries       []string // parts of the events that it asks again, in order
	refused       bool     // asking again cannot help
	reason        string   // a part of it
}

const (
	keyRefused  = "the model's API does not accept the key or login"
	modelUnseen = "the model's API does not know the model"
)

func reports() []report {
	const (
		wrongKey     = "Incorrect API key provided: dummy*****ests. You can find your API key at https://platform.openai.com/account/api-keys."
		noModel      = "The model `m` does not exist or you do not have access to it."
		opencodeLogs = `timestamp=2026-11-29T01:06:34.124Z level=ERROR run=ae5166f1 message="stream error" providerID=fake modelID=m session.id=ses_1 `
	)
	return []report{
		{
			form: "claude", trouble: "wrong key", retries: []string{"401 authentication_failed"}, refused: true, reason: "Failed to authenticate",
			out: `{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"retry_delay_ms":515,"error_status":401,"error":"authentication_failed","session_id":"s"}
{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"Failed to authenticate. API Error: 401 invalid x-api-key","session_id":"s"}`,
		},
		{
			form: "claude", trouble: "unknown model", refused: true, reason: modelUnseen,
			out: `{"type":"result","subtype":"success","is_error":true,"result":"There's an issue with the selected model (m). It may not exist or you may not have access to it. Run --model to pick a different model.","session_id":"s"}`,
		},
		{
			form: "claude", trouble: "cut", retries: []string{"attempt 4 of 10 in 4.9 s: unknown"}, reason: "no result event",
			out: `{"type":"system","subtype":"api_retry","attempt":4,"max_retries":10,"retry_delay_ms":4886,"error_status":null,"error":"unknown","session_id":"s"}`,
		},
		{
			form: "codex", trouble: "wrong key", retries: []string{"401 Unauthorized"}, refused: true, reason: keyRefused,
			out: `{"type":"error","message":"Reconnecting... 1/5 (unexpected status 401 Unauthorized: ` + wrongKey + `, url: http://127.0.0.1:1/v1/responses)"}
{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: ` + wrongKey + `, url: http://127.0.0.1:1/v1/responses"}}`,
		},
		{
			form: "codex", trouble: "unknown model", refused: true, reason: modelUnseen,
			out: `{"type":"error","message":"` + noModel + `"}
{"type":"turn.failed","error":{"message":"` + noModel + `"}}`,
		},
		{
			form: "codex", trouble: "dead server", retries: []string{"waiting for network"}, reason: "no end of the turn",
			out: `{"type":"error","message":"Reconnecting... waiting for network (Connection failed: error sending request)"}`,
		},
		{
			form: "copilot", trouble: "wrong key", retries: []string{"API error 401 invalid_api_key"}, refused: true, reason: keyRefused,
			out: `{"type":"model.call_failure","data":{"model":"m","statusCode":401,"retryAttempt":0,"isByok":true,"errorMessage":"{\"code\":\"invalid_api_key\",\"message\":\"` + wrongKey + `\"}"}}
{"type":"session.error","data":{"errorType":"authentication","message":"Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).\n  Check your COPILOT_PROVIDER_API_KEY.","statusCode":401}}
{"type":"result","sessionId":"s","exitCode":1}`,
		},
		{
			form: "copilot", trouble: "429", retries: []string{"try again in 20s"}, reason: "retried 5 times",
			out: `{"type":"model.call_failure","data":{"model":"m","statusCode":429,"retryAttempt":1,"isByok":true,"errorMessage":"{\"code\":\"rate_limit_exceeded\",\"message\":\"Rate limit reached for m. Please try again in 20s.\"}"}}
{"type":"session.error","data":{"errorType":"query","message":"Failed to get response from the AI model; retried 5 times (total retry wait time: 100.00 seconds) Last error: 429","statusCode":429}}
{"type":"result","sessionId":"s","exitCode":1}`,
		},
		{
			form: "gemini", trouble: "wrong key", refused: true, reason: keyRefused + " (API error 400: API key not valid. Please pass a valid API key.)",
			out: `{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: {\"error\":{\"code\":400,\"details\":[{\"reason\":\"API_KEY_INVALID\"}],\"message\":\"API key not valid. Please pass a valid API key.\",\"status\":\"INVALID_ARGUMENT\"}}]"}}`,
		},
		{
			form: "gemini", trouble: "unknown model", refused: true, reason: modelUnseen,
			out: `{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: models/m is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.]"}}`,
		},
		{
			form: "gemini", trouble: "429", retries: []string{"Attempt 1 failed: You exceeded", "Attempt 2 failed. Retrying with backoff..."}, reason: "no end of the session",
			err: "Attempt 1 failed: You exceeded your current quota, please check your plan and billing details. Please retry in 20.0s.\n" +
				"Suggested retry after 20s.. Retrying after 20596ms...\n" +
				"Attempt 2 failed. Retrying with backoff... Error: exception TypeError: fetch failed sending request",
		},
		{
			form: "gemini", trouble: "cut", reason: "[API Error: terminated]",
			out: `{"type":"result","status":"error","error":{"type":"unknown","message":"[API Error: terminated]"}}`,
		},
		{
			form: "opencode", trouble: "wrong key", retries: []string{"AI_APICallError: " + wrongKey}, refused: true, reason: keyRefused,
			out: `{"type":"error","sessionID":"ses_1","error":{"name":"APIError","data":{"message":"` + wrongKey + `","statusCode":401,"isRetryable":false}}}`,
			err: opencodeLogs + `small=true agent=title mode=primary error.error="AI_APICallError: of the title"` + "\n" +
				opencodeLogs + `small=false agent=build mode=primary error.error="AI_APICallError: ` + wrongKey + `"`,
		},
		{
			form: "opencode", trouble: "unknown model", refused: true, reason: modelUnseen,
			out: `{"type":"error","sessionID":"ses_1","error":{"name":"APIError","data":{"message":"` + noModel + `","statusCode":404,"isRetryable":false}}}`,
		},
		{
			form: "opencode", trouble: "dead server", retries: []string{"Cannot connect to API"}, reason: "no end of the session",
			err: opencodeLogs + `small=false agent=build mode=primary error.error="AI_APICallError: Cannot connect to API: Unable to connect. Is the computer able to access the url?"`,
		},
		{
			form: "qwen", trouble: "wrong key", refused: true, reason: keyRefused,
			out: `[log_0376f9] post http://127.0.0.1:1/v1/chat/completions failed with status 401 in 124ms - error; not retryable
{"type":"result","subtype":"error_during_execution","session_id":"s","is_error":true,"error":{"message":"[API Error: 401 ` + wrongKey + `]"}}`,
		},
		{
			form: "qwen", trouble: "wrong key, called a success", refused: true, reason: keyRefused,
			out: `{"type":"result","subtype":"success","session_id":"s","is_error":false,"result":"[API Error: 401 ` + wrongKey + `]"}`,
		},
		{
			form: "qwen", trouble: "unknown model", refused: true, reason: modelUnseen,
			out: `{"type":"result","subtype":"error_during_execution","session_id":"s","is_error":true,"error":{"message":"[API Error: 404 ` + noModel + `]"}}`,
		},
		{
			form: "qwen", trouble: "429", retries: []string{"failed with status 429 in 253ms - retrying, 3", "failed with status 429 in 27ms - retrying, 2", "no more retries left"}, reason: "no result event",
			out: `[log_883ca4] post http://127.0.0.1:1/v1/chat/completions failed with status 429 in 253ms - retrying, 3 attempts remaining
[log_c8a56a, retryOf: log_883ca4] post http://127.0.0.1:1/v1/chat/completions failed with status 429 in 27ms - retrying, 2 attempts remaining
[log_f57761] connection failed - error; no more retries left`,
		},
		{
			form: "qwen", trouble: "cut", retries: []string{"broke off"}, reason: "[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]",
			out: `[log_cd495c] post http://127.0.0.1:1/v1/chat/completions succeeded with status 200 in 5ms
{"type":"system","subtype":"retry","session_id":"s","data":{"reason":"retry","discardedToolCalls":0,"preserveText":true}}
{"type":"result","subtype":"error_during_execution","session_id":"s","is_error":true,"error":{"message":"[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]"}}`,
		},
	}
}

// TestReports holds what is made of what each CLI prints in trouble: whether it asks again, and why it has failed.
func TestReports(t *testing.T) {
	t.Parallel()
	for _, r := range reports() {
		t.Run(r.form+"/"+r.trouble, func(t *testing.T) {
			t.Parallel()
			d := forms()[r.form](providers.Invocation{})
			var events []providers.Event
			for line := range strings.Lines(r.err) {
				events = append(events, d.(providers.StderrListener).Stderr(strings.TrimSuffix(line, "\n"))...)
			}
			more, v := decode(d, r.out, providers.Exit{Code: 1})
			var retries []string
			for _, e := range slices.Concat(events, more) {
				if e.Kind == providers.Retry {
					retries = append(retries, e.Text)
				}
			}
			assert.True(t, slices.EqualFunc(retries, r.retries, strings.Contains), "it asks again %q, want %q", retries, r.retries)
			assert.False(t, v.OK, "verdict %+v, want refused %v and %q in the reason", v, r.refused, r.reason)
			assert.Equal(t, r.refused, v.Refused)
			assert.Contains(t, v.Reason, r.reason)
			assert.False(t, r.refused && !strings.HasPrefix(v.Reason, "the model's API does not "), "verdict %+v, want refused %v and %q in the reason", v, r.refused, r.reason)
		})
	}
}
