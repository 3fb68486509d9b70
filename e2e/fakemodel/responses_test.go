package fakemodel

import (
	"strings"
	"testing"
)

func responsesDialect() dialect {
	return dialect{
		path: "/v1/responses", streamPath: "/v1/responses",
		first: `{"model":"m","tools":[{"type":"function","name":"read"},{"type":"namespace","name":"space","tools":[{"type":"function","name":"read"}]}],` +
			`"input":[{"type":"message","role":"developer","content":"be brief"},{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}]}`,
		streaming: `"stream":true,`,
		before:    "]}",
		result: func(id string) string {
			return `{"type":"function_call","call_id":"` + id + `"},{"type":"function_call_output","call_id":"` + id + `","output":"fine"}`
		},
		whole:    func(t *testing.T, src string) speech { return readResponse(t, decode[responseReply](t, src)) },
		streamed: readResponseStream,
		idPrefix: "call_",
		failures: map[int]string{401: "invalid_api_key", 429: "rate_limit_exceeded", 500: "server_error"},
	}
}

type responseReply struct {
	Status string
	Output []responseItem
	Usage  struct {
		Input   int `json:"input_tokens"`
		Output  int `json:"output_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
			Writes int `json:"cache_write_tokens"`
		} `json:"input_tokens_details"`
	}
}

type responseItem struct {
	Type, Name, Namespace, Arguments string
	CallID                           string `json:"call_id"`
	Content                          []struct{ Text string }
}

func (i responseItem) call() string {
	name := i.Name
	if i.Namespace != "" {
		name = i.Namespace + "." + name
	}
	return name + " " + i.CallID + " "
}

func readResponse(t *testing.T, r responseReply) speech {
	t.Helper()
	u := r.Usage
	s := speech{usage: Usage{u.Input - u.Details.Cached - u.Details.Writes, u.Details.Cached, u.Details.Writes, u.Output}}
	for _, i := range r.Output {
		if i.Type == "message" {
			s.text += i.Content[0].Text
			continue
		}
		s.calls = append(s.calls, i.call()+i.Arguments)
	}
	if r.Status != "completed" {
		t.Errorf("status %q", r.Status)
	}
	return s
}

// readResponseStream reads the pieces, and holds what they give against the whole
// that ends the stream.
func readResponseStream(t *testing.T, lines []string) speech {
	t.Helper()
	var s speech
	var whole speech
	for n, e := range objects[struct {
		Type, Delta string
		Number      int `json:"sequence_number"`
		Index       int `json:"output_index"`
		Item        responseItem
		Response    responseReply
	}](t, strings.Join(events(lines), "\n")) {
		if e.Number != n {
			t.Errorf("%s is number %d, want %d", e.Type, e.Number, n)
		}
		switch e.Type {
		case "response.output_text.delta":
			s.text += e.Delta
		case "response.output_item.added":
			if e.Item.Type == "function_call" {
				s.calls = append(s.calls, e.Item.call())
			}
		case "response.function_call_arguments.delta":
			s.calls[len(s.calls)-1] += e.Delta
		case "response.completed":
			whole = readResponse(t, e.Response)
		}
	}
	s.usage = whole.usage
	if s.text != whole.text || strings.Join(s.calls, "\n") != strings.Join(whole.calls, "\n") {
		t.Errorf("pieces give %+v, the whole %+v", s, whole)
	}
	return s
}

func TestResponses_bareInput(t *testing.T) {
	t.Parallel()
	s := StartScript(t, func(r Request) []Turn { return []Turn{{Text: "you said " + r.Prompt}} })
	_, src := ask(t, s, "POST", "/v1/responses", `{"model":"m","tools":[{"type":"function","name":"read"}],"input":"hello"}`)
	if got := readResponse(t, decode[responseReply](t, src)).text; got != "you said hello" {
		t.Errorf("text %q", got)
	}
}
