package commands

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/prompt/library"
)

// ReloadInput names an agent, or none.
type ReloadInput struct {
	Agent string `json:"agent,omitempty" jsonschema:"Agent name (default: all agents)"`
}

// ReloadResult counts what was read.
type ReloadResult struct {
	Success      bool       `json:"success"`
	Agent        string     `json:"agent"`        // climpt if none was named
	CommandCount int        `json:"commandCount"` // of that agent
	Message      string     `json:"message"`
	Cleared      []string   `json:"clearedAgents,omitempty"` // if no agent was named
	Reloaded     []Reloaded `json:"reloadedAgents,omitempty"`
	Total        int        `json:"totalCommands,omitempty"`
	Warnings     []string   `json:"warnings,omitempty"` // entries that are left out, with their places
}

// Reloaded is an agent whose commands were read.
type Reloaded struct {
	Agent        string `json:"agent"`
	CommandCount int    `json:"commandCount"`
	Success      bool   `json:"success"`
	Error        string `json:"error,omitempty"`
}

// Reload reads the commands of an agent, or those of all agents, and says what is wrong with them: every call reads them
// anew. Errors: NotFound and Invalid
// with *library.RegistryError for an agent that was named, or for climpt.
func Reload(ctx context.Context, p *engine.Project, in ReloadInput) (ReloadResult, error) {
	if in.Agent != "" {
		n, warnings, err := countCommands(ctx, p, in.Agent)
		return ReloadResult{Success: err == nil, Agent: in.Agent, CommandCount: n, Message: reloadMessage(n, in.Agent), Warnings: warnings}, err
	}
	agents, err := library.Agents(p)
	if err != nil {
		return ReloadResult{}, err
	}
	r := ReloadResult{Success: true, Agent: library.DefaultAgent, Cleared: agents}
	for _, agent := range agents {
		n, warnings, err := countCommands(ctx, p, agent)
		r.Warnings = append(r.Warnings, warnings...)
		if err != nil && agent == library.DefaultAgent {
			return ReloadResult{}, err
		}
		one := Reloaded{Agent: agent, CommandCount: n, Success: err == nil}
		if err != nil {
			one.Error = err.Error()
		}
		if agent == library.DefaultAgent {
			r.CommandCount = n
		}
		r.Success = r.Success && one.Success
		r.Reloaded = append(r.Reloaded, one)
		r.Total += n
	}
	r.Message = reloadMessage(r.Total, strings.Join(agents, ", "))
	return r, ctx.Err()
}

// countCommands reads the commands of an agent and counts them.
func countCommands(ctx context.Context, p *engine.Project, agent string) (n int, warnings []string, err error) {
	l, err := library.Open(ctx, p, agent)
	if err != nil {
		return 0, nil, err
	}
	return len(l.Entries), l.Warnings, nil
}

func reloadMessage(n int, agents string) string {
	if n == 1 {
		return "Reloaded 1 command of " + agents
	}
	return fmt.Sprintf("Reloaded %d commands of %s", n, agents)
}
