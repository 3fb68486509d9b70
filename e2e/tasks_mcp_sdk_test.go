package e2e

import (
	"net/http"
	"testing"

	"github.com/alecthomas/assert/v2"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestTasksMCP_goSDK talks to the tools of tasks through an independent implementation of the protocol, alone and beside
// other toolsets.
func TestTasksMCP_goSDK(t *testing.T) {
	t.Parallel()
	stdio := func(p *project, sets string) sdk.Transport {
		return &sdk.CommandTransport{Command: p.command("mcp", "--toolsets", sets)}
	}
	overHTTP := func(p *project, sets string) sdk.Transport {
		s := p.serveHTTP("--toolsets", sets)
		return &sdk.StreamableClientTransport{Endpoint: s.URL, HTTPClient: &http.Client{Transport: s}}
	}
	for _, want := range []struct {
		sets, name string
		tools      int
		by         func(*project, string) sdk.Transport
	}{
		{"tasks", "lotar-mcp", taskTools, stdio}, {"specs,tasks", "chant", 29 + taskTools, stdio}, {"tasks", "lotar-mcp", taskTools, overHTTP},
	} {
		t.Run(want.sets, func(t *testing.T) {
			t.Parallel()
			p, sets := newMCPProject(t), want.sets
			client := sdk.NewClient(&sdk.Implementation{Name: "e2e", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), want.by(p, sets), nil)
			assert.NoError(t, err)
			defer s.Close()
			assert.Equal(t, want.name, s.InitializeResult().ServerInfo.Name)
			tools, err := s.ListTools(t.Context(), nil)
			assert.NoError(t, err, "%+v", tools)
			assert.Equal(t, want.tools, len(tools.Tools), "%+v", tools)
			made := call(t, s, "task_create", map[string]any{"title": "By the SDK", "priority": "high"})
			id, _ := fields(made).at("task", "id").(string)
			got := call(t, s, "task/get", map[string]any{"id": id})
			assert.True(t, got["title"] == "By the SDK", "got %v", got)
			assert.True(t, got["priority"] == "High", "got %v", got)
			_, err = s.CallTool(t.Context(), &sdk.CallToolParams{Name: "task_get", Arguments: map[string]any{"id": "NONE-1"}})
			assert.Error(t, err, "an unknown task")
			assert.Contains(t, err.Error(), "Task not found", "an unknown task")
			refused, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "chant_spec_get", Arguments: map[string]any{"id": "999"}})
			beside := sets != "tasks"
			assert.Equal(t, err == nil, beside, "a tool of specs")
			assert.False(t, beside && !refused.IsError, "a tool of specs: %+v, %v", refused, err)
		})
	}
}
