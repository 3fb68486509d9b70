package e2e

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestTasksMCP_goSDK talks to the tools of tasks through an independent implementation of the protocol, alone and beside
// other toolsets.
func TestTasksMCP_goSDK(t *testing.T) {
	t.Parallel()
	for sets, want := range map[string]struct {
		name  string
		tools int
	}{"tasks": {"lotar-mcp", taskTools}, "specs,tasks": {"chant", 26 + taskTools}} {
		t.Run(sets, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			client := sdk.NewClient(&sdk.Implementation{Name: "e2e", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: p.command("mcp", "--toolsets", sets)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := s.InitializeResult().ServerInfo.Name; got != want.name {
				t.Errorf("the server is %q", got)
			}
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != want.tools {
				t.Fatalf("%+v, %v", tools, err)
			}
			made := call(t, s, "task_create", map[string]any{"title": "By the SDK", "priority": "high"})
			id, _ := fields(made).at("task", "id").(string)
			if got := call(t, s, "task/get", map[string]any{"id": id}); got["title"] != "By the SDK" || got["priority"] != "High" {
				t.Errorf("got %v", got)
			}
			_, err = s.CallTool(t.Context(), &sdk.CallToolParams{Name: "task_get", Arguments: map[string]any{"id": "NONE-1"}})
			if err == nil || !strings.Contains(err.Error(), "Task not found") {
				t.Errorf("an unknown task: %v", err)
			}
			refused, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "chant_spec_get", Arguments: map[string]any{"id": "999"}})
			if beside := sets != "tasks"; beside != (err == nil) || beside && !refused.IsError {
				t.Errorf("a tool of specs: %+v, %v", refused, err)
			}
		})
	}
}
