package cli

import (
	"encoding/json"
	"strconv"
	"strings"

	"chant/providers"
)

// codexDecoder reads the JSON lines of codex exec. They have neither a model nor a cost,
// and tokens only at the end.
type codexDecoder struct {
	protocol
	before prior // of the resumed session
	turns  turns
	text   string // what the agent said last
	usage  *providers.Usage
	ended  string // turn.completed or turn.failed
	reason string
}

type codexEvent struct {
	Type    string `json:"type"`
	Thread  string `json:"thread_id"`
	Message string `json:"message"` // error
	Error   struct {
		Message string `json:"message"`
	} `json:"error"` // turn.failed
	Item  codexItem `json:"item"`
	Usage *struct {
		Input       providers.Count `json:"input_tokens"` // holds the next two
		CachedInput providers.Count `json:"cached_input_tokens"`
		CacheWrites providers.Count `json:"cache_write_input_tokens"`
		Output      providers.Count `json:"output_tokens"` // reasoning among it
	} `json:"usage"` // turn.completed
}

// Line implements providers.Decoder.
func (d *codexDecoder) Line(line []byte) []providers.Event {
	var e codexEvent
	if other, ok := d.read(line, &e); !ok || e.Type == "" {
		return d.passStray(line, other)
	}
	switch e.Type {
	case "thread.started":
		d.session = e.Thread
		return []providers.Event{{Kind: providers.Init, Session: e.Thread, Text: "session " + e.Thread}}
	// A turn that failed may be followed by another one, which is then what counts.
	case "turn.started":
		d.ended, d.reason = "", ""
	case "item.started":
		return d.begun(e.Item)
	case "item.completed":
		return d.completed(e.Item)
	case "error":
		// These errors are not final: codex tries again.
		if strings.HasPrefix(e.Message, "Reconnecting") {
			return []providers.Event{{Kind: providers.Retry, Text: e.Message, Refused: codexRefused(e.Message)}}
		}
		d.reason = e.Message
	case "turn.completed", "turn.failed":
		return d.end(e)
	}
	return nil
}

// codexRefused says why connecting again cannot help. codex renews a login before it reports
// a status.
func codexRefused(message string) string {
	_, rest, found := strings.Cut(message, "unexpected status ")
	if !found {
		return ""
	}
	number, said, _ := strings.Cut(strings.TrimSuffix(rest, ")"), " ")
	status, err := strconv.Atoi(number)
	if err != nil {
		return ""
	}
	return providers.Refused(status, said)
}

func (d *codexDecoder) end(e codexEvent) []providers.Event {
	// A turn that has failed cannot be completed before another one begins.
	if d.ended != "turn.failed" {
		d.ended = e.Type
	}
	if e.Error.Message != "" {
		d.reason = e.Error.Message
	}
	events := []providers.Event{{Kind: providers.Finished, Text: strings.TrimPrefix(e.Type, "turn.")}}
	if u := e.Usage; u != nil {
		usage := providers.Counts{Input: u.Input, CachedInput: u.CachedInput, CacheWrites: u.CacheWrites, Output: u.Output}.Usage()
		if usage != nil {
			// codex counts what was read from or written to a cache as input.
			usage.Input = max(0, usage.Input-usage.CachedInput-usage.CacheWrites)
		}
		// It counts from the start of the session, also of a resumed one.
		d.usage = d.before.usageSince(usage)
		events = append(events, spendingEvent(providers.Spent{Usage: d.usage, Turns: d.turns.n}))
	}
	return events
}

// Finish judges by the last turn.
func (d *codexDecoder) Finish(exit providers.Exit) providers.Verdict {
	v := providers.Verdict{
		OK: d.ended == "turn.completed", SessionID: d.session, Text: d.text, Usage: d.usage, Turns: d.turns.n, Denied: d.deniedTools(),
	}
	switch {
	case v.OK:
	case d.reason != "":
		v.Fail(0, d.reason)
	default:
		d.failWithoutEnd(&v, "turn", exit)
	}
	return v
}

// codexItem is one thing that the agent did.
type codexItem struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`    // agent_message
	Message string          `json:"message"` // error, which is only a warning
	Command string          `json:"command"` // command_execution
	Output  string          `json:"aggregated_output"`
	Exit    *int            `json:"exit_code"`
	Status  string          `json:"status"`
	Server  string          `json:"server"` // mcp_tool_call
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"arguments"`
	Result  *struct {
		Content json.RawMessage `json:"content"`
	} `json:"result"`
	Error   *struct{ Message string } `json:"error"`
	Changes json.RawMessage           `json:"changes"` // file_change
}

func (i codexItem) tool() string {
	switch i.Type {
	case "mcp_tool_call":
		return i.Server + "." + i.Tool
	case "command_execution":
		return "shell"
	}
	return i.Type
}

func (d *codexDecoder) begun(i codexItem) []providers.Event {
	text := i.Command
	switch i.Type {
	case "mcp_tool_call":
		text = plain(i.Args)
	case "file_change":
		text = plain(i.Changes)
	case "command_execution", "web_search":
	default:
		return nil
	}
	return d.withTurns(providers.Event{Kind: providers.ToolCall, Tool: i.tool(), Text: text})
}

// withTurns inserts the number of answers after the first event of an answer.
func (d *codexDecoder) withTurns(e providers.Event) []providers.Event {
	if !d.turns.beginsAnswer() {
		return []providers.Event{e}
	}
	return []providers.Event{e, spendingEvent(providers.Spent{Turns: d.turns.n})}
}

func (d *codexDecoder) completed(i codexItem) []providers.Event {
	switch i.Type {
	case "agent_message":
		d.text = i.Text
		return d.withTurns(providers.Event{Kind: providers.Text, Text: i.Text})
	case "error":
		return []providers.Event{{Kind: providers.Output, Text: i.Message}}
	case "mcp_tool_call":
		d.turns.endAnswer()
		if i.Error != nil {
			return d.failed(i, i.Error.Message)
		}
		if i.Result != nil {
			return []providers.Event{{Kind: providers.ToolResult, Tool: i.tool(), Text: blockText(i.Result.Content)}}
		}
	case "command_execution":
		d.turns.endAnswer()
		if i.Status == "declined" {
			return d.failed(i, "declined: "+i.Command)
		}
		return []providers.Event{{Kind: providers.ToolResult, Tool: i.tool(), Text: exitText(i.Exit) + i.Output}}
	case "file_change":
		d.turns.endAnswer()
		return []providers.Event{{Kind: providers.ToolResult, Tool: i.tool(), Text: i.Status}}
	}
	return nil
}

// failed reports whether a tool failed, as opposed to being refused.
func (d *codexDecoder) failed(i codexItem, why string) []providers.Event {
	// A refusal has no mark of its own in calls of servers, only these words.
	if i.Status == "declined" || strings.Contains(why, "requires approval") || strings.Contains(why, "rejected") {
		d.refuse(i.tool())
		return []providers.Event{{Kind: providers.Denied, Tool: i.tool(), Text: why}}
	}
	return []providers.Event{{Kind: providers.ToolResult, Tool: i.tool(), Text: "error: " + why}}
}
