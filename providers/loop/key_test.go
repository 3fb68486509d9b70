package loop

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
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
		if err := a.Run(context.Background(), "Find it."); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		transcript, err := os.ReadFile(a.Config.Session)
		if err != nil {
			t.Fatal(err)
		}
		results := out.of(t, sayToolResult)
		if len(results) != 1 || results[0].Text != "[key]" {
			t.Errorf("the model gets %+v", results)
		}
		for what, text := range map[string]string{"output": out.String(), "transcript": string(transcript)} {
			if strings.Contains(text, key) || strings.Contains(text, `sk-a\u0026b`) {
				t.Errorf("%s holds the key:\n%s", what, text)
			}
		}
	})
}
