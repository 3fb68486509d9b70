package toolset

import (
	"context"
	"encoding/json"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

// TestTool_noEffect: a flag without effect is taken, named in the reply, and in no schema.
func TestTool_noEffect(t *testing.T) {
	t.Parallel()
	type input struct {
		ID string `json:"id"`
	}
	tool := Tool{
		Name: "row", Params: []Param{{Name: "id"}}, Foreign: Foreign{NoEffect: []string{"force", "skip"}},
		Op: Operation(func(_ context.Context, _ *engine.Project, in input) (input, error) { return in, nil }),
	}
	for src, want := range map[string]string{
		`{"id":"1"}`:                           `{"id":"1"}`,
		`{"id":"1","force":true}`:              `{"id":"1","ignored":["force"]}`,
		`{"id":"1","skip":false,"force":true}`: `{"id":"1","ignored":["force","skip"]}`,
	} {
		args, err := ParseArguments([]byte(src))
		assert.NoError(t, err)
		in, err := tool.Decode(args)
		assert.NoError(t, err, "%s", src)
		result, content, err := tool.Run(t.Context(), nil, in)
		assert.NoError(t, err)
		result, content, err = tool.NameIgnored(args, result, content)
		assert.NoError(t, err)
		got, err := json.Marshal(result)
		assert.NoError(t, err)
		assert.Equal(t, want, string(got), "%s", src)
		assert.Equal(t, src != `{"id":"1"}`, len(content) == 2, "%s: %v", src, content)
	}
	args, err := ParseArguments([]byte(`{"id":"1","force":"x"}`))
	assert.NoError(t, err)
	_, err = tool.Decode(args)
	assert.EqualError(t, err, "Unknown parameter: force (allowed: id)")
}
