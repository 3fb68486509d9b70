package loop

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"chant/providers"
)

// ollama implements the chat of Ollama, one JSON object per line.
type ollama struct {
	Config
	web *client
}

func newOllama(c Config, web *client) asker { return ollama{c, web} }

type ollamaRequest struct {
	Model    string          `json:"model"`
	Messages []ollamaMessage `json:"messages"`
	Tools    []openAITool    `json:"tools,omitempty"`
	Stream   bool            `json:"stream"`
	Options  ollamaOptions   `json:"options"`
}

// ollamaOptions: without num_ctx the server would cut the conversation at its own, much
// smaller default, without a notice.
type ollamaOptions struct {
	Context   int `json:"num_ctx"`
	MaxTokens int `json:"num_predict,omitempty"`
}

type ollamaMessage struct {
	Role    string       `json:"role"`
	Content string       `json:"content"`
	Calls   []ollamaCall `json:"tool_calls,omitempty"`
	Tool    string       `json:"tool_name,omitempty"`
}

type ollamaCall struct {
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// ollamaChunk is a piece of an answer.
type ollamaChunk struct {
	Model   string          `json:"model"`
	Message ollamaMessage   `json:"message"`
	Done    bool            `json:"done"`
	Reason  string          `json:"done_reason"`
	Read    providers.Count `json:"prompt_eval_count"`
	Written providers.Count `json:"eval_count"`
	Error   json.RawMessage `json:"error"`
}

func (o ollama) ask(ctx context.Context, c conversation) (answer, error) {
	req := ollamaRequest{
		Model: o.Model, Messages: ollamaMessages(c), Tools: openAITools(c.Tools), Stream: true,
		// Without the size of the context, the server cuts the conversation at its own, much smaller default, without a
		// notice.
		Options: ollamaOptions{o.Context, o.MaxTokens},
	}
	var got answer
	read := func(stream io.Reader) (err error) {
		got, err = ollamaAnswer(stream)
		return err
	}
	sent, err := o.web.post(ctx, "/api/chat", o.web.bearerHeader(), req, read)
	got.Sent = sent
	return got, err
}

func ollamaMessages(c conversation) []ollamaMessage {
	out := []ollamaMessage{{Role: "system", Content: c.System}}
	for _, m := range c.Messages {
		if m.Role == fromTools {
			for _, r := range m.Results {
				out = append(out, ollamaMessage{Role: "tool", Content: r.Text, Tool: r.Tool})
			}
			continue
		}
		said := ollamaMessage{Role: m.Role, Content: m.Text}
		for _, k := range m.Calls {
			var o ollamaCall
			o.Function.Name, o.Function.Arguments = k.Tool, k.object()
			said.Calls = append(said.Calls, o)
		}
		out = append(out, said)
	}
	return out
}

// ollamaAnswer gathers the pieces of an answer. Calls come whole, and have no ids.
func ollamaAnswer(stream io.Reader) (answer, error) {
	var got answer
	var text strings.Builder
	err := eachObject(stream, func(line []byte) (bool, error) {
		if len(line) == 0 {
			return false, nil
		}
		var piece ollamaChunk
		if err := decode(line, &piece); err != nil {
			return false, err
		}
		if hasContent(piece.Error) {
			return false, streamedError(line)
		}
		text.WriteString(piece.Message.Content)
		for _, k := range piece.Message.Calls {
			got.Calls = append(got.Calls, call{Tool: k.Function.Name, Input: unquoteArguments(k.Function.Arguments)})
		}
		if piece.Done {
			got.Model, got.Cut = piece.Model, piece.Reason == "length"
			// An odd count is left out rather than guessed.
			if told := (providers.Counts{Input: piece.Read, Output: piece.Written}).Usage(); told != nil {
				got.Usage = *told
			}
		}
		return piece.Done, nil
	})
	if err != nil {
		return answer{}, err
	}
	got.Text = text.String()
	return got, nil
}
