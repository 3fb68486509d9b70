package tools

import (
	"errors"
	"maps"
	"strings"

	"chant/engine"
	"chant/engine/spec/task"
	"chant/mcp/toolset"
)

// fault is an error as clients of lotar know it; false for a bug of ours. Errors of the rules of tasks bring their own;
// the others have a code by the kind of the error or by the tool, and in data the sentence for people and the next step.
func fault(t toolset.Tool, err error, text string) (toolset.Fault, bool) {
	// Errors of the rules of tasks bring their own code and sentence.
	if own := taskFault(err); own != nil {
		return detailedFault(own), true
	}
	if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
		return invalid(strings.TrimPrefix(bad.Error(), "Invalid parameter: ")), true
	}
	var e *engine.Error
	if !errors.As(err, &e) || e.Code == engine.Internal {
		return toolset.Fault{}, false
	}
	data := map[string]any{"message": e.Message, "code": string(e.Code)}
	// The text is the message with the next step behind it.
	if step := strings.TrimSpace(strings.TrimPrefix(text, e.Message)); step != "" {
		data["next"] = step
	}
	switch {
	case e.Code == engine.NotFound && !errors.Is(err, engine.ErrNotInitialized):
		return toolset.Fault{Code: task.NotFound, Message: objectOf(t.Name) + " not found", Data: data}, true
	case e.Code == engine.Usage:
		return invalid(e.Message), true
	}
	code, message := failure(t.Name)
	return toolset.Fault{Code: code, Message: message, Data: data}, true
}

// detailedFault is a fault of the rules of tasks. One about arguments has its sentence in data.details.
func detailedFault(own *task.Fault) toolset.Fault {
	out := toolset.Fault{Code: own.Code, Message: own.Message}
	// The data belongs to the fault, so a copy is changed.
	data := maps.Clone(own.Data)
	if own.Code == task.InvalidParams && data["details"] == nil {
		if data == nil {
			data = map[string]any{}
		}
		data["details"] = own.Message
	}
	if data != nil {
		out.Data = data
	}
	return out
}

// taskFault is the fault inside an error, nil if it has none.
func taskFault(err error) *task.Fault {
	if f, ok := errors.AsType[*task.Fault](err); ok {
		return f
	}
	if e, ok := errors.AsType[*task.EnumError](err); ok {
		return e.Fault()
	}
	return nil
}

// invalid is the fault of arguments.
func invalid(text string) toolset.Fault {
	return toolset.Fault{Code: task.InvalidParams, Message: text, Data: map[string]any{"details": text}}
}

// objectOf returns the kind of thing that a tool changes or shows.
func objectOf(tool string) string {
	switch family, _, _ := strings.Cut(tool, "_"); family {
	case "sprint":
		return "Sprint"
	case "project", "config":
		return "Project"
	}
	return "Task"
}

// failure is the code and the message with which a tool fails.
func failure(tool string) (code int, message string) {
	switch tool {
	case "task_create":
		return task.CreateFailed, "Task create failed"
	case "task_update", "task_bulk_update", "task_comment_add", "task_comment_update", "task_bulk_comment_add":
		return task.UpdateFailed, "Task update failed"
	case "task_reference_add", "task_bulk_reference_add":
		return task.CreateFailed, "Task reference add failed"
	case "task_reference_remove", "task_bulk_reference_remove":
		return task.CreateFailed, "Task reference remove failed"
	case "task_delete":
		return task.DeleteFailed, "Task delete failed"
	case "config_show":
		return task.ConfigShowFailed, "Config error"
	case "config_set":
		return task.ConfigSetFailed, "Config set failed"
	case "sprint_create":
		return task.InternalFault, "Failed to create sprint"
	case "sprint_update", "sprint_add", "sprint_remove":
		return task.InternalFault, "Failed to update sprint"
	case "sprint_delete":
		return task.InternalFault, "Failed to delete sprint"
	}
	return task.InternalFault, "Internal error"
}
