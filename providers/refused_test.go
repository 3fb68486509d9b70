package providers

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestVerdict_Fail holds which errors of an API are final, and that a status is named once.
func TestVerdict_Fail(t *testing.T) {
	t.Parallel()
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
