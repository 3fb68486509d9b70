package e2e

import (
	"net/http"
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
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
			assert.NoError(t, err)
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
	assert.NoError(t, err)
	assert.Equal(t, 29, len(tools.Tools))
	assert.Equal(t, "chant_spec_list", tools.Tools[0].Name)
	list := call(t, s, "chant_spec_list", map[string]any{"limit": 1})
	specs, ok := list["specs"].([]any)
	assert.True(t, ok, "list %v", list)
	assert.Equal(t, 1, len(specs))
	assert.True(t, list["total"] == float64(1), "list %v", list)
	got := call(t, s, "chant_spec_get", map[string]any{"id": "007"})
	assert.True(t, got["id"] == mcpID, "get %v", got)
	assert.True(t, got["title"] == "Greet the reader", "get %v", got)
	refused, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "chant_spec_get", Arguments: map[string]any{"id": "999"}})
	assert.NoError(t, err, "no such spec")
	assert.True(t, refused.IsError, "no such spec: got %+v, %v", refused, err)

	resources, err := s.ListResources(ctx, nil)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(resources.Resources))
	assert.Equal(t, "spec://"+mcpID, resources.Resources[0].URI)
	read, err := s.ReadResource(ctx, &sdk.ReadResourceParams{URI: "spec://" + mcpID})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(read.Contents))
	assert.Equal(t, mcpSpec, read.Contents[0].Text)
	_, err = s.ReadResource(ctx, &sdk.ReadResourceParams{URI: "spec://999"})
	assert.Error(t, err, "a spec that does not exist was read")

	prompts, err := s.ListPrompts(ctx, nil)
	assert.NoError(t, err)
	assert.True(t, slices.ContainsFunc(prompts.Prompts, func(p *sdk.Prompt) bool { return p.Name == "standard" }), "prompts %+v, %v", prompts, err)
	prompt, err := s.GetPrompt(ctx, &sdk.GetPromptParams{Name: "standard", Arguments: map[string]string{"id": mcpID}})
	assert.NoError(t, err, "prompt %+v", prompt)
	assert.Equal(t, 1, len(prompt.Messages), "prompt %+v", prompt)
	text, ok := prompt.Messages[0].Content.(*sdk.TextContent)
	assert.True(t, ok, "prompt says %+v", prompt.Messages[0].Content)
	assert.Contains(t, text.Text, "Greet the reader", "prompt says %+v", prompt.Messages[0].Content)
	guess, err := s.Complete(ctx, &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "standard"}, Argument: sdk.CompleteParamsArgument{Name: "id", Value: "007"},
	})
	assert.NoError(t, err)
	assert.Equal(t, []string{mcpID}, guess.Completion.Values)
}

// call returns the structured content of a call that has to succeed.
func call(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) map[string]any {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	assert.NoError(t, err)
	content, ok := r.StructuredContent.(map[string]any)
	assert.False(t, r.IsError, "%s: %+v", tool, r)
	assert.True(t, ok, "%s: %+v", tool, r)
	return content
}
