package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"chant/engine"
	"chant/engine/spec/task"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

func TestFault(t *testing.T) {
	t.Parallel()
	own := &task.Fault{Code: -32000, Message: "Task create failed", Data: map[string]any{"message": "why"}}
	wrapped := &engine.Error{Code: engine.Usage, Message: "m", Err: task.Invalid("Missing id")}
	enum := &engine.Error{Code: engine.Usage, Message: "m", Err: &task.EnumError{Field: "priority", Provided: "Hihg", Allowed: []string{"High"}}}
	for _, tt := range []struct {
		tool string
		err  error
		want string
	}{
		{"task_create", fmt.Errorf("around: %w", own), `{"Code":-32000,"Message":"Task create failed","Data":{"message":"why"}}`},
		{"task_get", wrapped, `{"Code":-32602,"Message":"Missing id","Data":{"details":"Missing id"}}`},
		{"task_list", enum, `{"Code":-32602,"Message":"Priority validation failed: \"Hihg\" is not a valid priority. Valid values: High",` +
			`"Data":{"code":"invalid_enum_value","details":"\"Hihg\" is not a valid priority. Valid values: High","field":"priority","provided":"Hihg","suggestions":["High"]}}`},
		{"task_get", &engine.Error{Code: engine.NotFound, Message: "text"}, `{"Code":-32004,"Message":"Task not found","Data":{"code":"not_found","message":"text"}}`},
		{"sprint_get", &engine.Error{Code: engine.NotFound, Message: "text"}, `{"Code":-32004,"Message":"Sprint not found","Data":{"code":"not_found","message":"text"}}`},
		{"task_get", &engine.Error{Code: engine.NotFound, Message: "text", Err: engine.ErrNotInitialized}, `{"Code":-32603,"Message":"Internal error","Data":{"code":"not_found","message":"text"}}`},
		{"task_list", &engine.Error{Code: engine.Usage, Message: "text"}, `{"Code":-32602,"Message":"text","Data":{"details":"text"}}`},
		{"task_update", &engine.Error{Code: engine.Unverified, Message: "text"}, `{"Code":-32005,"Message":"Task update failed","Data":{"code":"unverified","message":"text","next":"hint: chant show 1"}}`},
		{"task_delete", &engine.Error{Code: engine.Conflict, Message: "text"}, `{"Code":-32006,"Message":"Task delete failed","Data":{"code":"conflict","message":"text"}}`},
		{"config_set", &engine.Error{Code: engine.Invalid, Message: "text"}, `{"Code":-32002,"Message":"Config set failed","Data":{"code":"invalid","message":"text"}}`},
	} {
		text := "text"
		if tt.tool == "task_update" {
			text += "\nhint: chant show 1"
		}
		f, known := fault(toolset.Tool{Name: tt.tool}, tt.err, text)
		got, err := json.Marshal(f)
		assert.NoError(t, err, "%s, %v", tt.tool, tt.err)
		assert.True(t, known, "%s, %v:\ngot  %s\nwant %s", tt.tool, tt.err, got, tt.want)
		assert.Equal(t, escaped(t, tt.want), string(got), "%s, %v", tt.tool, tt.err)
	}
}

func TestFault_bug(t *testing.T) {
	t.Parallel()
	for _, err := range []error{errors.New("details"), &engine.Error{Code: engine.Internal}} {
		f, known := fault(toolset.Tool{Name: "task_get"}, err, "")
		assert.False(t, known, "%v: %+v", err, f)
	}
}

// escaped is JSON as json.Marshal writes it.
func escaped(t *testing.T, text string) string {
	t.Helper()
	var out json.RawMessage
	assert.NoError(t, json.Unmarshal([]byte(text), &out))
	raw, err := json.Marshal(out)
	assert.NoError(t, err)
	return string(raw)
}
