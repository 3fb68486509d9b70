package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// askingTools are the fixtures that want something of their client.
func askingTools(lost *cutter) map[string]mcpserver.ToolHandlerFunc {
	return map[string]mcpserver.ToolHandlerFunc{
		"test_sampling": func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			prompt := mcpgo.NewTextContent(r.GetString("prompt", ""))
			var got struct {
				Content struct{ Text string } `json:"content"`
			}
			err := askFor(ctx, "sampling/createMessage", map[string]any{
				"messages": []any{map[string]any{"role": "user", "content": prompt}}, "maxTokens": 100,
			}, &got)
			return mcpgo.NewToolResultText("LLM response: " + got.Content.Text), err
		},
		"test_elicitation": func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			text := map[string]any{"type": "string", "description": "an answer"}
			return elicit(ctx, r.GetString("message", ""), map[string]any{"username": text, "email": text}, "username", "email")
		},
		"test_elicitation_sep1034_defaults": func(ctx context.Context, _ mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return elicit(ctx, "Please check", map[string]any{
				"name":     map[string]any{"type": "string", "default": "John Doe"},
				"age":      map[string]any{"type": "integer", "default": 30},
				"score":    map[string]any{"type": "number", "default": 95.5},
				"status":   map[string]any{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
				"verified": map[string]any{"type": "boolean", "default": true},
			})
		},
		"test_elicitation_sep1330_enums": func(ctx context.Context, _ mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return elicit(ctx, "Please choose", choices())
		},
		"test_reconnection": func(ctx context.Context, _ mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return mcpgo.NewToolResultText("fetched later"), lost.cut(ctx)
		},
	}
}

// choices is every way to write a choice in a schema.
func choices() map[string]any {
	titled := func(first string) []any {
		return []any{
			map[string]any{"const": "value1", "title": first}, map[string]any{"const": "value2", "title": "Second"},
			map[string]any{"const": "value3", "title": "Third"},
		}
	}
	options := []string{"option1", "option2", "option3"}
	return map[string]any{
		"untitledSingle": map[string]any{"type": "string", "enum": options},
		"titledSingle":   map[string]any{"type": "string", "oneOf": titled("First Option")},
		"legacyEnum":     map[string]any{"type": "string", "enum": []string{"opt1", "opt2", "opt3"}, "enumNames": []string{"Option One", "Option Two", "Option Three"}},
		"untitledMulti":  map[string]any{"type": "array", "items": map[string]any{"type": "string", "enum": options}},
		"titledMulti":    map[string]any{"type": "array", "items": map[string]any{"anyOf": titled("First Choice")}},
	}
}

func elicit(ctx context.Context, text string, properties map[string]any, required ...string) (*mcpgo.CallToolResult, error) {
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	var got struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	err := askFor(ctx, "elicitation/create", map[string]any{"message": text, "requestedSchema": schema}, &got)
	return mcpgo.NewToolResultText(fmt.Sprintf("Elicitation completed: action=%s, content=%s", got.Action, got.Content)), err
}

func askFor(ctx context.Context, method string, params, into any) error {
	answer, err := sessionOf(ctx).ask(ctx, method, params)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// cutter ends the connection of a call while the call goes on.
type cutter struct{ now, gone chan struct{} }

func newCutter() *cutter { return &cutter{make(chan struct{}), make(chan struct{})} }

// cut returns once the connection is gone.
func (c *cutter) cut(ctx context.Context) error {
	select {
	case c.now <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-c.gone:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// around lets go of calls of test_reconnection when they ask for it.
func (c *cutter) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil || !bytes.Contains(body, []byte(`"test_reconnection"`)) {
			next.ServeHTTP(w, r)
			return
		}
		ctx, stop := context.WithCancel(r.Context())
		defer stop()
		over := make(chan struct{})
		go func() {
			defer close(over)
			next.ServeHTTP(w, r.WithContext(ctx))
		}()
		select {
		case <-c.now:
			stop()
			<-over
			c.gone <- struct{}{}
		case <-over:
		}
	})
}
