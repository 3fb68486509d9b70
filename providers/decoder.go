package providers

import (
	"cmp"
	"time"
)

// Decoder turns the stdout of one CLI into events and judges success at its
// end. It is used by one goroutine and for one run. It passes on texts whole and as
// they came: they are freed of secrets, cut and folded into lines afterwards.
type Decoder interface {
	// Line takes one line without its line end. The slice is the decoder's to
	// keep.
	Line(line []byte) []Event
	// Finish is called once, after the last line and the end of the process.
	Finish(exit Exit) Verdict
}

// Kind says what an Event is about.
type Kind string

// The kinds of events.
const (
	Init       Kind = "init"        // the session began; Text is a summary
	Text       Kind = "text"        // the agent said something
	ToolCall   Kind = "tool_call"   // Tool is called; Text is its input
	ToolResult Kind = "tool_result" // Tool (where known) answered
	Spending   Kind = "usage"       // Spent is what the session has used so far
	Retry      Kind = "retry"       // the model's API is asked again
	Denied     Kind = "denied"      // the agent lacks a tool or a server
	Finished   Kind = "finished"    // the CLI reported its result
	Output     Kind = "output"      // a line that is not part of a protocol
	Stderr     Kind = "stderr"      // a line of stderr
	Asking     Kind = "asking"      // output stopped in the middle of a line: Text is its beginning
)

// Event is one thing that happened in a run. Text is valid UTF-8.
type Event struct {
	Kind    Kind
	Text    string
	Tool    string
	Session string `json:",omitempty"` // Init: the CLI's own name of the session
	Spent   *Spent `json:",omitempty"` // Spending
	Refused string `json:",omitempty"` // Retry: why asking again cannot help; it ends the run
}

// Spent is the usage of a session since its start, as far as its CLI reports it.
type Spent struct {
	Usage   *Usage   `json:"usage,omitempty"`    // nil: not reported
	CostUSD *float64 `json:"cost_usd,omitempty"` // US dollars; nil: not reported
	Turns   int      `json:"turns,omitempty"`    // answers of the model; 0: not reported
	Model   string   `json:"model,omitempty"`
}

// Exit is how a process ended. A process ended by a signal has that signal's
// name and, as in a shell, the code 128 + its number. Busy is the processor time of it and of those it has waited for.
type Exit struct {
	Code   int
	Signal string
	Busy   time.Duration
}

// Verdict is a decoder's judgement. Reason is set when OK is false.
type Verdict struct {
	OK        bool
	Reason    string
	Model     string   // the model that answered, "" if the CLI did not say
	SessionID string   // the CLI's own name of the session
	Text      string   // the final words
	Usage     *Usage   // nil: not reported
	CostUSD   *float64 // US dollars; nil: not reported
	Turns     int      // 0: not reported
	Denied    []string // tools the agent was refused, each once, sorted
	Refused   bool     `json:",omitempty"` // the model's API will not answer, however often it is asked
}

// Plus is the sum of the usage of two sessions, nil if nothing is known of both. A
// cost that only one session reported is unknown for both.
func (s *Spent) Plus(t *Spent) *Spent {
	if s == nil || t == nil {
		return cmp.Or(s, t)
	}
	sum := Spent{Turns: s.Turns + t.Turns, Model: cmp.Or(t.Model, s.Model), Usage: cmp.Or(s.Usage, t.Usage)}
	if s.Usage != nil && t.Usage != nil {
		usage := s.Usage.Plus(*t.Usage)
		sum.Usage = &usage
	}
	if s.CostUSD != nil && t.CostUSD != nil {
		usd := *s.CostUSD + *t.CostUSD
		sum.CostUSD = &usd
	}
	return &sum
}

// Usage counts tokens. What went in is counted once: read from a cache, written to
// one, or neither. What a model thinks is output.
type Usage struct {
	Input       int `json:"input"`
	CachedInput int `json:"cached_input"`
	CacheWrites int `json:"cache_write,omitempty"`
	Output      int `json:"output"`

	// Partial: the tokens of some answers are unknown. The counts are those of the others, a
	// lower bound: enough to reach a limit, but not a sum to report.
	Partial bool `json:"partial,omitempty"`
}

// Total is all tokens, in and out.
func (u Usage) Total() int { return u.Input + u.CachedInput + u.CacheWrites + u.Output }

// Plus is the sum of two usages, known in part when one of them is.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.CachedInput + v.CachedInput, u.CacheWrites + v.CacheWrites, u.Output + v.Output, u.Partial || v.Partial}
}

// StderrListener is a Decoder that also wants the lines of stderr, for its
// Reason. They come from the goroutine that calls Line. A line of which it makes
// events is not reported otherwise.
type StderrListener interface {
	Stderr(line string) []Event
}
