package code

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"chant/engine"
	"chant/mcp/toolset"
)

// failure returns how a tool reports errors, in the words of SwiftIndex. doing is what the tool does: Indexing.
func failure(doing string) func(error, string) (toolset.Failure, bool) {
	return func(err error, text string) (toolset.Failure, bool) {
		if text == "" && !errors.Is(err, context.Canceled) {
			// This is a bug of ours.
			return toolset.Failure{}, false
		}
		return toolset.Failure{Texts: []string{errorText(doing, err, text)}}, true
	}
}

// errorText is the text of an error. Those of questions that cannot be asked are as the operations have them.
func errorText(doing string, err error, text string) string {
	if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
		return argumentWords(bad, text)
	}
	e, ok := errors.AsType[*engine.Error](err)
	switch {
	case errors.Is(err, context.Canceled), ok && e.Code == engine.Canceled:
		return doing + " was cancelled"
	case ok && (e.Code == engine.Usage || strings.HasPrefix(e.Message, "No index found ")):
		// It names the tool to call.
		return e.Message
	case ok && e.Code == engine.NotFound:
		return text
	}
	return doing + " failed: " + text
}

// argumentWords are the text for a wrong argument.
func argumentWords(e *toolset.ArgumentError, text string) string {
	// For these clients an empty value is a missing one.
	if e.Param != "" && (e.Value == nil || e.Value == "") {
		return "Missing required argument: " + e.Param
	}
	n, ok := number(e.Value)
	switch {
	case ok && e.Param == "limit" && n < 1:
		return "Limit must be greater than 0"
	case ok && e.Param == "semantic_weight":
		return "Semantic weight must be between 0.0 and 1.0"
	case ok && e.Param == "depth":
		return "Depth must be between 1 and 5"
	}
	return text
}

// number is a value of an argument as a number; false where it is none.
func number(value any) (float64, bool) {
	switch v := value.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case int64:
		return float64(v), true
	}
	return 0, false
}

// failureOfJob reports the error of a job as its call has reported it.
func failureOfJob(err error, text string) (toolset.Failure, bool) {
	if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
		text = argumentWords(bad, text)
	}
	return toolset.Failure{Texts: []string{text}}, text != ""
}
