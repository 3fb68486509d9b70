package providers

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestVerdict_Fail holds which errors of an API are final, and that a status is named once.
func TestVerdict_Fail(t *testing.T) {
	t.Parallel()
	const credit, long = "the account at the model's API has no credit left", "the prompt is too long for the model"
	const key, model = "the model's API does not accept the key or login", "the model's API does not know the model"
	for _, tt := range []struct {
		status int
		said   string
		reason string // "" = as it was said
	}{
		{401, "invalid x-api-key", key + " (401 invalid x-api-key)"},
		{401, "API error 401: no", key + " (API error 401: no)"},
		{0, "[API Error: 401 no]", key + " ([API Error: 401 no])"},
		{0, "unexpected status 404 Not Found", model + " (unexpected status 404 Not Found)"},
		{0, "API key not valid. Please pass a valid API key.", key + " (API key not valid. Please pass a valid API key.)"},
		{400, `model: "x" not_found_error`, model + ` (400 model: "x" not_found_error)`},
		{0, "Invalid API key · Please run /login", key + " (Invalid API key · Please run /login)"},
		{0, "OAuth token has expired. Please run /login", key + " (OAuth token has expired. Please run /login)"},
		{0, "Error: No authentication information found.", key + " (Error: No authentication information found.)"},
		{0, "Please set an Auth method in your settings", key + " (Please set an Auth method in your settings)"},
		{0, "unexpected status 401 Unauthorized", key + " (unexpected status 401 Unauthorized)"},
		{0, "Credit balance is too low", credit + " (Credit balance is too low)"},
		{0, "prompt is too long: 210000 tokens > 200000 maximum", long + " (prompt is too long: 210000 tokens > 200000 maximum)"},
		{429, "slow down", ""},
		{500, "oops", ""},
		{0, "[API Error: terminated]", ""},
		{0, "the file 401.txt is missing", ""},
	} {
		var v Verdict
		v.OK = true
		v.Fail(tt.status, tt.said)
		want := tt.reason
		if want == "" {
			want = tt.said
		}
		assert.False(t, v.OK, "%d %q: %+v, want reason %q", tt.status, tt.said, v, want)
		assert.Equal(t, want, v.Reason, "%d %q", tt.status, tt.said)
		assert.Equal(t, tt.reason != "", v.Refused, "%d %q", tt.status, tt.said)
	}
}
