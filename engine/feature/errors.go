package feature

import (
	"chant/engine"
	"chant/engine/next"
)

// ContractError is the cause of an error whose text is fixed by the contract of the server rstn.
type ContractError struct{ text string }

func (e *ContractError) Error() string { return e.text }

// contract makes an error with a text of the contract.
func contract(code engine.Code, step next.Step, text string) error {
	return &engine.Error{Code: code, Message: text, Next: step, Err: &ContractError{text}}
}

// errNoContext is the error of what needs a feature.
func errNoContext() error {
	return contract(engine.NotFound, next.Guide.On("feature"), "No feature context")
}
