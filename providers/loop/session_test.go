package loop

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestAgent_resumes: a session that ended, or whose process died, is resumed unchanged.
func TestAgent_resumes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		leave func(whole string) string
		want  []string // parts of the next request, in order
	}{
		"ended": {func(whole string) string { return whole }, []string{"The first.", "a.txt", "All is listed.", "The second."}},
		"died while writing": {func(whole string) string { return whole[:strings.LastIndex(whole, "All is")] },
			[]string{"The first.", "a.txt", "The second."}},
		"died in a call": {func(whole string) string {
			lines := strings.SplitAfter(whole, "\n")
			return lines[0] + lines[1]
		}, []string{"The first.", "may or may not have been carried out", "The second."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			everyAPI(t, func(t *testing.T, api string) {
				s := serve(t, api, calls("list_files", `{}`), turn{text: "All is listed."}, turn{text: "Done."})
				a, out := agentFor(t, s)
				write(t, a.Config.Worktree, "a.txt", "")
				assert.NoError(t, a.Run(context.Background(), "The first."))
				src, err := os.ReadFile(a.Config.Session)
				assert.NoError(t, err)
				info, err := os.Stat(a.Config.Session)
				assert.NoError(t, err)
				assert.False(t, runtime.GOOS != "windows" && info.Mode().Perm() != 0o600, "%v, %v", info, err)
				assert.NoError(t, os.WriteFile(a.Config.Session, []byte(test.leave(string(src))), 0o600))
				a.Config.Resume = true
				assert.NoError(t, a.Run(context.Background(), "The second."), "%s", out)
				body := string(s.sent()[2].body)
				for _, part := range test.want {
					_, rest, found := strings.Cut(body, part)
					if !found {
						t.Fatalf("no %q behind the others in %s", part, s.sent()[2].body)
					}
					body = rest
				}
			})
		})
	}
}

func TestAgent_resumeRefused(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "no session to resume", "{}\nnonsense\n": "session.jsonl:2: "} {
		a, _ := agentFor(t, serve(t, OpenAI))
		a.Config.Resume = true
		if name != "" {
			assert.NoError(t, os.WriteFile(a.Config.Session, []byte(name), 0o600))
		}
		err := a.Run(context.Background(), "Go.")
		assert.Error(t, err)
		assert.Contains(t, err.Error(), want)
	}
}

// TestAgent_hides: a secret is not in the transcript, but the model sees it.
func TestAgent_hides(t *testing.T) {
	t.Parallel()
	s := serve(t, Ollama, calls("read_file", `{"path":"env"}`), turn{text: "Done."})
	a, _ := agentFor(t, s)
	a.Hide = func(p []byte) []byte { return bytes.ReplaceAll(p, []byte("hunter22"), []byte("[gone]")) }
	write(t, a.Config.Worktree, "env", "PASS=hunter22")
	assert.NoError(t, a.Run(context.Background(), "Go."))
	src, err := os.ReadFile(a.Config.Session)
	assert.NoError(t, err, "%s", src)
	assert.NotContains(t, string(src), "hunter22")
	assert.Contains(t, string(src), "PASS=[gone]")
	assert.Contains(t, string(s.sent()[1].body), "PASS=hunter22")
}
