package journal

import (
	"encoding/json"
	"fmt"

	"chant/engine/schema"
	"chant/providers"
)

// AgentReport is what an attempt's agent left to tell. It stands in the journal.
type AgentReport struct {
	OK        bool             `json:"ok"`
	Reason    string           `json:"reason,omitempty"`
	Model     string           `json:"model,omitempty"`
	SessionID string           `json:"session_id,omitempty"`
	Text      string           `json:"text,omitempty"`
	Usage     *providers.Usage `json:"usage,omitempty"`
	CostUSD   *float64         `json:"cost_usd,omitempty"` // US dollars; nil = no one knows
	Priced    bool             `json:"priced,omitempty"`   // by the project's prices; else the CLI has told
	Turns     int              `json:"turns,omitempty"`
	Denied    []string         `json:"denied,omitempty"`
	Overdrawn bool             `json:"overdrawn,omitempty"` // it was stopped at a limit of what it may use
	Refused   bool             `json:"refused,omitempty"`   // it was stopped because the model's API will not answer
	Seconds   float64          `json:"seconds"`
	ExitCode  int              `json:"exit_code"`
	Behind    []string         `json:"behind,omitempty"` // what it did behind the run's back

	// Output is the JSON in Text where the spec names a schema for it, and OutputProblems
	// where it does not fit.
	Output         json.RawMessage  `json:"output,omitempty"`
	OutputProblems []schema.Problem `json:"output_problems,omitempty"`
}

// Summary is how the agent ended, in one line.
func (a *AgentReport) Summary() string {
	if a.OK {
		return fmt.Sprintf("ok after %.1f s", a.Seconds)
	}
	return a.Reason
}

// Spent is what the agent has told of what it has used, nil when it told nothing.
func (a *AgentReport) Spent() *providers.Spent {
	if a.Usage == nil && a.CostUSD == nil && a.Turns == 0 {
		return nil
	}
	return &providers.Spent{Usage: a.Usage, CostUSD: a.CostUSD, Turns: a.Turns, Model: a.Model}
}
