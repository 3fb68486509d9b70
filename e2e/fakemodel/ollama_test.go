package fakemodel

import (
	"strings"
	"testing"
)

func ollamaDialect() dialect {
	return dialect{
		path: "/api/chat", streamPath: "/api/chat",
		first:    `{"stream":false,"model":"m","tools":[{"type":"function","function":{"name":"read"}}],"messages":[{"role":"user","content":"hello"}]}`,
		before:   "]}",
		result:   func(string) string { return `{"role":"tool","tool_name":"read","content":"fine"}` },
		whole:    func(t *testing.T, src string) speech { return readOllama(t, src) },
		streamed: func(t *testing.T, lines []string) speech { return readOllama(t, strings.Join(lines, "\n")) },
		failures: map[int]string{401: `"error":"scripted`, 429: `"error":"scripted`, 500: `"error":"scripted`},
	}
}

// readOllama reads one reply or the lines of one, for they look alike.
func readOllama(t *testing.T, src string) speech {
	t.Helper()
	var s speech
	done := false
	for _, r := range objects[struct {
		Message struct {
			Content string
			Calls   []ollamaCall `json:"tool_calls"`
		}
		Done   bool
		Prompt int `json:"prompt_eval_count"`
		Eval   int `json:"eval_count"`
	}](t, strings.TrimSpace(src)) {
		s.text += r.Message.Content
		for _, c := range r.Message.Calls {
			s.calls = append(s.calls, c.Function.Name+" "+string(c.Function.Arguments))
		}
		if done {
			t.Errorf("continues after the end:\n%s", src)
		}
		done, s.usage = r.Done, Usage{Input: r.Prompt, Output: r.Eval}
	}
	if !done {
		t.Errorf("never done:\n%s", src)
	}
	return s
}
