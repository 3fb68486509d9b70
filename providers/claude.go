package providers

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// mcpName is the name under which the agent knows chant's MCP server.
const mcpName = "chant"

// Claude returns the provider for Claude Code, as its versions 2.1 behave. The
// prompt goes in on stdin; success is what its result event says.
func Claude() Provider { return ClaudeAs("claude", "claude") }

// ClaudeAs returns the provider for another program that takes the flags of Claude
// Code and answers as it does: a wrapper that sets an account, say. command is a
// name on the PATH, or a path; a relative one starts at the worktree.
func ClaudeAs(name, command string) Provider { return claude{name, command} }

type claude struct{ name, command string }

func (c claude) Name() string { return c.name }

// Prepare writes the MCP configuration into the state folder and names it on
// the command line. It does so without a server too: together with the strict
// flag an empty file keeps out the servers of the project's .mcp.json, which
// print mode would start without asking.
func (c claude) Prepare(in Invocation) (Launch, error) {
	if in.PromptFile == "" {
		return Launch{}, &ConfigError{c.Name(), "run has no prompt file"}
	}
	path, err := lookup(c.Name(), c.command, in.Worktree, in.Environ)
	if err != nil {
		return Launch{}, err
	}
	config := filepath.Join(in.StateDir, "mcp.json")
	content, err := mcpConfig(in.MCP)
	if err != nil {
		return Launch{}, err
	}
	// The environment of the server may hold secrets.
	if err := writeState(config, content, 0o600); err != nil {
		return Launch{}, err
	}
	return Launch{
		Path: path,
		Args: claudeArgs(in, config),
		Dir:  in.Worktree,
		Env: agentEnv(in,
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
			"DISABLE_AUTOUPDATER=1"),
		Stdin:      in.PromptFile,
		NewDecoder: func() Decoder { return &claudeDecoder{wantMCP: in.MCP != nil} },
	}, nil
}

// claudeArgs keeps the flags that take many values away from the end of the
// line and from each other: --mcp-config would swallow what follows it.
func claudeArgs(in Invocation, config string) []string {
	args := []string{"-p", "--output-format", "stream-json", "--verbose"}
	if in.Model != "" {
		args = append(args, "--model", in.Model)
	}
	tools := "Bash,Read,Edit,Write,Glob,Grep"
	if in.ReadOnly {
		tools = "Read,Glob,Grep"
	}
	if in.MCP != nil {
		tools = "mcp__" + mcpName + "," + tools
	}
	// bypassPermissions would be refused under root, and allow more.
	return append(args,
		"--mcp-config", config, "--strict-mcp-config",
		"--permission-mode", "dontAsk",
		"--allowedTools", tools)
}

type mcpServerConfig struct {
	Type    string            `json:"type"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	// AlwaysLoad puts the tools into the first request; otherwise the model
	// has to search for them by name.
	AlwaysLoad bool `json:"alwaysLoad"`
}

func mcpConfig(server *MCPServer) ([]byte, error) {
	servers := map[string]mcpServerConfig{}
	if server != nil {
		servers[mcpName] = mcpServerConfig{
			Type:       "stdio",
			Command:    server.Command,
			Args:       append([]string{}, server.Args...),
			Env:        server.Env,
			AlwaysLoad: true,
		}
		if server.Env == nil {
			config := servers[mcpName]
			config.Env = map[string]string{}
			servers[mcpName] = config
		}
	}
	content, err := json.MarshalIndent(map[string]any{"mcpServers": servers}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("MCP configuration: %w", err)
	}
	return append(content, '\n'), nil
}
