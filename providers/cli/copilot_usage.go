package cli

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"

	"chant/providers"
)

// copilotHome is the folder in which copilot keeps its sessions, "" if unknown.
func copilotHome(environ []string) string {
	for _, at := range []struct{ name, below string }{{"COPILOT_HOME", ""}, {"HOME", ".copilot"}, {"USERPROFILE", ".copilot"}} {
		if value := providers.Variable(environ, at.name); filepath.IsAbs(value) {
			return filepath.Join(value, at.below)
		}
	}
	return ""
}

// copilotUsage reads the usage of a session since it was last resumed; nil if copilot has not
// recorded it. Each end of a session records its whole usage so far.
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
	ends := 0
	lines := bufio.NewReader(file)
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
	case ends == 1:
		return now
	case before == nil:
		return nil // the usage since then is unknown
	}
	return prior{usage: *before}.since(now)
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
		if u == nil {
			return nil, true
		}
		u.Input = max(0, u.Input-u.CachedInput-u.CacheWrites)
		sum = sum.Plus(*u)
	}
	return &sum, true
}
