package loop

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"chant/providers"
)

// anthropic implements Messages.
type anthropic struct {
	Config
	web *client
}

func newAnthropic(c Config, web *client) asker { return anthropic{c, web} }

// anthropicVersion is the version of the API that this file implements.
const anthropicVersion = "2023-06-01"

type anthropicRequest struct {
	Model     string             `json:"model"`
	MaxTokens int                `json:"max_tokens"`
	System    []anthropicBlock   `json:"system"`
	Messages  []anthropicMessage `json:"messages"`
	Tools     []anthropicTool    `json:"tools,omitempty"`
	Stream    bool               `json:"stream"`
}

type anthropicMessage struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
}

type anthropicBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Name    string          `json:"name,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	CallID  string          `json:"tool_use_id,omitempty"`
	Content string          `json:"content,omitempty"`
	IsError bool            `json:"is_error,omitempty"`
	// Cache marks how far the next request repeats this one. Up to there the server
	// remembers what it has read.
	Cache *anthropicCache `json:"cache_control,omitempty"`
}

type anthropicCache struct {
	Type string `json:"type"`
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
}

func (a anthropic) ask(ctx context.Context, c conversation) (answer, error) {
	req := anthropicRequest{
		Model: a.Model, MaxTokens: a.MaxTokens, Stream: true,
		System:   []anthropicBlock{{Type: "text", Text: c.System, Cache: &anthropicCache{"ephemeral"}}},
		Messages: anthropicMessages(c.Messages),
	}
	for _, t := range c.Tools {
		req.Tools = append(req.Tools, anthropicTool{t.Name, t.Description, t.Schema})
	}
	header := http.Header{}
	header.Set("anthropic-version", anthropicVersion)
	if a.web.key != "" {
		header.Set("x-api-key", a.web.key)
	}
	var got anthropicAnswer
	sent, err := a.web.post(ctx, "/v1/messages", header, req, got.read)
	if err != nil {
		return answer{}, err
	}
	return got.assemble(sent), nil
}

// anthropicMessages puts what follows each other in one role into one message, as the
// API has it, and marks the last.
func anthropicMessages(messages []message) []anthropicMessage {
	var out []anthropicMessage
	for _, m := range messages {
		blocks := anthropicBlocks(m)
		if len(blocks) == 0 {
			// The API refuses empty messages.
			continue
		}
		role := fromUser
		if m.Role == fromModel {
			role = fromModel
		}
		// The API wants the roles in turn.
		if len(out) == 0 || out[len(out)-1].Role != role {
			out = append(out, anthropicMessage{Role: role})
		}
		last := &out[len(out)-1]
		last.Content = append(last.Content, blocks...)
	}
	// Up to this mark the next request repeats this one, and the server need not read it again.
	if n := len(out); n > 0 {
		blocks := out[n-1].Content
		blocks[len(blocks)-1].Cache = &anthropicCache{"ephemeral"}
	}
	return out
}

func anthropicBlocks(m message) []anthropicBlock {
	var blocks []anthropicBlock
	// The API refuses blank texts.
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, anthropicBlock{Type: "text", Text: m.Text})
	}
	for _, k := range m.Calls {
		blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: k.ID, Name: k.Tool, Input: k.object()})
	}
	for _, r := range m.Results {
		blocks = append(blocks, anthropicBlock{Type: "tool_result", CallID: r.ID, Content: r.Text, IsError: r.Error})
	}
	return blocks
}

// anthropicEvent has the fields of all events that matter here.
type anthropicEvent struct {
	Type    string `json:"type"`
	Message struct {
		Model string         `json:"model"`
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Index int            `json:"index"`
	Block anthropicBlock `json:"content_block"`
	Delta struct {
		Text string `json:"text"`
		JSON string `json:"partial_json"`
		Stop string `json:"stop_reason"`
	} `json:"delta"`
	Usage anthropicUsage  `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type anthropicUsage struct {
	Input       providers.Count `json:"input_tokens"`
	CacheWrites providers.Count `json:"cache_creation_input_tokens"`
	CacheReads  providers.Count `json:"cache_read_input_tokens"`
	Output      providers.Count `json:"output_tokens"`
}

// anthropicAnswer gathers the pieces of an answer.
type anthropicAnswer struct {
	text  strings.Builder
	calls []call
	open  map[int]int // the call of each block
	model string
	stop  string
	usage *providers.Usage // nil: not reported
}

func (a *anthropicAnswer) read(stream io.Reader) error {
	a.open, a.usage = map[int]int{}, &providers.Usage{}
	return eachEvent(stream, func(data []byte) (bool, error) {
		var e anthropicEvent
		if err := decode(data, &e); err != nil {
			return false, err
		}
		// An error may come after a part of the answer, with the status 200.
		if hasContent(e.Error) {
			return false, streamedError(data)
		}
		switch e.Type {
		case "message_start":
			u := e.Message.Usage
			a.model = e.Message.Model
			a.usage = providers.Counts{Input: u.Input, CachedInput: u.CacheReads, CacheWrites: u.CacheWrites, Output: u.Output}.Usage()
		case "content_block_start":
			a.start(e)
		case "content_block_delta":
			a.text.WriteString(e.Delta.Text)
			if at, ok := a.open[e.Index]; ok {
				a.calls[at].Input += e.Delta.JSON
			}
		// Its count is a total, not one more.
		case "message_delta":
			a.stop = e.Delta.Stop
			if e.Usage.Output.Odd {
				a.usage = nil
			}
			if a.usage != nil {
				a.usage.Output = max(a.usage.Output, e.Usage.Output.N)
			}
		}
		return e.Type == "message_stop", nil
	})
}

func (a *anthropicAnswer) start(e anthropicEvent) {
	switch e.Block.Type {
	case "tool_use":
		a.open[e.Index] = len(a.calls)
		a.calls = append(a.calls, call{ID: e.Block.ID, Tool: e.Block.Name})
	case "text":
		a.text.WriteString(e.Block.Text)
	}
}

func (a *anthropicAnswer) assemble(sent int) answer {
	for i, c := range a.calls {
		// A tool without arguments has no pieces of input.
		if c.Input == "" {
			a.calls[i].Input = "{}"
		}
	}
	got := answer{Text: a.text.String(), Calls: a.calls, Model: a.model, Sent: sent}
	if a.usage != nil {
		got.Usage = *a.usage
	}
	switch a.stop {
	case "max_tokens", "model_context_window_exceeded":
		got.Cut = true
	case "pause_turn":
		got.Paused = true
	case "refusal":
		got.Refused = a.stop
	}
	return got
}
