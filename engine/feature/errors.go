package feature

import (
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"
)

// ContractError is the cause of an error whose text is fixed by the contract of the server rstn.
type ContractError struct {
	Argument bool // a parameter is missing or has none of the allowed values

	text string
}

func (e *ContractError) Error() string { return e.text }

// contractError makes an error with a text of the contract.
func contractError(code engine.Code, step next.Step, text string) error {
	return &engine.Error{Code: code, Message: text, Next: step, Err: &ContractError{Argument: code == engine.Usage, text: text}}
}

// errNoContext is the error of what needs a feature.
func errNoContext() error {
	return contractError(engine.NotFound, next.Guide.On("feature"), "No feature context")
}

// errMissing is the error of a parameter that is empty.
func errMissing(name string) error {
	return contractError(engine.Usage, next.Step{}, fmt.Sprintf("Missing '%s' field", name))
}

// errNotAmong is the error of a value that is none of those that are allowed.
func errNotAmong(name, value string, allowed []string) error {
	if value == "" {
		return errMissing(name)
	}
	return contractError(engine.Usage, next.Step{}, fmt.Sprintf("Invalid %s: %s. Must be one of: %s", name, spec.Echo(value), strings.Join(allowed, ", ")))
}
