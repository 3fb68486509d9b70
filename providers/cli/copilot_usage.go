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
		return nil // what was used since cannot be told
	}
	return prior{usage: *before}.since(now)
}

// shutdownUsage reads the end of a session, false from any other event. The usage is nil
// when it cannot be told.
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
