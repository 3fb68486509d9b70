package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"chant/providers"
)

// claude is Claude Code, as its versions 2.1 behave. bypassPermissions would be refused
// under root, and allow more than the list of tools. Flags that take many values are
// neither last nor next to each other.
func claude() Definition {
	tools := "Bash,Read,Edit,Write,Glob,Grep"
	return Definition{
		Name: "claude", Command: "claude",
		Args:     claudeArgs(tools),
		Resume:   append([]Group{optionalWords("--resume", "{{session}}")}, claudeArgs(tools)...),
		ReadOnly: claudeArgs("Read,Glob,Grep"),
		ByHand:   []Group{words("--resume", "{{session}}")},
		Env:      map[string]string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
		Pass:     []string{"ANTHROPIC_*", "CLAUDE_*", "DISABLE_*", "ENABLE_TOOL_SEARCH", "MAX_THINKING_TOKENS", "MAX_MCP_OUTPUT_TOKENS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT", "BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS", "API_TIMEOUT_MS"},
		Hosts:    []string{anthropicHost, "platform.claude.com", "console.anthropic.com"},
		URLs:     []string{"ANTHROPIC_BASE_URL", "ANTHROPIC_BEDROCK_BASE_URL", "ANTHROPIC_VERTEX_BASE_URL", "ANTHROPIC_FOUNDRY_BASE_URL"},
		Login:    clouds(),
		State:    []StatePath{{"CLAUDE_CONFIG_DIR", ".claude", ""}, {"CLAUDE_CONFIG_DIR", "", ".claude.json"}, xdgData("claude"), xdgState("claude")},
		Stdin:    true, MCP: "claude", Events: "claude",
		Signs: Signs{
			Variables: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"},
			Files: []SignFile{
				{Path: StatePath{"CLAUDE_CONFIG_DIR", ".claude", ".credentials.json"}},
				{Path: StatePath{"CLAUDE_CONFIG_DIR", "", ".claude.json"}, Holds: `"oauthAccount"`},
				{Path: StatePath{"CLAUDE_CONFIG_DIR", ".claude", "settings.json"}, Holds: `"apiKeyHelper"`},
			},
			// On macOS, the login is in the keychain.
			Hidden: runtime.GOOS == "darwin",
		},
	}
}

func claudeArgs(tools string) []Group {
	return []Group{
		words("-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"),
		optionalWords("--model", "{{model}}"),
		// The file alone counts: print mode would start the servers of the project's
		// .mcp.json without asking.
		words("--mcp-config", "{{mcp_config}}", "--strict-mcp-config"),
		words("--permission-mode", "dontAsk", "--allowedTools", "mcp__"+serverName+","+tools),
	}
}

// clouds are the logins through which models are reached that are not asked directly.
func clouds() []Login {
	return []Login{
		{When: "CLAUDE_CODE_USE_BEDROCK", Pass: []string{"AWS_*"}},
		{When: "CLAUDE_CODE_USE_VERTEX", Pass: []string{"GOOGLE_*", "CLOUD_ML_REGION", "VERTEX_REGION_*", "CLOUDSDK_*"}},
		{When: "CLAUDE_CODE_USE_FOUNDRY", Pass: []string{"AZURE_*"}},
	}
}

// claudeDecoder reads the stream-json output of Claude Code. Every line is an
// object; the order of its keys is not stable.
type claudeDecoder struct {
	protocol
	wantMCP bool // the init event must show our server as connected

	// cachedInside says that input counts what was read from a cache too, as with qwen.
	cachedInside bool
	before       prior // of the resumed session

	model string
	// keySource is where claude has its key from; "none" or the name of a login when it has none.
	keySource string
	answers   answers
	answer    string // the one whose pieces are arriving
	result    *claudeEvent
}

// claudeEvent has the fields of all events that matter here; the others stay
// at their zero values.
type claudeEvent struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	SessionID string `json:"session_id"`

	Model     string `json:"model"`        // system/init
	KeySource string `json:"apiKeySource"` // likewise; "none" for a login
	Servers   []struct {
		Name   string `json:"name"`
		Status string `json:"status"`
	} `json:"mcp_servers"`

	Attempt    int             `json:"attempt"` // system/api_retry
	MaxRetries int             `json:"max_retries"`
	DelayMS    float64         `json:"retry_delay_ms"`
	Status     json.RawMessage `json:"error_status"`
	Error      json.RawMessage `json:"error"`

	Tool string `json:"tool_name"` // system/permission_denied

	Message json.RawMessage `json:"message"` // assistant, user: blocks; else a string
	Event   json.RawMessage `json:"event"`   // stream_event

	claudeResult // result
}

