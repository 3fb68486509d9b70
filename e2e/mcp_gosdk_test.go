package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCP_goSDK talks to the server through a second, independent implementation
// of the protocol.
func TestMCP_goSDK(t *testing.T) {
	t.Parallel()
	for name, transport := range map[string]func(*project) sdk.Transport{
		"stdio": func(p *project) sdk.Transport { return &sdk.CommandTransport{Command: p.command("mcp")} },
		"http": func(p *project) sdk.Transport {
			s := p.serveHTTP()
			return &sdk.StreamableClientTransport{Endpoint: s.URL, HTTPClient: &http.Client{Transport: s}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newMCPProject(t)
			client := sdk.NewClient(&sdk.Implementation{Name: "e2e", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), transport(p), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			t.Logf("agreed on %s", s.InitializeResult().ProtocolVersion)
			checkSession(t, s)
		})
	}
}

func checkSession(t *testing.T, s *sdk.ClientSession) {
	t.Helper()
	ctx := t.Context()
	tools, err := s.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) != 28 || tools.Tools[0].Name != "chant_spec_list" {
		t.Errorf("%d tools", len(tools.Tools))
	}
	list := call(t, s, "chant_spec_list", map[string]any{"limit": 1})
	if specs, ok := list["specs"].([]any); !ok || len(specs) != 1 || list["total"] != float64(1) {
		t.Errorf("list %v", list)
	}
	if got := call(t, s, "chant_spec_get", map[string]any{"id": "007"}); got["id"] != mcpID || got["title"] != "Greet the reader" {
		t.Errorf("get %v", got)
	}
	refused, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "chant_spec_get", Arguments: map[string]any{"id": "999"}})
	if err != nil || !refused.IsError {
		t.Errorf("no such spec: got %+v, %v", refused, err)
	}

	resources, err := s.ListResources(ctx, nil)
	if err != nil || len(resources.Resources) != 1 || resources.Resources[0].URI != "spec://"+mcpID {
		t.Errorf("resources %+v, %v", resources, err)
	}
	read, err := s.ReadResource(ctx, &sdk.ReadResourceParams{URI: "spec://" + mcpID})
	if err != nil || len(read.Contents) != 1 || read.Contents[0].Text != mcpSpec {
		t.Errorf("resource %+v, %v", read, err)
	}
	if _, err := s.ReadResource(ctx, &sdk.ReadResourceParams{URI: "spec://999"}); err == nil {
		t.Error("a spec that does not exist was read")
	}

	prompts, err := s.ListPrompts(ctx, nil)
	if err != nil || !slices.ContainsFunc(prompts.Prompts, func(p *sdk.Prompt) bool { return p.Name == "standard" }) {
		t.Errorf("prompts %+v, %v", prompts, err)
	}
	prompt, err := s.GetPrompt(ctx, &sdk.GetPromptParams{Name: "standard", Arguments: map[string]string{"id": mcpID}})
	if err != nil || len(prompt.Messages) != 1 {
		t.Fatalf("prompt %+v, %v", prompt, err)
	}
	if text, ok := prompt.Messages[0].Content.(*sdk.TextContent); !ok || !strings.Contains(text.Text, "Greet the reader") {
		t.Errorf("prompt says %+v", prompt.Messages[0].Content)
	}
	guess, err := s.Complete(ctx, &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "standard"}, Argument: sdk.CompleteParamsArgument{Name: "id", Value: "007"},
	})
	if err != nil || !slices.Equal(guess.Completion.Values, []string{mcpID}) {
		t.Errorf("completion %+v, %v", guess, err)
	}
}

// call returns the structured content of a call that has to succeed.
func call(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) map[string]any {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	content, ok := r.StructuredContent.(map[string]any)
	if r.IsError || !ok {
		t.Fatalf("%s: %+v", tool, r)
	}
	return content
}
