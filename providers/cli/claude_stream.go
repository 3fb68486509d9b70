package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"chant/providers"
)

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
	if other, ok := d.read(line, &e); !ok || e.Type == "" {
		return d.stray(line, other)
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
		return []providers.Event{{Kind: providers.Retry, Text: text, Refused: d.refusedBy(e)}}
	case "retry": // qwen's
		return []providers.Event{{Kind: providers.Retry, Text: "the answer broke off"}}
	case "permission_denied":
		return []providers.Event{{Kind: providers.Denied, Tool: e.Tool, Text: plain(e.Message)}}
	}
	return nil
}

// refusedBy says why a retry cannot help. A login is renewed when it has expired, so its
// first refusal may be the last; a key is what it is.
func (d *claudeDecoder) refusedBy(e claudeEvent) string {
	login := d.keySource == "" || d.keySource == "none" || strings.Contains(strings.ToLower(d.keySource), "oauth")
	if login && e.Attempt < 2 {
		return ""
	}
	status, _ := strconv.Atoi(plain(e.Status)) // 0 for anything else
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
	if d.result == nil {
		v.Reason = d.err.Or(d.said).After("no result event, " + exit.String())
		return v
	}
	d.result.claudeResult.fill(&v, d.cachedInside, d.before)
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
