package fakemodel

import (
	"fmt"
	"net/http"
)

// problem is what an API has with a request that it understands.
type problem int

const (
	wrongKey problem = iota + 1
	unknownModel
	tooMany
)

// refusal is how an API answers then: with a status and a text for people, and with a body that says more than that of
// another failure with the same status; nil = it does not.
type refusal struct {
	status int
	text   string
	body   any
}

// anthropicRefusals, openaiRefusals, geminiRefusals and ollamaRefusals have the words of the APIs.
func anthropicRefusals(p problem, _ int) refusal {
	switch p {
	case wrongKey:
		return refusal{status: http.StatusUnauthorized, text: "invalid x-api-key"}
	case unknownModel:
		return refusal{status: http.StatusNotFound, text: "model: m"}
	}
	return refusal{status: http.StatusTooManyRequests, text: "This request would exceed your organization's rate limit of 50 requests per minute."}
}

func openaiRefusals(p problem, seconds int) refusal {
	switch p {
	case wrongKey:
		return refusal{status: http.StatusUnauthorized, text: "Incorrect API key provided: dummy*****ests. You can find your API key at https://platform.openai.com/account/api-keys."}
	case unknownModel:
		text := "The model `m` does not exist or you do not have access to it."
		return refusal{http.StatusNotFound, text, map[string]any{"error": map[string]any{
			"message": text, "type": "invalid_request_error", "param": nil, "code": "model_not_found",
		}}}
	}
	return refusal{status: http.StatusTooManyRequests, text: fmt.Sprintf(
		"Rate limit reached for m in organization org-x on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in %ds.", seconds)}
}

// geminiRefusals answer a wrong key with the status of a bad request.
func geminiRefusals(p problem, seconds int) refusal {
	detailed := func(status int, text, name string, detail map[string]any) refusal {
		return refusal{status, text, map[string]any{"error": map[string]any{"code": status, "message": text, "status": name, "details": []any{detail}}}}
	}
	switch p {
	case wrongKey:
		return detailed(http.StatusBadRequest, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT", map[string]any{
			"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com",
			"metadata": map[string]string{"service": "generativelanguage.googleapis.com"},
		})
	case unknownModel:
		return refusal{status: http.StatusNotFound, text: "models/m is not found for API version v1beta, or is not supported for generateContent. " +
			"Call ListModels to see the list of available models and their supported methods."}
	}
	text := fmt.Sprintf("You exceeded your current quota, please check your plan and billing details. Please retry in %d.0s.", seconds)
	return detailed(http.StatusTooManyRequests, text, "RESOURCE_EXHAUSTED", map[string]any{
		"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": fmt.Sprintf("%ds", seconds),
	})
}

func ollamaRefusals(p problem, seconds int) refusal {
	switch p {
	case wrongKey:
		return refusal{status: http.StatusUnauthorized, text: "unauthorized"}
	case unknownModel:
		return refusal{status: http.StatusNotFound, text: "model 'm' not found"}
	}
	return refusal{status: http.StatusTooManyRequests, text: fmt.Sprintf("you have reached your usage limit, try again in %d seconds", seconds)}
}
