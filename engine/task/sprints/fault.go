package sprints

import (
	"errors"
	"fmt"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/markdown"
)

// refuse is the error of parameters that are wrong.
func refuse(format string, args ...any) *engine.Error {
	return refuseWith(nil, format, args...)
}

func refuseWith(data map[string]any, format string, args ...any) *engine.Error {
	text := fmt.Sprintf(format, args...)
	if data == nil {
		data = map[string]any{}
	}
	data["details"] = text
	return &engine.Error{Code: engine.Usage, Message: text, Next: next.Guide.On("sprints"), Err: &task.Fault{Code: task.InvalidParams, Message: text, Data: data}}
}

// notFound is the error of a sprint that does not exist.
func notFound(id int) error {
	text := fmt.Sprintf("Sprint #%d not found", id)
	return &engine.Error{Code: engine.NotFound, Message: text, Next: next.Guide.On("sprints"), Err: &task.Fault{Code: task.NotFound, Message: text}}
}

// operationFault is the error of an operation that could not be carried out; what is lotar's text for it.
func operationFault(err error, what string) error {
	if err == nil {
		return nil
	}
	var known *task.Fault
	if errors.As(err, &known) {
		return engine.Wrap(err, "")
	}
	wrapped, ok := errors.AsType[*engine.Error](engine.Wrap(err, ""))
	// What a person has stopped is not a fault of the program.
	if !ok || wrapped.Code == engine.Canceled {
		return wrapped
	}
	// A copy, because the error may be a value that others hold too.
	own := *wrapped
	own.Err = errors.Join(wrapped.Err, &task.Fault{Code: task.InternalFault, Message: what, Data: map[string]any{"message": wrapped.Message}})
	return &own
}

// unreadableFault is the error of a sprint whose file cannot be read.
func unreadableFault(err error) error {
	step := next.Step{}
	if syntax, ok := errors.AsType[*markdown.SyntaxError](err); ok {
		step = next.EditFile(syntax.Path)
	}
	return &engine.Error{Code: engine.Invalid, Message: err.Error(), Next: step, Err: err}
}

// enumFault is the error of a value that the settings do not have.
func enumFault(err error) error {
	wrong, ok := errors.AsType[*task.EnumError](err)
	if !ok {
		return err
	}
	return &engine.Error{Code: engine.Usage, Message: wrong.Error(), Next: next.Guide.On("sprints"), Err: wrong.Fault()}
}
