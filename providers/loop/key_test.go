package loop

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// A key is in no line of output, in no transcript and in nothing that the model gets,
// also one that JSON would spell otherwise and that a command has found.
func TestAgent_key(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the command is for sh")
	}
	const key = `sk-a&b<c>d/12345`
	everyAPI(t, func(t *testing.T, api string) {
		s := serve(t, api,
			calls("run_command", `{"command":"printf %s 'sk-a&b<c>d/12345'"}`),
			turn{text: "The key is " + key})
		a, out := agentFor(t, s)
		a.Environ = []string{"PATH=/usr/bin:/bin", "TEST_KEY=" + key}
		a.Hide = func(line []byte) []byte { return []byte(strings.ReplaceAll(string(line), key, "[hidden]")) }
		assert.NoError(t, a.Run(context.Background(), "Find it."), "%s", out)
		transcript, err := os.ReadFile(a.Config.Session)
		assert.NoError(t, err)
		results := out.ofKind(t, sayToolResult)
		assert.Equal(t, 1, len(results), "the model gets")
		assert.Equal(t, "[key]", results[0].Text, "the model gets")
		for what, text := range map[string]string{"output": out.String(), "transcript": string(transcript)} {
			assert.NotContains(t, text, key, "%s holds the key:", what)
			assert.NotContains(t, text, `sk-a\u0026b`, "%s holds the key:", what)
		}
	})
}
