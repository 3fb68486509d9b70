package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"chant/providers"

	"github.com/alecthomas/assert/v2"
)

// TestCopilotUsage reads the files that copilot leaves of its sessions.
func TestCopilotUsage(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	first := `{"type":"session.shutdown","data":{"modelMetrics":{"m":{"requests":{"count":5},"usage":{"inputTokens":1000,"outputTokens":95,"cacheReadTokens":700,"cacheWriteTokens":100}}}}}` + "\n"
	second := `{"type":"session.shutdown","data":{"modelMetrics":{"m":{"usage":{"inputTokens":1500,"outputTokens":100,"cacheReadTokens":900,"cacheWriteTokens":100}},"n":{"usage":{"inputTokens":10,"outputTokens":1}}}}}`
	for session, content := range map[string]string{"once": `{"type":"user.message"}` + "\n" + first, "resumed": first + second, "killed": `{"type":"session.start"}` + "\n", "broken": "{\n"} {
		dir := filepath.Join(home, "session-state", session)
		assert.NoError(t, os.MkdirAll(dir, 0o700))
		write(t, filepath.Join(dir, "events.jsonl"), content, 0o600)
	}
	for session, want := range map[string]*providers.Usage{
		"once":    {Input: 200, CachedInput: 700, CacheWrites: 100, Output: 95},
		"resumed": {Input: 310, CachedInput: 200, Output: 6},
		"killed":  nil, "broken": nil, "none": nil, "": nil, "../session-state/once/../once": nil,
	} {
		got := copilotUsage(home, session)
		assert.Equal(t, want == nil, got == nil, "%q", session)
		assert.False(t, got != nil && *got != *want, "%q: %+v, want %+v", session, got, want)
	}
	assert.Zero(t, copilotUsage("", "once"), "without a home")
	for _, tt := range []struct {
		environ []string
		want    string
	}{{[]string{"HOME=/h", "COPILOT_HOME=/c"}, "/c"}, {[]string{"HOME=/h"}, "/h/.copilot"}, {[]string{"HOME=rel"}, ""}, {nil, ""}} {
		assert.Equal(t, filepath.FromSlash(tt.want), copilotHome(tt.environ), "%q", tt.environ)
	}
}

// TestCopilotUsage_hostile: what an agent puts in the place of the file of its session leads nowhere, does not keep chant
// waiting, and does not fill its memory.
func TestCopilotUsage_hostile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights here")
	}
	end := `{"type":"session.shutdown","data":{"modelMetrics":{"m":{"usage":{"inputTokens":1000,"outputTokens":95}}}}}` + "\n"
	outside := filepath.Join(t.TempDir(), "events.jsonl")
	write(t, outside, end, 0o600)
	for name, put := range map[string]func(file string) error{
		"a pipe":                    func(file string) error { return exec.CommandContext(t.Context(), "mkfifo", file).Run() },
		"a link out":                func(file string) error { return os.Symlink(outside, file) },
		"a link to what never ends": func(file string) error { return os.Symlink("/dev/zero", file) },
		"a link of its folder": func(file string) error {
			return errors.Join(os.Remove(filepath.Dir(file)), os.Symlink(filepath.Dir(outside), filepath.Dir(file)))
		},
		"a TiB": func(file string) error {
			return errors.Join(os.WriteFile(file, []byte(end), 0o600), os.Truncate(file, 1<<40))
		},
	} {
		home := t.TempDir()
		file := filepath.Join(home, "session-state", "s", "events.jsonl")
		assert.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), put(file)))
		assert.Zero(t, copilotUsage(home, "s"), "%s", name)
	}
}
