package providers

import (
	"fmt"
	"net/http"
	"strings"
)

// Refused says why asking the model's API again cannot help, by the HTTP status with which
// it has answered (0 when it is not known) and what it has said; "" when it may help.
func Refused(status int, said string) string {
	low := strings.ToLower(said)
	names := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(low, word) {
				return true
			}
		}
		return false
	}
	var why string
	switch {
	case status == http.StatusUnauthorized, names("authentication_failed", "authentication_error", "invalid_api_key"):
		why = "the model's API does not accept the key or login"
	case status == http.StatusForbidden, names("permission_error", "permission_denied"):
		why = "the model's API does not allow this key or login to use the model"
	case status == http.StatusNotFound, names("model_not_found", "not_found_error", "unknown model"):
		why = "the model's API does not know the model"
	default:
		return ""
	}
	return fmt.Sprintf("%s (%s)", why, strings.TrimSpace(strings.TrimPrefix(fmt.Sprintf("%d %s", status, said), "0 ")))
}

// hopeless takes note that asking again cannot help. Only the first time counts.
func (s *stream) hopeless(why string) {
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
