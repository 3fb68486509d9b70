package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"chant/providers"
)

// copilotDecoder reads the JSON lines of copilot. They contain neither tokens nor cost; tokens
// are in a file of the session after its end.
type copilotDecoder struct {
	protocol
	home     string // where copilot keeps its sessions, "" when that is not known
	wantMCP  bool
	model    string
	turns    int
	text     string // the last answer that calls nothing
	exit     string // the result's, unchanged
	aborted  bool
	reason   string
	code     int // the HTTP status of the API's last answer, 0 if it is not known
	failures int // of calls, since the last answer
}

type copilotEvent struct {
	Type    string          `json:"type"`
	Data    copilotData     `json:"data"`
	Session string          `json:"sessionId"` // result
	Exit    json.RawMessage `json:"exitCode"`  // no number: one of another shape would read as 0
}

type copilotData struct {
	Server  string            `json:"serverName"` // session.mcp_server_status_changed
	Status  string            `json:"status"`
	Model   string            `json:"model"`
	Content string            `json:"content"` // assistant.message
	Asks    []json.RawMessage `json:"toolRequests"`
	CallID  string            `json:"toolCallId"` // tool.execution_*
	Tool    string            `json:"toolName"`
	Args    json.RawMessage   `json:"arguments"`
	Success bool              `json:"success"`
	Result  struct {
		Content string `json:"content"`
	} `json:"result"`
	Error   copilotError `json:"error"`
	Code    int          `json:"statusCode"` // model.call_failure
	Attempt int          `json:"retryAttempt"`
	OwnKey  bool         `json:"isByok"`
	Said    string       `json:"errorMessage"`
	Message string       `json:"message"` // session.error
	Reason  string       `json:"reason"`  // abort
}

// copilotError is an object, or a text.
type copilotError struct{ Message, Code string }

// UnmarshalJSON implements json.Unmarshaler.
func (e *copilotError) UnmarshalJSON(src []byte) error {
	type plainError copilotError
	// Some versions print a text here.
	if json.Unmarshal(src, (*plainError)(e)) != nil {
		e.Message = plain(src)
	}
	return nil
}

// Line implements providers.Decoder.
func (d *copilotDecoder) Line(line []byte) []providers.Event {
	var e copilotEvent
	if other, ok := d.read(line, &e); !ok || e.Type == "" {
		return d.passStray(line, other)
	}
	switch e.Type {
	case "session.mcp_server_status_changed":
		return d.server(e.Data)
	case "user.message":
		return []providers.Event{{Kind: providers.Init, Session: d.session, Text: "session " + d.session}}
	case "assistant.message":
		return d.message(e.Data)
	case "tool.execution_start":
		d.recordCall(e.Data.CallID, e.Data.Tool)
		return []providers.Event{{Kind: providers.ToolCall, Tool: e.Data.Tool, Text: plain(e.Data.Args)}}
	case "tool.execution_complete":
		return d.answer(e.Data)
	case "model.call_failure":
		d.reason, d.code = fmt.Sprintf("API error %d", e.Data.Code), e.Data.Code
		why := strings.TrimSpace(d.reason + " " + e.Data.apiText())
		return []providers.Event{{Kind: providers.Retry, Text: fmt.Sprintf("attempt %d: %s", e.Data.Attempt+1, why), Refused: d.permanentRefusal(e.Data)}}
	case "session.error":
		d.reason = e.Data.Message
	case "abort":
		d.aborted = true
	case "result":
		d.exit, d.session = string(e.Exit), e.Session
		return []providers.Event{{Kind: providers.Finished, Text: d.reasonOfEnd()}}
	}
	return nil
}

// permanentRefusal says why another call cannot help. A login of GitHub is renewed after its first
// refusal, a key of one's own ("bring your own key") is what it is.
func (d *copilotDecoder) permanentRefusal(failure copilotData) string {
	d.failures++
	why := providers.Refused(failure.Code, failure.apiText())
	// A login of GitHub is renewed after its first refusal; a key of one's own is what it is.
	if why == "" || !failure.OwnKey && d.failures < 2 {
		return ""
	}
	return why
}

// apiText returns the answer of the API, which may be JSON within a text.
func (c copilotData) apiText() string {
	var inner struct{ Code, Message string }
	if json.Unmarshal([]byte(c.Said), &inner) != nil {
		return c.Said
	}
	return strings.TrimSpace(inner.Code + " " + inner.Message)
}

func (d *copilotDecoder) server(s copilotData) []providers.Event {
	if !d.wantMCP || s.Server != serverName || s.Status == "pending" || s.Status == "connected" {
		return nil
	}
	return []providers.Event{missingServer(serverName, s.Status+" "+s.Error.Message)}
}

func (d *copilotDecoder) message(m copilotData) []providers.Event {
	d.model, d.turns, d.reason, d.failures = m.Model, d.turns+1, "", 0
	d.code = 0
	var events []providers.Event
	if m.Content != "" {
		events = append(events, providers.Event{Kind: providers.Text, Text: m.Content})
	}
	// What is said before a call is not the result.
	if len(m.Asks) == 0 {
		d.text = m.Content
	}
	return append(events, spendingEvent(providers.Spent{Turns: d.turns, Model: d.model}))
}

func (d *copilotDecoder) answer(a copilotData) []providers.Event {
	tool := d.tools[a.CallID]
	switch {
	case a.Success:
		return []providers.Event{{Kind: providers.ToolResult, Tool: tool, Text: a.Result.Content}}
	case a.Error.Code == "denied" || a.Error.Code == "rejected":
		d.refuse(tool)
		return []providers.Event{{Kind: providers.Denied, Tool: tool, Text: a.Error.Message}}
	}
	return []providers.Event{{Kind: providers.ToolResult, Tool: tool, Text: "error: " + a.Error.Message}}
}

// reasonOfEnd returns how the session ended. The result's own code is wrong after a signal.
func (d *copilotDecoder) reasonOfEnd() string {
	switch {
	case d.aborted:
		return "aborted"
	case d.exit == "":
		return "no exit code"
	case d.exit != "0":
		return "error"
	}
	return "success"
}

// Finish believes the result only when the process says the same.
func (d *copilotDecoder) Finish(exit providers.Exit) providers.Verdict {
	v := providers.Verdict{
		Model: d.model, SessionID: d.session, Text: d.text, Turns: d.turns, Denied: d.deniedTools(), Usage: copilotUsage(d.home, d.session),
	}
	switch {
	case d.aborted:
		v.Reason = "aborted"
	case d.exit == "":
		d.failWithoutEnd(&v, "session", exit)
	// The code in the result is wrong after a signal, so the process has to agree.
	case d.exit == "0" && exit.Code == 0:
		v.OK = true
	case d.reason != "":
		v.Fail(d.code, d.reason)
	default:
		v.Reason = d.err.Or(d.said).After(exit.String())
	}
	return v
}
