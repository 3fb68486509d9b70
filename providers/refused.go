package providers

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// refusals is the table of the answers of models' APIs after which asking again cannot help, by HTTP status and by what they
// and the CLIs say, in lower case. The CLIs were run against a server that answers as the APIs do: claude 2.1, codex 0.169,
// copilot 1.0, gemini 0.61, opencode 1.18, qwen 0.24.
func refusals() []refusal {
	return []refusal{
		{
			why: "the model's API does not accept the key or login", status: http.StatusUnauthorized,
			// Google answers a wrong key with the status of a bad request.
			words: []string{
				"authentication_failed", "authentication_error", "invalid_api_key", "api_key_invalid", "api key not valid", "incorrect api key", "invalid api key",
				"please run /login", "oauth token has expired", // claude, where it has no login
				"no authentication information", // copilot, likewise
				"set an auth method",            // gemini, likewise
				"unexpected status 401", "api error: 401",
			},
		},
		{
			why: "the model's API does not allow this key or login to use the model", status: http.StatusForbidden,
			words: []string{"permission_error", "permission_denied", "unexpected status 403", "api error: 403", "your organization has disabled"},
		},
		{
			why: "the account at the model's API has no credit left", status: http.StatusPaymentRequired,
			words: []string{"credit balance is too low", "insufficient_quota"},
		},
		{
			why:   "the prompt is too long for the model",
			words: []string{"prompt is too long", "context_length_exceeded", "maximum context length"},
		},
		{
			why: "the model's API does not know the model", status: http.StatusNotFound,
			words: []string{
				"model_not_found", "not_found_error", "unknown model",
				"does not exist or you do not have access to it", // codex, without the status
				"is not found for api version",                   // gemini, likewise
				"issue with the selected model (",                // claude, likewise
			},
		},
	}
}

// refusal is a row of the table.
type refusal struct {
	why    string
	status int
	words  []string
}

// Refused says why asking the model's API again cannot help, by the HTTP status with which
// it has answered (0 when it is not known) and what it has said; "" when it may help.
func Refused(status int, said string) string {
	low := strings.ToLower(said)
	for _, r := range refusals() {
		if status != 0 && status == r.status || slices.ContainsFunc(r.words, func(word string) bool { return strings.Contains(low, word) }) {
			// The status helps a person to find out more.
			if number := strconv.Itoa(status); status != 0 && !strings.Contains(said, number) {
				said = strings.TrimSpace(number + " " + said)
			}
			return fmt.Sprintf("%s (%s)", r.why, said)
		}
	}
	return ""
}

// statusInWords matches an HTTP status in the report of an error of an API: in words, and in the JSON that gemini passes on.
var statusInWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:API error:? |status:? |HTTP |server answered )(\d{3})\b|"code": ?(\d{3})\b`)
})

// statusOf returns the HTTP status that the report of an error of an API names, 0 without one.
func statusOf(said string) int {
	found := statusInWords().FindStringSubmatch(said)
	if found == nil {
		return 0
	}
	// They are digits.
	status, _ := strconv.Atoi(found[1] + found[2])
	return status
}

// Fail is the verdict of a session that has ended with an error which the CLI reports, with the HTTP status of the API's
// answer, 0 when only the words may name it.
func (v *Verdict) Fail(status int, said string) {
	v.OK, v.Reason = false, said
	if why := Refused(cmp.Or(status, statusOf(said)), said); why != "" {
		v.Refused, v.Reason = true, why
	}
}

// stopRefused takes note that asking again cannot help. Only the first time counts.
func (s *stream) stopRefused(why string) {
	// The supervisor takes the first reason and then no more, so a full channel must not block.
	select {
	case s.refused <- why:
	default:
	}
}

// refusal gets why the model's API will not answer; of a nil stream nothing ever comes.
func (s *stream) refusal() <-chan string {
	if s == nil {
		return nil
	}
	return s.refused
}
