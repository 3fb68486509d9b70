package cli

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"chant/providers"
)

// serverName is the name under which the agent knows chant's MCP server.
const serverName = "chant"

// Configs are the forms of an MCP config, each that of the CLI it is named after.
func Configs() []string { return slices.Sorted(maps.Keys(configs())) }

// configs make the content of a config; without a server it names none.
func configs() map[string]func(providers.Invocation) (string, error) {
	return map[string]func(providers.Invocation) (string, error){
		"claude": claudeConfig, "codex": codexConfig, "copilot": copilotConfig, "cursor": cursorConfig, "gemini": geminiConfig,
		"kiro": kiroConfig, "opencode": opencodeConfig, "qwen": qwenConfig,
	}
}

// treeFiles are the files of the worktree in which a CLI reads a config of its form, and nowhere else.
func treeFiles() map[string]string {
	return map[string]string{"cursor": ".cursor/mcp.json", "kiro": ".kiro/settings/mcp.json"}
}

// configure writes the config of the CLI into the state folder and sets its
// placeholders. vars are variables that the server gets in addition to those it names; they may
// hold secrets.
func (d Definition) configure(in providers.Invocation, v, vars map[string]string) error {
	if d.MCP == "" {
		return nil
	}
	// The server of the caller must not change with what this agent needs.
	if in.MCP != nil {
		whole := *in.MCP
		whole.Env = vars
		maps.Copy(whole.Env, in.MCP.Env)
		in.MCP = &whole
	}
	content, err := configs()[d.MCP](in)
	if err != nil {
		return fmt.Errorf("MCP config: %w", err)
	}
	v["mcp_inline"], v["mcp_config"] = content, filepath.Join(in.StateDir, "mcp.json")
	return writeState(v["mcp_config"], []byte(content+"\n"), 0o600)
}

// servers puts what a form says of our server under its name.
func servers(s *providers.MCPServer, entry func(providers.MCPServer) map[string]any) map[string]any {
	if s == nil {
		return map[string]any{}
	}
	whole := *s
	// Without arguments the list is empty, never null.
	whole.Args = append([]string{}, s.Args...)
	return map[string]any{serverName: entry(whole)}
}

// claudeConfig has alwaysLoad put the tools into the first request; otherwise the model
// has to search for them by name.
func claudeConfig(in providers.Invocation) (string, error) {
	return jsonLine(map[string]any{"mcpServers": servers(in.MCP, func(s providers.MCPServer) map[string]any {
		return map[string]any{"type": "stdio", "command": s.Command, "args": s.Args, "env": s.Env, "alwaysLoad": true}
	})})
}

func qwenConfig(in providers.Invocation) (string, error) {
	return jsonLine(map[string]any{"mcpServers": trusted(in.MCP)})
}

func trusted(s *providers.MCPServer) map[string]any {
	return servers(s, func(s providers.MCPServer) map[string]any {
		return map[string]any{"command": s.Command, "args": s.Args, "env": s.Env, "timeout": 30000, "trust": true}
	})
}

// geminiConfig is a whole settings file. With a key and the address of another API in the
// environment gemini chooses a way to log in that it then refuses, unless one is named.
func geminiConfig(in providers.Invocation) (string, error) {
	config := map[string]any{
		"privacy":    map[string]any{"usageStatisticsEnabled": false},
		"general":    map[string]any{"enableAutoUpdate": false},
		"mcpServers": trusted(in.MCP),
	}
	// With a key and the address of another API, gemini chooses a login that it then refuses, unless one is named.
	if set(in.Environ, "GEMINI_API_KEY") && !set(in.Environ, "GOOGLE_GENAI_USE_VERTEXAI") && !set(in.Environ, "GOOGLE_GENAI_USE_GCA") {
		config["security"] = map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}}
	}
	return jsonLine(config)
}

func copilotConfig(in providers.Invocation) (string, error) {
	return jsonLine(map[string]any{"mcpServers": servers(in.MCP, func(s providers.MCPServer) map[string]any {
		return map[string]any{"type": "local", "command": s.Command, "args": s.Args, "env": s.Env, "tools": []string{"*"}}
	})})
}

func opencodeConfig(in providers.Invocation) (string, error) {
	return jsonLine(map[string]any{
		"autoupdate": false, "share": "disabled", "snapshot": false,
		"permission": map[string]string{"*": "allow"},
		"mcp": servers(in.MCP, func(s providers.MCPServer) map[string]any {
			return map[string]any{
				"type": "local", "command": append([]string{s.Command}, s.Args...), "environment": s.Env, "enabled": true, "timeout": 10000,
			}
		}),
	})
}

// cursorConfig is in the worktree, where the agent could commit it: it contains only names of variables, which cursor
// replaces by their values.
func cursorConfig(in providers.Invocation) (string, error) {
	return treeConfig(in.MCP, "${env:%s}")
}

// kiroConfig is as cursorConfig, in the words of kiro.
func kiroConfig(in providers.Invocation) (string, error) {
	return treeConfig(in.MCP, "${%s}")
}

func treeConfig(s *providers.MCPServer, variable string) (string, error) {
	return jsonLine(map[string]any{"mcpServers": servers(s, func(s providers.MCPServer) map[string]any {
		env := map[string]string{}
		for name := range s.Env {
			// The agent can commit this file, so it has names and no values.
			env[name] = fmt.Sprintf(variable, name)
		}
		return map[string]any{"command": s.Command, "args": s.Args, "env": env}
	})})
}

// codexConfig is an inline table of TOML. It contains only names of variables, since it
// is part of the arguments: codex passes on those of its own environment that are named.
func codexConfig(in providers.Invocation) (string, error) {
	s := in.MCP
	if s == nil {
		return "", nil
	}
	var args, vars []string
	for _, a := range s.Args {
		args = append(args, quoteJSON(a))
	}
	// Arguments can be seen by all users of the machine, so only names of variables are in them.
	for _, name := range append(slices.Sorted(maps.Keys(s.Env)), "CHANT_LINEAGE") {
		vars = append(vars, quoteJSON(name))
	}
	return fmt.Sprintf(`{command=%s,args=[%s],env_vars=[%s],required=true,default_tools_approval_mode="approve"}`,
		quoteJSON(s.Command), strings.Join(args, ","), strings.Join(vars, ",")), nil
}

// serverEnv is what a server must know of the environment of its agent: which run it
// belongs to, and who commits. Some CLIs pass on a few variables alone, or none whose
// name looks secret to them, such as GIT_AUTHOR_NAME.
func serverEnv(env []string) map[string]string {
	names := []string{"CHANT_*", "GIT_AUTHOR_*", "GIT_COMMITTER_*", "GIT_CONFIG_*", "GIT_CEILING_DIRECTORIES", "EMAIL", "HOME", "XDG_CONFIG_HOME"}
	vars := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		// These two are of the agent's own run, which a server must not take for its own.
		if providers.NameAmong(name, names) && !providers.NameAmong(name, []string{"CHANT_PROMPT_FILE", "CHANT_TIMEOUT"}) {
			vars[name] = value
		}
	}
	return vars
}
