package tools

import (
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/prompt/library"
	"chant/mcp/toolset"
)

// The errors of climpt's documents.
type (
	notFound struct {
		Error string `json:"error"`
		C1    string `json:"c1"` // behind the agent: climpt-git
		C2    string `json:"c2"`
		C3    string `json:"c3"`
	}
	unreadable struct {
		Error   string `json:"error"`
		Path    string `json:"path"`
		Details string `json:"details"`
	}
	notExecuted struct {
		Error   string `json:"error"`
		Command string `json:"command"`
		Stderr  string `json:"stderr"`
	}
	otherwise struct {
		Error string `json:"error"`
	}
)

// commandFailure returns how a tool reports errors. Where one of the required parameters is missing or empty, it says so with
// a sentence of climpt's server.
func commandFailure(sentence string, required ...string) func(error, string) (toolset.Failure, bool) {
	return func(err error, text string) (toolset.Failure, bool) {
		object, step := errorObject(err), ""
		if object == nil && text == "" {
			return toolset.Failure{}, false
		}
		var e *engine.Error
		if errors.As(err, &e) {
			// The next step is a text of its own: clients know the keys of the object.
			step = strings.TrimSpace(strings.TrimPrefix(text, e.Message))
			text = e.Message
		}
		if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok && slices.Contains(required, bad.Param) {
			if text = sentence; bad.Value != nil && bad.Value != "" {
				text += ": " + bad.Error()
			}
		}
		if object == nil {
			object = otherwise{text}
		}
		out, err := toolset.JSON(object)
		if err != nil {
			return toolset.Failure{}, false
		}
		f := toolset.Failure{Texts: []string{out}, Structured: object}
		if step != "" {
			f.Texts = append(f.Texts, step)
		}
		return f, true
	}
}

// errorObject is the error object of climpt's documents for an error, nil for another one.
func errorObject(err error) any {
	if e, ok := errors.AsType[*library.NotFoundError](err); ok {
		return notFound{"Command not found", e.Agent + "-" + e.C1, e.C2, e.C3}
	}
	if e, ok := errors.AsType[*library.RegistryError](err); ok {
		return unreadable{"Failed to load registry", e.Path, e.Details}
	}
	if e, ok := errors.AsType[*library.ExecutionError](err); ok {
		return notExecuted{"Execution failed", e.Command, e.Stderr}
	}
	return nil
}
