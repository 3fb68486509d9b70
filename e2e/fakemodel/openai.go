package fakemodel

import "net/http"

// epoch is when everything here was made, in Unix seconds: 2026-01-01.
const epoch = 1767225600

// openaiFailure is the body of an error in both of OpenAI's forms.
func openaiFailure(status int, text string) any {
	kind, code := "server_error", "server_error"
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge:
		kind, code = "invalid_request_error", "invalid_request"
	case http.StatusUnauthorized:
		kind, code = "invalid_request_error", "invalid_api_key"
	case http.StatusForbidden:
		kind, code = "invalid_request_error", "forbidden"
	case http.StatusTooManyRequests:
		kind, code = "requests", "rate_limit_exceeded"
	}
	return map[string]any{"error": map[string]any{"message": text, "type": kind, "param": nil, "code": code}}
}
