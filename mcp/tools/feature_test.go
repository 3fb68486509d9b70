package tools

import (
	"encoding/json"
	"errors"
	"io/fs"
	"testing"

	"chant/engine"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// TestSet_schemas compares the tools with the documents of rstn: names, order, parameters and their texts.
func TestSet_schemas(t *testing.T) {
	t.Parallel()
	want := []struct{ name, schema string }{
		{"rstn_get_app_state", `{"type": "object"}`},
		{"rstn_report_status", `{"type": "object", "properties": {
			"status": {"type": "string", "enum": ["needs_input", "completed", "error"], "description": "Current task status"},
			"prompt": {"type": "string", "description": "Prompt to show user (for needs_input)"},
			"message": {"type": "string", "description": "Error message (for error status)"}
		}, "required": ["status"]}`},
		{"rstn_read_spec", `{"type": "object", "properties": {
			"artifact": {"type": "string", "enum": ["spec", "plan", "tasks", "checklist", "analysis"], "description": "Artifact to read"}
		}, "required": ["artifact"]}`},
		{"rstn_get_context", `{"type": "object"}`},
		{"rstn_complete_task", `{"type": "object", "properties": {
			"task_id": {"type": "string", "description": "Task ID (e.g., T001, T002)"},
			"skip_validation": {"type": "boolean", "default": false, "description": "Skip validation checks"}
		}, "required": ["task_id"]}`},
		{"rstn_run_hook", `{"type": "object", "properties": {
			"hook_name": {"type": "string", "description": "Name of the hook (e.g., lint, test, format)"},
			"args": {"type": "array", "items": {"type": "string"}, "description": "Additional arguments to pass to the hook"}
		}, "required": ["hook_name"]}`},
	}
	served := Features().Served(true)
	assert.Equal(t, "rstn", served.Standalone.Server)
	assert.Equal(t, len(want), len(served.Tools))
	for i, tool := range served.Tools {
		schema, err := tool.InputSchema()
		assert.NoError(t, err)
		var got, expected map[string]any
		assert.NoError(t, errors.Join(json.Unmarshal(schema, &got), json.Unmarshal([]byte(want[i].schema), &expected)))
		if properties, ok := got["properties"].(map[string]any); ok && len(properties) == 0 {
			delete(got, "properties") // as good as none
		}
		assert.Equal(t, want[i].name, tool.Name)
		assert.Equal(t, expected, got)
	}
}

// TestFeatureFailure words what is not in the tables of the documents: failures of files, refusals with their next step, and
// bugs, of which a client learns nothing.
func TestFeatureFailure(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err        error
		text, want string
	}{
		"file":    {&engine.Error{Code: engine.Internal, Err: &fs.PathError{Op: "open", Path: "tasks.md", Err: fs.ErrPermission}}, "", "Error: could not open tasks.md: permission denied"},
		"refusal": {&engine.Error{Code: engine.Conflict, Message: "it is held"}, "it is held\nhint: chant status", "Error: it is held\nhint: chant status"},
		"bug":     {errors.New("details"), "", ""},
	} {
		f, known := featureFailure("")(tt.err, tt.text)
		assert.Equal(t, tt.want != "", known, "%s", name)
		assert.Equal(t, tt.want, f.Texts[0], "%s", name)
	}
	for want, value := range map[string]any{"novel": "novel", `["spec"]`: []any{"spec"}, `{"a":1}`: map[string]any{"a": 1.0}} {
		f, _ := featureFailure("artifact", "spec", "plan")(&toolset.ArgumentError{Param: "artifact", Value: value}, "")
		assert.Equal(t, "Error: Invalid artifact: "+want+". Must be one of: spec, plan", f.Texts[0], "%v: %q", value, f.Texts)
	}
}
