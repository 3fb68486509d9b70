package cli

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	"chant/providers"
)

// copilotHome is where copilot keeps its sessions, "" when that cannot be told.
func copilotHome(environ []string) string {
	for _, at := range []struct{ name, below string }{{"COPILOT_HOME", ""}, {"HOME", ".copilot"}, {"USERPROFILE", ".copilot"}} {
		if value := providers.Variable(environ, at.name); filepath.IsAbs(value) {
			return filepath.Join(value, at.below)
		}
	}
	return ""
}

// copilotUsage reads what a session has used since it was gone on with last; nil when
// copilot has left no word of it. Each end of a session tells of all of it so far.
func copilotUsage(home, session string) *providers.Usage {
	if home == "" || session == "" || !filepath.IsLocal(session) {
		return nil
	}
	file, err := os.Open(filepath.Join(home, "session-state", session, "events.jsonl"))
	if err != nil {
		return nil
	}
	defer file.Close()
	var before, now *providers.Usage
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if usage := shutdownUsage(line); usage != nil {
			before, now = now, usage
		}
		if err != nil {
			break
		}
	}
	if now == nil || before == nil {
		return now
	}
	rest := prior{usage: *before}.since(*now)
	return &rest
}

// shutdownUsage reads the end of a session, nil from any other event.
func shutdownUsage(line []byte) *providers.Usage {
	var e struct {
		Type string
		Data struct {
			Metrics map[string]struct {
				Usage struct{ InputTokens, OutputTokens, CacheReadTokens, CacheWriteTokens int }
			} `json:"modelMetrics"`
		}
	}
	if json.Unmarshal(line, &e) != nil || e.Type != "session.shutdown" || len(e.Data.Metrics) == 0 {
		return nil
	}
	var sum providers.Usage
	for _, m := range e.Data.Metrics {
		u := m.Usage
		sum = sum.Plus(providers.Usage{
			Input: max(0, u.InputTokens-u.CacheReadTokens-u.CacheWriteTokens), CachedInput: u.CacheReadTokens, CacheWrites: u.CacheWriteTokens, Output: u.OutputTokens,
		})
	}
	return &sum
}
