package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"chant/engine"
	"chant/mcp/toolset"
)

// pixel is a PNG of one red pixel, and silence a WAV without samples, in base64.
const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
	silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
)

// fixtureServer is the protocol layer of this package around what the conformance
// suite wants to find in a server.
func fixtureServer(logs io.Writer, lost *cutter) *server {
	s := &server{open: nowhere, log: log.New(logs, "", 0)}
	s.marks = func(context.Context, string) (string, error) { return "unchanged", nil }
	s.core = mcpserver.NewMCPServer("fixture", "1",
		mcpserver.WithToolCapabilities(false), mcpserver.WithPromptCapabilities(false),
		mcpserver.WithResourceCapabilities(true, false), mcpserver.WithLogging(), mcpserver.WithCompletions())
	tools := fixtureTools(s.core)
	maps.Copy(tools, askingTools(lost))
	shown := []any{mcpgo.NewToolWithRawSchema("json_schema_2020_12_tool", "a schema with every keyword", modernSchema())}
	// They take any arguments, and runs below carries them out.
	takesAny := toolset.Operation(func(context.Context, *engine.Project, struct{}) (struct{}, error) { return struct{}{}, nil })
	for name := range tools {
		s.catalog.Tools = append(s.catalog.Tools, toolset.Tool{Name: name, Slow: toolset.Always, Op: takesAny})
		shown = append(shown, mcpgo.NewTool(name, mcpgo.WithDescription(name)))
	}
	s.lists = func(context.Context) ([]any, error) { return shown, nil }
	s.runs = func(ctx context.Context, t toolset.Tool, r *toolRequest) (*mcpgo.CallToolResult, error) {
		return tools[t.Name](ctx, mcpgo.CallToolRequest{Params: mcpgo.CallToolParams{Name: t.Name, Arguments: r.call.args, Meta: r.meta}})
	}
	addFixtureResources(s.core)
	addFixturePrompts(s.core)
	return s
}

func modernSchema() json.RawMessage {
	return json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
		"additionalProperties": false
	}`)
}

func fixtureTools(core *mcpserver.MCPServer) map[string]mcpserver.ToolHandlerFunc {
	content := func(all ...mcpgo.Content) mcpserver.ToolHandlerFunc {
		return func(context.Context, mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return &mcpgo.CallToolResult{Content: all}, nil
		}
	}
	text, image := mcpgo.NewTextContent, mcpgo.NewImageContent(pixel, "image/png")
	return map[string]mcpserver.ToolHandlerFunc{
		"test_simple_text":       content(text("This is a simple text response for testing.")),
		"test_image_content":     content(image),
		"test_audio_content":     content(mcpgo.NewAudioContent(silence, "audio/wav")),
		"test_embedded_resource": content(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
		"test_multiple_content_types": content(text("Multiple content types test:"), image,
			embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`)),
		"test_error_handling": func(context.Context, mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return mcpgo.NewToolResultError("This tool intentionally returns an error for testing"), nil
		},
		"test_tool_with_logging": func(ctx context.Context, _ mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
				if err := core.SendNotificationToClient(ctx, "notifications/message", map[string]any{"level": "info", "data": line}); err != nil {
					return nil, err
				}
			}
			return mcpgo.NewToolResultText("logged"), nil
		},
		"test_tool_with_progress": func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			for _, n := range []int{0, 50, 100} {
				params := map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": n, "total": 100}
				if err := core.SendNotificationToClient(ctx, "notifications/progress", params); err != nil {
					return nil, err
				}
			}
			return mcpgo.NewToolResultText("done"), nil
		},
	}
}

func embedded(uri, mime, text string) mcpgo.EmbeddedResource {
	return mcpgo.NewEmbeddedResource(mcpgo.TextResourceContents{URI: uri, MIMEType: mime, Text: text})
}

func addFixtureResources(core *mcpserver.MCPServer) {
	serve := func(c mcpgo.ResourceContents) mcpserver.ResourceHandlerFunc {
		return func(context.Context, mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
			return []mcpgo.ResourceContents{c}, nil
		}
	}
	core.AddResource(mcpgo.NewResource("test://static-text", "text"), serve(mcpgo.TextResourceContents{
		URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource.",
	}))
	core.AddResource(mcpgo.NewResource("test://static-binary", "binary"), serve(mcpgo.BlobResourceContents{
		URI: "test://static-binary", MIMEType: "image/png", Blob: pixel,
	}))
	core.AddResource(mcpgo.NewResource("test://watched-resource", "watched"), serve(mcpgo.TextResourceContents{
		URI: "test://watched-resource", MIMEType: "text/plain", Text: "watched",
	}))
	core.AddResourceTemplate(mcpgo.NewResourceTemplate("test://template/{id}/data", "template"),
		func(_ context.Context, r mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
			return []mcpgo.ResourceContents{mcpgo.TextResourceContents{
				URI: r.Params.URI, MIMEType: "application/json",
				Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
			}}, nil
		})
}

func addFixturePrompts(core *mcpserver.MCPServer) {
	user := func(c mcpgo.Content) mcpgo.PromptMessage { return mcpgo.NewPromptMessage(mcpgo.RoleUser, c) }
	add := func(name string, messages func(args map[string]string) []mcpgo.PromptMessage, args ...string) {
		p := mcpgo.Prompt{Name: name, Description: name}
		for _, a := range args {
			p.Arguments = append(p.Arguments, mcpgo.PromptArgument{Name: a, Required: true})
		}
		core.AddPrompt(p, func(_ context.Context, r mcpgo.GetPromptRequest) (*mcpgo.GetPromptResult, error) {
			return mcpgo.NewGetPromptResult(name, messages(r.Params.Arguments)), nil
		})
	}
	add("test_simple_prompt", func(map[string]string) []mcpgo.PromptMessage {
		return []mcpgo.PromptMessage{user(mcpgo.NewTextContent("This is a simple prompt for testing."))}
	})
	add("test_prompt_with_arguments", func(args map[string]string) []mcpgo.PromptMessage {
		text := fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"])
		return []mcpgo.PromptMessage{user(mcpgo.NewTextContent(text))}
	}, "arg1", "arg2")
	add("test_prompt_with_embedded_resource", func(args map[string]string) []mcpgo.PromptMessage {
		return []mcpgo.PromptMessage{
			user(embedded(args["resourceUri"], "text/plain", "Embedded resource content for testing.")),
			user(mcpgo.NewTextContent("Please process the embedded resource above.")),
		}
	}, "resourceUri")
	add("test_prompt_with_image", func(map[string]string) []mcpgo.PromptMessage {
		return []mcpgo.PromptMessage{user(mcpgo.NewImageContent(pixel, "image/png")), user(mcpgo.NewTextContent("Please analyze the image above."))}
	})
}