// Line implements providers.Decoder.
func (d *claudeDecoder) Line(line []byte) []providers.Event {
	var e claudeEvent
	// A CLI of another version may print anything between its events.
	if other, ok := d.read(line, &e); !ok || e.Type == "" {
		return d.passStray(line, other)
	}
	if e.SessionID != "" {
		d.session = e.SessionID
	}
	switch e.Type {
	case "system":
		return d.system(e)
	case "assistant", "user":
		return d.message(e.Message)
	case "stream_event":
		return d.piece(e.Event)
	case "result":
		d.result = &e
		events := []providers.Event{{Kind: providers.Finished, Text: d.reasonOfEnd(e)}}
		var v providers.Verdict
		if e.claudeResult.fill(&v, d.cachedInside, d.before); v.Usage != nil || v.CostUSD != nil {
			events = append(events, spendingEvent(providers.Spent{Usage: v.Usage, CostUSD: v.CostUSD, Turns: v.Turns, Model: d.model}))
		}
		return events
	}
	return nil
}

// reasonOfEnd returns how the session ended. The subtype alone is unreliable: it is "success"
// for an API error too.
func (d *claudeDecoder) reasonOfEnd(e claudeEvent) string {
	// The subtype is "success" for an API error too.
	if string(e.IsError) == "true" && e.Subtype == "success" {
		return "error"
	}
	return e.Subtype
}

func (d *claudeDecoder) system(e claudeEvent) []providers.Event {
	switch e.Subtype {
	case "init":
		d.model, d.keySource = e.Model, e.KeySource
		events := []providers.Event{{Kind: providers.Init, Session: e.SessionID, Text: fmt.Sprintf("model %s, session %s", e.Model, e.SessionID)}}
		if status := d.serverStatus(e); d.wantMCP && status != "connected" {
			events = append(events, missingServer("mcp__"+serverName, status))
		}
		return events
	case "api_retry":
		text := fmt.Sprintf("attempt %d of %d in %.1f s", e.Attempt, e.MaxRetries, e.DelayMS/1000)
		if why := strings.TrimSpace(plain(e.Status) + " " + plain(e.Error)); why != "" {
			text += ": " + why
		}
		return []providers.Event{{Kind: providers.Retry, Text: text, Refused: d.permanentRefusal(e)}}
	// This is the event of qwen.
	case "retry":
		return []providers.Event{{Kind: providers.Retry, Text: "the answer broke off"}}
	case "permission_denied":
		return []providers.Event{{Kind: providers.Denied, Tool: e.Tool, Text: plain(e.Message)}}
	}
	return nil
}

// permanentRefusal says why a retry cannot help. A login is renewed when it has expired, so its
// first refusal may be the last; a key is what it is.
func (d *claudeDecoder) permanentRefusal(e claudeEvent) string {
	login := d.keySource == "" || d.keySource == "none" || strings.Contains(strings.ToLower(d.keySource), "oauth")
	// A login is renewed when it has expired, so its first refusal may be the last; a key is what it is.
	if login && e.Attempt < 2 {
		return ""
	}
	// Anything but a number is 0.
	status, _ := strconv.Atoi(plain(e.Status))
	return providers.Refused(status, plain(e.Error))
}

func (d *claudeDecoder) serverStatus(e claudeEvent) string {
	for _, server := range e.Servers {
		if server.Name == serverName {
			return server.Status
		}
	}
	return "not listed"
}

// Finish judges by is_error of the result event alone: an API error has the
// subtype "success", and an interrupt the exit code 0.
func (d *claudeDecoder) Finish(exit providers.Exit) providers.Verdict {
	v := providers.Verdict{Model: d.model, SessionID: d.session}
	// Without its last event a session did not end by itself, whatever the exit code is.
	if d.result == nil {
		v.Reason = d.err.Or(d.said).After("no result event, " + exit.String())
		return v
	}
	d.result.claudeResult.fill(&v, d.cachedInside, d.before)
	// Only is_error counts: an API error has the subtype "success", and an interrupt the exit code 0. A value of another
	// shape must not read as false.
	switch said := string(d.result.IsError); said {
	case "false":
		v.OK = true
	case "true":
		v.Fail(d.result.apiStatus(), d.result.reason())
	case "":
		v.Reason = "result event without is_error"
	default:
		v.Reason = "result event whose is_error is " + said + ", neither true nor false"
	}
	return v
}

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
	// The output of a message in progress is an estimate; this is the count.
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
		// The answer has only the id of its call.
		event := providers.Event{Kind: providers.ToolResult, Tool: d.tools[b.ToolUseID], Text: text}
		delete(d.tools, b.ToolUseID)
		return event, true
	}
	return providers.Event{}, false
}
