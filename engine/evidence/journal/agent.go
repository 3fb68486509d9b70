package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"chant/engine/spec/schema"
	"chant/providers"
)

// AgentReport is how an attempt's agent ended, and what it reported. It is recorded in the journal.
type AgentReport struct {
	OK        bool             `json:"ok"`
	Reason    string           `json:"reason,omitempty"`
	Model     string           `json:"model,omitempty"`
	SessionID string           `json:"session_id,omitempty"`
	Text      string           `json:"text,omitempty"`
	Usage     *providers.Usage `json:"usage,omitempty"`
	CostUSD   *float64         `json:"cost_usd,omitempty"` // US dollars; nil = unknown
	Priced    bool             `json:"priced,omitempty"`   // by the project's prices; otherwise reported by the CLI
	Turns     int              `json:"turns,omitempty"`
	Denied    []string         `json:"denied,omitempty"`
	TimedOut  bool             `json:"timed_out,omitempty"` // it was stopped at limits.time
	Overdrawn bool             `json:"overdrawn,omitempty"` // it was stopped at a limit of cost, tokens or turns
	Refused   bool             `json:"refused,omitempty"`   // it was stopped because the model's API refuses to answer
	Seconds   float64          `json:"seconds"`
	ExitCode  int              `json:"exit_code"`
	Behind    []string         `json:"behind,omitempty"` // what it changed outside the run
	Around    []string         `json:"around,omitempty"` // those of Behind that count only while they are there

	// Output is the JSON in Text if the spec names a schema for it, and OutputProblems are the places
	// that do not fit the schema.
	Output         json.RawMessage  `json:"output,omitempty"`
	OutputProblems []schema.Problem `json:"output_problems,omitempty"`
}

// Summary describes in one line how the agent ended.
func (a *AgentReport) Summary() string {
	if a.OK {
		return fmt.Sprintf("ok after %.1f s", a.Seconds)
	}
	return a.Reason
}

// Spent is the usage that the agent reported, nil if it reported none.
func (a *AgentReport) Spent() *providers.Spent {
	if a.Usage == nil && a.CostUSD == nil && a.Turns == 0 {
		return nil
	}
	return &providers.Spent{Usage: a.Usage, CostUSD: a.CostUSD, Turns: a.Turns, Model: a.Model}
}

// Session is what is known of one agent: the agent of an attempt, one that resolves conflicts, or one that is asked a
// question. It is recorded whenever the agent reports something, so that agents that are killed are known too.
type Session struct {
	Number   int              `json:"number"`               // within an attempt from 1, unique among questions
	ID       string           `json:"session_id,omitempty"` // the CLI's own name for it
	Spec     string           `json:"spec,omitempty"`       // the subject of a question
	Provider string           `json:"provider,omitempty"`
	Began    time.Time        `json:"began"`
	Spent    *providers.Spent `json:"spent,omitempty"` // nil: the CLI reports nothing
	Seconds  float64          `json:"seconds,omitempty"`
	Ended    bool             `json:"ended,omitempty"`
	Place    string           `json:"place,omitempty"` // of a question: the spec in whose check tree the agent runs
	// Process is that of the agent.
	Process *providers.Process `json:"process,omitempty"`
	Told    time.Time          `json:"-"` // the time of its last record
}

// Asked is the name of the journal of questions to agents, which belong to no attempt. No spec can have this name.
const QuestionsName = ".asked"

// addSession applies a record of a session. A session without an end lasted until its last record.
func (a *Attempt) addSession(rec Record) {
	var s Session
	decode(rec.Data, &s)
	// Without an end, as after a kill, its last record is the best that is known of its duration.
	if s.Told = rec.Time; !s.Ended {
		s.Seconds = max(0, rec.Time.Sub(s.Began).Seconds())
	}
	// From the end, since records of one session come close together.
	for i := range slices.Backward(a.Sessions) {
		if a.Sessions[i].Number == s.Number {
			a.Sessions[i] = s
			return
		}
	}
	a.Sessions = append(a.Sessions, s)
}

// AtWork reports whether the agent is running.
func (s Session) AtWork() bool { return !s.Ended && s.Process != nil && providers.Alive(*s.Process) }
