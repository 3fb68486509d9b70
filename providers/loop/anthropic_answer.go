package loop

import (
	"encoding/json"
	"io"
	"strings"

	"chant/providers"
)

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
		if hasContent(e.Error) {
			return false, brokeOff(data)
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
		case "message_delta": // its count is a total, not one more
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

func (a *anthropicAnswer) whole(sent int) answer {
	for i, c := range a.calls {
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
