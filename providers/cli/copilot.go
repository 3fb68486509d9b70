package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"chant/providers"
)

// copilot is the GitHub Copilot CLI, as its version 1.0 behaves.
func copilot() Definition {
	return Definition{
		Name: "copilot", Command: "copilot",
		Args:     append(copilotArgs("--allow-all-tools", "--allow-all-paths"), words("--session-id", "{{new_session}}")),
		Resume:   append(copilotArgs("--allow-all-tools", "--allow-all-paths"), words("--resume", "{{session}}")),
		ReadOnly: copilotArgs("--allow-tool", serverName, "--deny-tool", "write", "--deny-tool", "shell"),
		ByHand:   []Group{words("--resume", "{{session}}")},
		State:    []StatePath{{"", ".copilot", ""}, xdgConfig("github-copilot"), xdgState("copilot"), xdgState(".copilot")},
		Pass:     []string{"COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST"},
		Hides:    []string{"COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"},
		Hosts:    []string{"*.githubcopilot.com", "api.github.com"},
		URLs:     []string{"COPILOT_PROVIDER_BASE_URL"},
		Stdin:    true, MCP: "copilot", Events: "copilot",
		Signs: Signs{Variables: []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"}, Hidden: true},
	}
}

func copilotArgs(tools ...string) []Group {
	return []Group{
		words("--output-format", "json", "--no-ask-user", "--no-auto-update", "--disable-builtin-mcps"),
		words(tools...),
		optionalWords("--model", "{{model}}"),
		words("--additional-mcp-config", "@{{mcp_config}}"),
	}
}

// copilotHome is the folder in which copilot keeps its sessions, "" if unknown.
func copilotHome(environ []string) string {
	for _, at := range []struct{ name, below string }{{"COPILOT_HOME", ""}, {"HOME", ".copilot"}, {"USERPROFILE", ".copilot"}} {
		if value := providers.Variable(environ, at.name); filepath.IsAbs(value) {
			return filepath.Join(value, at.below)
		}
	}
	return ""
}

// maxRecorded is the most bytes that are read of a session.
const maxRecorded = 256 << 20

// copilotUsage reads the usage of a session since it was last resumed; nil if copilot has not
// recorded it. Each end of a session records its whole usage so far. The agent can write there: nothing but a plain file in
// the folder is read, and no more than memory holds.
func copilotUsage(home, session string) *providers.Usage {
	// The name of the session comes from the output and becomes part of a path.
	if home == "" || session == "" || !filepath.IsLocal(session) {
		return nil
	}
	// The agent can write in this folder: a link must not lead out of it, and a pipe must not block.
	root, err := os.OpenRoot(home)
	if err != nil {
		return nil
	}
	defer root.Close()
	file, err := root.OpenFile(filepath.Join("session-state", session, "events.jsonl"), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil
	}
	defer file.Close()
	// A file without content can have any size.
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxRecorded {
		return nil
	}
	var before, now *providers.Usage
	ends := 0
	// The file may grow while it is read.
	lines := bufio.NewReader(io.LimitReader(file, maxRecorded))
	for {
		line, err := lines.ReadBytes('\n')
		if usage, ended := shutdownUsage(line); ended {
			before, now, ends = now, usage, ends+1
		}
		if err != nil {
			break
		}
	}
	switch {
	// With one end, the session was not resumed, and all is its own.
	case ends == 1:
		return now
	case before == nil:
		// The usage since then is unknown.
		return nil
	}
	return prior{usage: *before}.usageSince(now)
}

// shutdownUsage reads the end of a session, false for any other event. The usage is nil
// if it is unknown.
func shutdownUsage(line []byte) (*providers.Usage, bool) {
	var e struct {
		Type string
		Data struct {
			Metrics map[string]struct {
				Usage struct{ InputTokens, OutputTokens, CacheReadTokens, CacheWriteTokens providers.Count }
			} `json:"modelMetrics"`
		}
	}
	if json.Unmarshal(line, &e) != nil || e.Type != "session.shutdown" || len(e.Data.Metrics) == 0 {
		return nil, false
	}
	var sum providers.Usage
	for _, m := range e.Data.Metrics {
		u := providers.Counts{
			Input: m.Usage.InputTokens, CachedInput: m.Usage.CacheReadTokens, CacheWrites: m.Usage.CacheWriteTokens, Output: m.Usage.OutputTokens,
		}.Usage()
		// A sum without an unknown part would be too low.
		if u == nil {
			return nil, true
		}
		u.Input = max(0, u.Input-u.CachedInput-u.CacheWrites)
		sum = sum.Plus(*u)
	}
	return &sum, true
}
