package loop

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chant/providers"
)

// wordsLimit bounds what is repeated of a refusal, in bytes.
const wordsLimit = 500

// refusal reads an answer that is no stream.
func refusal(res *http.Response) error {
	src, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err != nil {
		return broken("answer %d broke off: %s", res.StatusCode, rootOf(err))
	}
	return &statusError{res.StatusCode, words(src), retryAfter(res.Header)}
}

// said reports whether the field of an error has something in it.
func said(field json.RawMessage) bool {
	text := string(field)
	return text != "" && text != "null" && text != `""`
}

// words finds what a refusal says to people, in the shapes that servers have for it.
func words(src []byte) string {
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(src, &body) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var text string
		if json.Unmarshal(body.Error, &inner) != nil {
			_ = json.Unmarshal(body.Error, &text) // neither shape: the whole body is shown
		}
		if found := cmp.Or(inner.Message, text, body.Message); found != "" {
			return providers.Clip(found, wordsLimit)
		}
	}
	return providers.Clip(strings.Join(strings.Fields(strings.ToValidUTF8(string(src), "?")), " "), wordsLimit)
}

// retryAfter is what a server asks to wait: seconds, or a date.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, longestRetryAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
