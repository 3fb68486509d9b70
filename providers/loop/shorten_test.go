package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCall_cut: what is cut stays an object, and says where the rest is.
func TestCall_cut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é\n", 500)
	for name, test := range map[string]struct {
		tool, input string
		done        bool
		want        string
	}{
		"short":      {"write_file", `{"path":"a", "content":"b"}`, true, `{"path":"a", "content":"b"}`},
		"written":    {"write_file", quoted(map[string]string{"path": "a", "content": long}), true, `{"content":"[cut to save room: 1500 bytes; the file has them]","path":"a"}`},
		"failed":     {"write_file", quoted(map[string]string{"path": "a", "content": long}), false, `{"content":"[cut to save room: 1500 bytes]","path":"a"}`},
		"edited":     {"edit_file", quoted(map[string]string{"path": "a", "old_text": "x" + long, "new_text": long}), true, `{"new_text":"[cut to save room: 1500 bytes; the file has them]","old_text":"[cut to save room: 1501 bytes]","path":"a"}`},
		"another":    {"run_command", quoted(map[string]any{"command": long, "timeout": 5}), true, `{"command":"[cut to save room: 1500 bytes]","timeout":5}`},
		"no object":  {"write_file", long, false, `{}`},
		"a list":     {"write_file", quoted([]string{long}), false, `{}`},
		"long names": {"write_file", `{"` + strings.Repeat("n", 1000) + `":1}`, true, `{"cut":"[1006 bytes]"}`},
	} {
		got := call{Tool: test.tool, Input: test.input}.cutInput(minInput, test.done)
		assert.Equal(t, test.want, got, "%s", name)
		assert.True(t, json.Valid([]byte(got)), "%s: %s, want %s", name, got, test.want)
		assert.True(t, len(got) <= minInput, "%s: %s, want %s", name, got, test.want)
	}
}

// TestHistory_cutsCalls: of long arguments the oldest go first, and those of the last turn
// when it is too long by itself.
func TestHistory_cutsCalls(t *testing.T) {
	t.Parallel()
	turnOf := func(id string, size int) []message {
		return []message{
			{Role: fromModel, Calls: []call{{ID: id, Tool: "write_file", Input: quoted(map[string]string{"path": "a", "content": strings.Repeat("x", size)})}}},
			{Role: fromTools, Results: []result{{ID: id, Tool: "write_file", Text: "wrote it"}}},
		}
	}
	h := history{limit: 28672, messages: []message{{Role: fromUser, Text: "prompt"}}}
	for i := range 5 {
		h.messages = append(h.messages, turnOf(fmt.Sprint(i), 30_000)...)
	}
	whole := append([]message(nil), h.messages...)
	sent, err := h.fit()
	assert.NoError(t, err)
	assert.Equal(t, 11, len(sent))
	for i, cut := range []bool{true, true, true, false, false} {
		got := sent[1+2*i].Calls[0].Input
		assert.Equal(t, cut, strings.Contains(got, "the file has them"), "turn %d", i)
		assert.Equal(t, cut, len(got) < 30_000, "turn %d", i)
	}
	assert.True(t, len(whole[1].Calls[0].Input) >= 30_000, "what is kept elsewhere was changed")
	h = history{limit: 28672, messages: append([]message{{Role: fromUser, Text: "prompt"}}, turnOf("1", 200_000)...)}
	sent, err = h.fit()
	assert.NoError(t, err, "the last turn")
	assert.Contains(t, sent[1].Calls[0].Input, "200000 bytes; the file has them", "the last turn")
}

// TestAgent_largeFiles: files that together are larger than the context are written.
func TestAgent_largeFiles(t *testing.T) {
	t.Parallel()
	everyAPI(t, func(t *testing.T, api string) {
		content := strings.Repeat("0123456789abc\n", 52<<10/14)
		var turns []turn
		for i := range 5 {
			turns = append(turns, calls("write_file", quoted(map[string]string{"path": fmt.Sprintf("f%d", i), "content": content})))
		}
		s := serve(t, api, append(turns, turn{text: "Done."})...)
		a, out := agentFor(t, s)
		a.Config.Context = 32 << 10
		assert.NoError(t, a.Run(context.Background(), "Go."), "%s", out)
		for i := range 5 {
			assert.Equal(t, content, read(t, a.Config.Worktree, fmt.Sprintf("f%d", i)), "file %d is another", i)
		}
		body := string(s.sent()[5].body)
		assert.Contains(t, body, "the file has them")
		assert.Contains(t, body, "f0")
	})
}
