package e2e

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/google/jsonschema-go/jsonschema"
)

// outputSchemas are those that tools/list shows, by tool; also by the names that tools have where nothing else is served.
var outputSchemas struct {
	once   sync.Once
	byTool map[string]*jsonschema.Resolved
	err    error
}

// checkReply reports structured content that is not what its tool declares, and that is missing where a call that did not fail
// has to have it. Clients that validate refuse such a reply.
func checkReply(t testing.TB, tool string, structured any, failed bool) {
	t.Helper()
	binary := chantBinary(t)
	outputSchemas.once.Do(func() {
		outputSchemas.byTool = map[string]*jsonschema.Resolved{}
		for _, toolset := range []string{"specs,review,plan,commands,code,feature", "commands", "tasks"} {
			if outputSchemas.err == nil {
				outputSchemas.err = readSchemas(binary, t.TempDir(), toolset)
			}
		}
	})
	assert.NoError(t, outputSchemas.err)
	schema := outputSchemas.byTool[tool]
	if schema == nil || structured == nil && failed {
		return
	}
	assert.NoError(t, schema.Validate(structured), "the reply of %s is not as its schema", tool)
}

// readSchemas adds the schemas of a toolset.
func readSchemas(binary, dir, toolset string) error {
	c := exec.Command(binary, "mcp", "--toolsets", toolset)
	c.Dir, c.Stdin = dir, bytes.NewReader([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	out, err := c.Output()
	if err != nil {
		return err
	}
	var reply struct {
		Result struct {
			Tools []struct {
				Name         string
				OutputSchema *jsonschema.Schema
			}
		}
	}
	if err := json.Unmarshal(out, &reply); err != nil {
		return err
	}
	for _, tool := range reply.Result.Tools {
		if tool.OutputSchema == nil {
			continue
		}
		if outputSchemas.byTool[tool.Name], err = tool.OutputSchema.Resolve(nil); err != nil {
			return err
		}
	}
	return nil
}
