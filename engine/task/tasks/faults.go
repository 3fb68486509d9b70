package tasks

import (
	"errors"
	"fmt"
	"slices"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/store"
)

// createFault makes the refusal of a person the fault that clients of lotar expect of a new task.
func createFault(err error) error {
	return asEngineError(memberFault(err, task.CreateFailed, "Task create failed"), "")
}

func memberFault(err error, code int, text string) error {
	if bad, ok := errors.AsType[*task.MemberError](err); ok {
		return &task.Fault{Code: code, Message: text, Data: map[string]any{"message": bad.Error()}}
	}
	return err
}

// checkSprints refuses sprints that do not exist.
func checkSprints(p *engine.Project, sprints []int) error {
	known, err := store.Sprints(p.Store)
	if err != nil {
		return err
	}
	for _, n := range sprints {
		if n < 1 {
			return task.Invalid("sprints must be positive integers")
		}
		if !slices.Contains(known, n) {
			return &task.Fault{Code: task.NotFound, Message: fmt.Sprintf("Sprint #%d not found", n)}
		}
	}
	return nil
}

// enumFault returns an error of a value of a list as a fault.
func enumFault(err error) error {
	if bad, ok := errors.AsType[*task.EnumError](err); ok {
		return bad.Fault()
	}
	return err
}

// asEngineError returns an error of an operation: a fault as the cause of a usage error, anything else as it is.
func asEngineError(err error, id string) error {
	var fault *task.Fault
	if !errors.As(err, &fault) {
		return engine.Wrap(err, id)
	}
	var known *engine.Error
	// An error of the engine that wraps the fault has its own code and step.
	if errors.As(err, &known) {
		return known
	}
	code := engine.Usage
	if fault.Code == task.NotFound {
		code = engine.NotFound
	}
	text := fault.Message
	// lotar's text is the same for each refusal; the reason is in its data.
	if why, ok := fault.Data["message"].(string); ok {
		text += ": " + why
	}
	return &engine.Error{Code: code, Message: text, Next: next.Guide.On("tasks"), Err: err}
}
