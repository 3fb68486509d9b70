package mcp

import (
	"context"
	"encoding/json"
	"testing"

	"chant/engine"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
)

// TestContent sends every kind of block through the pipe, in each version as that has it.
func TestContent(t *testing.T) {
	t.Parallel()
	priority := 0.5
	hints := toolset.Annotations{
		Audience: []string{toolset.ForUser, toolset.ForAssistant}, Priority: &priority,
	}
	none := 0.0
	blocks := []toolset.Block{
		{Text: "a text", Hints: hints},
		{Text: "plain", Hints: toolset.Annotations{Priority: &none}},
		{Link: &toolset.Link{URI: "file:///a.go", Name: "a.go", Description: "a file", MIME: "text/x-go"}, Hints: hints},
		{Link: &toolset.Link{URI: "file:///b.go", Name: "b.go"}},
		{Link: &toolset.Link{URI: "file:///c.go", Name: "c.go"}, Repeats: true},
	}
	const (
		texts = `{"annotations":{"audience":["user","assistant"],"priority":0.5},"type":"text","text":"a text"},` +
			`{"annotations":{"priority":0},"type":"text","text":"plain"},`
		links = `{"annotations":{"audience":["user","assistant"],"priority":0.5},"type":"resource_link","uri":"file:///a.go","name":"a.go","description":"a file","mimeType":"text/x-go"},` +
			`{"type":"resource_link","uri":"file:///b.go","name":"b.go"},{"type":"resource_link","uri":"file:///c.go","name":"c.go"}`
		linkTexts = `{"annotations":{"audience":["user","assistant"],"priority":0.5},"type":"text","text":"[a.go](file:///a.go): a file"},` +
			`{"type":"text","text":"[b.go](file:///b.go)"}`
	)
	for version, want := range map[string]string{
		"":           texts + links,
		"2025-11-25": texts + links,
		"2025-06-18": texts + links,
		"2025-03-26": texts + linkTexts,
		"2024-11-05": texts + linkTexts,
	} {
		c := connect(t.Context(), t, toolset.Tool{Name: "show", Op: toolset.WithContent(
			func(context.Context, *engine.Project, echoInput) (echoResult, error) { return echoResult{"shown"}, nil },
			func(echoInput, echoResult) ([]toolset.Block, error) { return blocks, nil })})
		if version != "" {
			c.greet(version)
		}
		c.send(callLine(1, "show", struct{}{}))
		line, err := c.out.ReadString('\n')
		assert.NoError(t, err)
		var got struct {
			Result struct{ Content json.RawMessage }
		}
		assert.NoError(t, json.Unmarshal([]byte(line), &got), "%s", version)
		assert.Equal(t, "["+want+"]", string(got.Result.Content), "%s", version)
		c.end()
	}
}
