package loop

import (
	"context"
	"encoding/json"
)

// openAI implements Chat Completions.
type openAI struct {
	Config
	web *client
}

func newOpenAI(c Config, web *client) asker { return openAI{c, web} }

type openAIRequest struct {
	Model         string          `json:"model"`
	Messages      []openAIMessage `json:"messages"`
	Tools         []openAITool    `json:"tools,omitempty"`
	Stream        bool            `json:"stream"`
	StreamOptions map[string]bool `json:"stream_options"`
	MaxTokens     int             `json:"max_tokens,omitempty"`
	MaxCompletion int             `json:"max_completion_tokens,omitempty"`
}

type openAIMessage struct {
	Role    string       `json:"role"`
	Content string       `json:"content"`
	Calls   []openAICall `json:"tool_calls,omitempty"`
	CallID  string       `json:"tool_call_id,omitempty"`
}

type openAICall struct {
	Index    int            `json:"index"`
	ID       string         `json:"id,omitempty"`
	Type     string         `json:"type,omitempty"`
	Function openAIFunction `json:"function"`
}

type openAIFunction struct {
	Name      string          `json:"name,omitempty"`
	Arguments openAIArguments `json:"arguments"`
}

// openAIArguments are a text that holds JSON, of which some servers make plain JSON.
type openAIArguments string

// UnmarshalJSON reads both.
func (a *openAIArguments) UnmarshalJSON(src []byte) error {
	if string(src) != "null" {
		*a = openAIArguments(unquoteArguments(src))
	}
	return nil
}

type openAITool struct {
	Type     string         `json:"type"`
	Function openAIToolText `json:"function"`
}

type openAIToolText struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

func (o openAI) ask(ctx context.Context, c conversation) (answer, error) {
	req := openAIRequest{
		Model: o.Model, Messages: openAIMessages(c), Tools: openAITools(c.Tools),
		Stream: true, StreamOptions: map[string]bool{"include_usage": true}, MaxTokens: o.MaxTokens,
	}
	// OpenAI's own server refuses for its newer models the field that all others ask for.
	if o.Endpoint == apis()[OpenAI].endpoint {
		req.MaxTokens, req.MaxCompletion = 0, o.MaxTokens
	}
	var got openAIAnswer
	sent, err := o.web.post(ctx, "/chat/completions", o.web.bearerHeader(), req, got.read)
	if err != nil {
		return answer{}, err
	}
	return got.assemble(sent), nil
}

func openAIMessages(c conversation) []openAIMessage {
	out := []openAIMessage{{Role: "system", Content: c.System}}
	for _, m := range c.Messages {
		if m.Role == fromTools {
			for _, r := range m.Results {
				out = append(out, openAIMessage{Role: "tool", Content: r.Text, CallID: r.ID})
			}
			continue
		}
		said := openAIMessage{Role: m.Role, Content: m.Text}
		for i, k := range m.Calls {
			said.Calls = append(said.Calls, openAICall{i, k.ID, "function", openAIFunction{k.Tool, openAIArguments(k.object())}})
		}
		out = append(out, said)
	}
	return out
}

// openAITools is the form of tools that Ollama has taken over.
func openAITools(tools []Tool) []openAITool {
	var out []openAITool
	for _, t := range tools {
		out = append(out, openAITool{"function", openAIToolText{t.Name, t.Description, t.Schema}})
	}
	return out
}
