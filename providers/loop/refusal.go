package loop

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"chant/text"
)

// wordsLimit bounds what is repeated of a refusal, in bytes.
const wordsLimit = 500

// refusal reads an answer that is not a stream.
func refusal(res *http.Response) error {
	// A proxy may answer with a page of any size.
	src, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	if err != nil {
		return brokenErrorf("answer %d broke off: %s", res.StatusCode, rootOf(err))
	}
	return &statusError{res.StatusCode, words(src), retryAfter(res.Header)}
}

// hasContent reports whether the field of an error is not empty.
func hasContent(field json.RawMessage) bool {
	text := string(field)
	return text != "" && text != "null" && text != `""`
}

// streamedError is an answer in whose place, or amid which, the server says what went wrong.
func streamedError(src []byte) error {
	return &brokenError{"the server broke off: " + cmp.Or(words(src), "it gives no reason"), codeIn(src)}
}

// codeIn is what an error within an answer names as its code, 0 when it names none: a
// number of HTTP's, or a word that Anthropic's API and OpenAI's have for one.
func codeIn(src []byte) int {
	type named struct {
		Code, Status json.RawMessage
		Type         string
	}
	var body struct {
		named
		Error json.RawMessage
	}
	if json.Unmarshal(firstMember(src), &body) != nil {
		return 0
	}
	inner := named{}
	if json.Unmarshal(body.Error, &inner) != nil {
		inner = body.named
	}
	for _, field := range []json.RawMessage{inner.Code, inner.Status} {
		if code, err := strconv.Atoi(strings.Trim(string(field), `"`)); err == nil && code >= 400 && code < 600 {
			return code
		}
	}
	return map[string]int{
		"invalid_request_error": http.StatusBadRequest,
		"authentication_error":  http.StatusUnauthorized,
		"billing_error":         http.StatusPaymentRequired,
		"permission_error":      http.StatusForbidden,
		"not_found_error":       http.StatusNotFound,
		"request_too_large":     http.StatusRequestEntityTooLarge,
	}[inner.Type]
}

// firstMember is the first member of a list, in which some servers wrap an error.
func firstMember(src []byte) []byte {
	var list []json.RawMessage
	if json.Unmarshal(src, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return src
}

// words finds what a refusal says to people, in the shapes that servers have for it. It
// is one line that can be printed anywhere.
func words(src []byte) string {
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	src = firstMember(src)
	if json.Unmarshal(src, &body) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var text string
		if json.Unmarshal(body.Error, &inner) != nil {
			// With neither shape, the whole body is shown.
			_ = json.Unmarshal(body.Error, &text)
		}
		if found := clean(cmp.Or(inner.Message, text, body.Message)); found != "" {
			return found
		}
	}
	text := string(src)
	// The answer is the page of a proxy, whose words are between the marks.
	if strings.HasPrefix(strings.TrimSpace(text), "<") {
		text = cmp.Or(clean(markup().ReplaceAllString(text, " ")), text)
	}
	return clean(text)
}

// markup matches the tags of an HTML page, which proxies answer with.
func markup() *regexp.Regexp {
	return regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<[^>]*>`)
}

// clean is a text in one line, with a space in place of what moves the cursor or is not seen.
func clean(words string) string {
	// The text of a server must not move the cursor of the person's terminal.
	words = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(words, "?"))
	return text.ClipBytes(text.OneLine(words), wordsLimit)
}

// maxWait bounds what is read of a wait that a server asks for.
const maxWait = 365 * 24 * time.Hour

// retryAfter returns the delay that a server requests: seconds, or a date.
func retryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	// The bound keeps the product within a duration.
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, maxWait.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
