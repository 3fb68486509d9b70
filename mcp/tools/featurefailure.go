package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"chant/engine/feature"
	"chant/engine/spec"
	"chant/mcp/toolset"
)

// featureFailure returns how a tool reports errors, in the words of rstn. required is the parameter that a call must have, ""
// for none, and values are those that it may have; none = any.
func featureFailure(required string, values ...string) func(error, string) (toolset.Failure, bool) {
	return func(err error, text string) (toolset.Failure, bool) {
		if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
			text = argument(bad, required, values)
		} else if known, ok := errors.AsType[*feature.ContractError](err); ok {
			if text = known.Error(); known.Argument {
				text = "Error: " + text
			}
		} else if where, ok := errors.AsType[*fs.PathError](err); ok && text == "" {
			text = fmt.Sprintf("Error: could not %s %s: %s", where.Op, where.Path, where.Err)
		} else if text != "" {
			text = "Error: " + text
		}
		// Without a text it is a bug of ours.
		return toolset.Failure{Texts: []string{text}}, text != ""
	}
}

// argument is the text for a missing or wrong argument.
func argument(e *toolset.ArgumentError, required string, values []string) string {
	if e.Param == "" || e.Param != required {
		return "Error: " + e.Error()
	}
	if e.Value == nil || e.Value == "" {
		return fmt.Sprintf("Error: Missing '%s' field", required)
	}
	if len(values) > 0 {
		return fmt.Sprintf("Error: Invalid %s: %s. Must be one of: %s", required, spec.Echo(spellValue(e.Value)), strings.Join(values, ", "))
	}
	return "Error: " + e.Error()
}

// spellValue returns a text as it is, and any other value as JSON.
func spellValue(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	src, err := json.Marshal(value)
	if err != nil {
		// It came as JSON, so this does not happen.
		return fmt.Sprint(value)
	}
	return string(src)
}
