package e2e

import (
	"net/http"
	"strings"
	"testing"

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
		{"tasks", "lotar-mcp", taskTools, stdio}, {"specs,tasks", "chant", 28 + taskTools, stdio}, {"tasks", "lotar-mcp", taskTools, overHTTP},
	} {
		t.Run(want.sets, func(t *testing.T) {
			t.Parallel()
			p, sets := newMCPProject(t), want.sets
			client := sdk.NewClient(&sdk.Implementation{Name: "e2e", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), want.by(p, sets), nil)
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
