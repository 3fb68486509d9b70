package cli

import (
	"encoding/json"
	"strings"

	"chant/providers"
)

// claudeMessage is what an assistant or user event carries. Content is a list
// of blocks, or a plain string.
type claudeMessage struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"`
	Usage   *claudeUsage    `json:"usage"`
}

type claudeBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// message turns the blocks of one message into events.
func (d *claudeDecoder) message(raw json.RawMessage) []providers.Event {
	var message claudeMessage
	var blocks []claudeBlock
	// A shape that is not known yields no event; the result event decides.
	if json.Unmarshal(raw, &message) != nil || json.Unmarshal(message.Content, &blocks) != nil {
		return nil
	}
	// A made-up message, such as that for an API error, names no real model.
	if d.model == "" && !strings.HasPrefix(message.Model, "<") {
		d.model = message.Model
	}
	var events []providers.Event
	for _, block := range blocks {
		if event, ok := d.block(block); ok {
			events = append(events, event)
		}
	}
	if message.Usage == nil {
		return events
	}
	d.answers.add(message.ID, message.Usage.tokens(d.cachedInside))
	return append(events, d.answers.event(d.model))
}

// piece records a streamed piece of an answer, to count the output of the model, which a
// message only estimates.
func (d *claudeDecoder) piece(raw json.RawMessage) []providers.Event {
	var e struct {
		Type    string        `json:"type"`
		Message claudeMessage `json:"message"` // message_start
		Usage   *claudeUsage  `json:"usage"`   // message_delta
	}
	if json.Unmarshal(raw, &e) != nil {
		return nil
	}
	switch {
	case e.Type == "message_start":
		d.answer = e.Message.ID
	case e.Type == "message_delta" && e.Usage != nil && d.answer != "":
		d.answers.addOutput(d.answer, e.Usage.Output.N)
		return []providers.Event{d.answers.event(d.model)}
	}
	return nil
}

func (d *claudeDecoder) block(b claudeBlock) (providers.Event, bool) {
	switch b.Type {
	case "text":
		return providers.Event{Kind: providers.Text, Text: b.Text}, b.Text != ""
	case "tool_use":
		d.recordCall(b.ID, b.Name)
		return providers.Event{Kind: providers.ToolCall, Tool: b.Name, Text: plain(b.Input)}, true
	case "tool_result":
		text := blockText(b.Content)
		if b.IsError {
			text = "error: " + text
		}
		event := providers.Event{Kind: providers.ToolResult, Tool: d.tools[b.ToolUseID], Text: text}
		delete(d.tools, b.ToolUseID)
		return event, true
	}
	return providers.Event{}, false
}
