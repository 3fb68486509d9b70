package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"chant/providers"
)

// geminiDecoder reads the stream-json output of gemini. Texts come in pieces; they are
// reported when they are complete.
type geminiDecoder struct {
	protocol
	model  string
	pieces strings.Builder // of the text that is being said
	text   string          // what was said last
	turns  turns
	result *geminiEvent

	wantMCP bool
	skipped string // why it does not read the settings that name our server
}

type geminiEvent struct {
	Type    string          `json:"type"`
	Session string          `json:"session_id"`
	Model   string          `json:"model"`
	Role    string          `json:"role"`
	Content string          `json:"content"`
	Tool    string          `json:"tool_name"`
	CallID  string          `json:"tool_id"`
	Params  json.RawMessage `json:"parameters"`
	Status  string          `json:"status"`
	Output  string          `json:"output"`
	Message string          `json:"message"` // error
	Error   *struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
	Stats *struct {
		Total  providers.Count `json:"total_tokens"`
		Input  providers.Count `json:"input_tokens"` // what was read from a cache among it
		Output providers.Count `json:"output_tokens"`
		Cached providers.Count `json:"cached"`
	} `json:"stats"`
}

// Stderr implements providers.StderrListener. gemini reads no settings below a folder that
// others may write to, such as /tmp, and continues without them. Only there it reports that it asks again.
func (d *geminiDecoder) Stderr(line string) []providers.Event {
	d.protocol.Stderr(line)
	// Only on stderr does gemini report that it asks again.
	if failedAttempt().MatchString(line) {
		return []providers.Event{{Kind: providers.Retry, Text: line}}
	}
	if d.wantMCP && strings.Contains(line, "Skipping system settings") {
		d.skipped = strings.TrimSpace(line)
	}
	return nil
}

// failedAttempt matches how gemini reports that it will ask again.
var failedAttempt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bAttempt \d+ failed\b`) })

// reportedError returns the error of the API in the report of gemini, which passes on its JSON.
func reportedError(report string) string {
	said := strings.TrimSuffix(strings.TrimPrefix(report, "[API Error: "), "]")
	var inner struct {
		Error struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if said == report || json.Unmarshal([]byte(said), &inner) != nil || inner.Error.Message == "" {
		return report
	}
	return fmt.Sprintf("API error %d: %s", inner.Error.Code, inner.Error.Message)
}

// Line implements providers.Decoder.
func (d *geminiDecoder) Line(line []byte) []providers.Event {
	events := d.event(line)
	if d.skipped != "" {
		events = append(events, missingServer(serverName, d.skipped))
		d.skipped = ""
	}
	return events
}

func (d *geminiDecoder) event(line []byte) []providers.Event {
	var e geminiEvent
	if other, ok := d.read(line, &e); !ok || e.Type == "" {
		return d.passStray(line, other)
	}
	// Texts come in pieces, and a text is complete when something else follows.
	if e.Type == "message" && e.Role == "assistant" {
		d.pieces.WriteString(e.Content)
		return d.withTurns(nil)
	}
	events := d.flushText()
	switch e.Type {
	case "init":
		d.session, d.model = e.Session, e.Model
		events = append(events, providers.Event{Kind: providers.Init, Session: e.Session, Text: "model " + e.Model + ", session " + e.Session})
	case "tool_use":
		d.recordCall(e.CallID, e.Tool)
		events = d.withTurns(append(events, providers.Event{Kind: providers.ToolCall, Tool: e.Tool, Text: plain(e.Params)}))
	case "tool_result":
		events = append(events, d.answer(e))
	case "error":
		events = append(events, providers.Event{Kind: providers.Output, Text: e.Message})
	case "result":
		d.result = &e
		events = append(events, providers.Event{Kind: providers.Finished, Text: e.Status})
		if usage := d.usage(); usage != nil {
			events = append(events, spendingEvent(providers.Spent{Usage: usage, Turns: d.turns.n, Model: d.model}))
		}
	}
	return events
}

// flushText reports a text when something else follows it.
func (d *geminiDecoder) flushText() []providers.Event {
	if d.pieces.Len() == 0 {
		return nil
	}
	d.text = d.pieces.String()
	d.pieces.Reset()
	return []providers.Event{{Kind: providers.Text, Text: d.text}}
}

// withTurns inserts the number of answers after the first event of an answer.
func (d *geminiDecoder) withTurns(events []providers.Event) []providers.Event {
	if d.turns.beginsAnswer() {
		events = append(events, spendingEvent(providers.Spent{Turns: d.turns.n, Model: d.model}))
	}
	return events
}

func (d *geminiDecoder) answer(e geminiEvent) providers.Event {
	d.turns.endAnswer()
	// What was said before a call is not the end.
	d.text = ""
	tool := d.tools[e.CallID]
	if e.Status != "error" {
		return providers.Event{Kind: providers.ToolResult, Tool: tool, Text: e.Output}
	}
	kind := ""
	if e.Error != nil {
		kind = e.Error.Type
	}
	// gemini has no event of its own for a refusal.
	if kind == "policy_violation" || kind == "tool_not_registered" || strings.HasPrefix(e.Output, "Access denied") {
		d.refuse(tool)
		return providers.Event{Kind: providers.Denied, Tool: tool, Text: e.Output}
	}
	return providers.Event{Kind: providers.ToolResult, Tool: tool, Text: "error: " + e.Output}
}

// usage is the usage in the result. Only the total includes thoughts.
func (d *geminiDecoder) usage() *providers.Usage {
	if d.result == nil || d.result.Stats == nil {
		return nil
	}
	s := d.result.Stats
	u := providers.Counts{Input: s.Input, CachedInput: s.Cached, Output: s.Output}.Usage()
	if u == nil || s.Total.Odd {
		return nil
	}
	// Only the total includes the tokens of thoughts.
	u.Input, u.Output = max(0, u.Input-u.CachedInput), max(u.Output, s.Total.N-u.Input)
	return u
}

// Finish judges by the status of the result: exit codes are the lower half of an HTTP
// status, and 0 after a signal.
func (d *geminiDecoder) Finish(exit providers.Exit) providers.Verdict {
	d.flushText()
	v := providers.Verdict{Model: d.model, SessionID: d.session, Text: d.text, Usage: d.usage(), Turns: d.turns.n, Denied: d.deniedTools()}
	switch {
	case d.result == nil:
		d.failWithoutEnd(&v, "session", exit)
	// Exit codes do not help: they are the lower half of an HTTP status, and 0 after a signal.
	case d.result.Status == "success":
		v.OK = true
	case d.result.Error != nil && d.result.Error.Message != "":
		v.Fail(0, reportedError(d.result.Error.Message))
	default:
		v.Reason = "result of status " + quoteJSON(d.result.Status)
	}
	return v
}
