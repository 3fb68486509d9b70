package fakemodel

import (
	"strings"
	"testing"
)

func chatDialect() dialect {
	return dialect{
		path: "/v1/chat/completions", streamPath: "/gateway/v1/chat/completions",
		first:     `{"model":"m","tools":[{"type":"function","function":{"name":"read"}}],"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hello"}]}`,
		streaming: `"stream":true,"stream_options":{"include_usage":true},`,
		before:    "]}",
		result: func(id string) string {
			return `{"role":"assistant","content":null},{"role":"tool","tool_call_id":"` + id + `","content":[{"type":"text","text":"fine"}]}`
		},
		whole:    func(t *testing.T, src string) speech { return readChat(t, decode[chatReply](t, src)) },
		streamed: readChatStream,
		idPrefix: "call_",
		failures: map[int]string{401: "invalid_api_key", 429: "rate_limit_exceeded", 500: "server_error"},
	}
}

type chatReply struct {
	Object  string
	Choices []struct {
		Message, Delta struct {
			Content string
			Calls   []chatCall `json:"tool_calls"`
		}
		Finish string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
}

func (r chatReply) usage() Usage {
	return Usage{Input: r.Usage.Prompt - r.Usage.Details.Cached, CachedInput: r.Usage.Details.Cached, Output: r.Usage.Completion}
}

func readChat(t *testing.T, r chatReply) speech {
	t.Helper()
	m := r.Choices[0].Message
	s := speech{text: m.Content, usage: r.usage()}
	for _, c := range m.Calls {
		s.calls = append(s.calls, c.Function.Name+" "+c.ID+" "+c.Function.Arguments)
	}
	if want := map[bool]string{true: "tool_calls", false: "stop"}[len(m.Calls) > 0]; r.Choices[0].Finish != want {
		t.Errorf("finish_reason %q, want %q", r.Choices[0].Finish, want)
	}
	return s
}

func readChatStream(t *testing.T, lines []string) speech {
	t.Helper()
	var s speech
	for _, r := range objects[chatReply](t, strings.Join(events(lines), "\n")) {
		if r.Usage != nil {
			s.usage = r.usage()
		}
		for _, c := range r.Choices {
			s.text += c.Delta.Content
			for _, call := range c.Delta.Calls {
				if *call.Index == len(s.calls) {
					s.calls = append(s.calls, call.Function.Name+" "+call.ID+" ")
				}
				s.calls[*call.Index] += call.Function.Arguments
			}
		}
	}
	if last := lines[len(lines)-3]; last != "data: [DONE]" {
		t.Errorf("ends with %q", last)
	}
	return s
}

func TestChat_usageUnasked(t *testing.T) {
	t.Parallel()
	s := Start(t, Turn{Text: "finished"})
	d := chatDialect()
	_, src := ask(t, s, "POST", d.path, strings.Replace(d.first, "{", `{"stream":true,`, 1))
	if strings.Contains(src, "usage") || !strings.Contains(src, "finished") {
		t.Errorf("stream %s", src)
	}
}
