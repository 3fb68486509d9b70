package loop

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// Servers that copy OpenAI's do so with liberties.
func TestOpenAIAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ stream, want string }{
		"arguments as JSON": {`data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"search","arguments":{"pattern":"x"}}}]},"finish_reason":"tool_calls"}]}`,
			`search {"pattern":"x"}`},
		"one index for all": {`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"{"}}]}}]}
data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}
data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"two","arguments":"{}"}}]}}]}
data: [DONE]`, "one {} two {}"},
		"name again": {`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"{"}}]}}]}
data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"}"}}]}}]}
data: [DONE]`, "one {}"},
		"no ids, one piece": {`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"one","arguments":"{\"a\":1}"}},{"function":{"name":"one","arguments":"{\"a\":2}"}}]}}]}
data: [DONE]`, `one {"a":1} one {"a":2}`},
		"no ids, in pieces": {`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"one","arguments":"{"}}]}}]}
data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"one","arguments":"}"}}]}}]}
data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"one","arguments":"{"}}]}}]}
data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"}"}}]}}]}
data: [DONE]`, "one {} one {}"},
		"no ids, a broken one": {`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"one","arguments":"{"}},{"function":{"name":"two","arguments":"{}"}},{"function":{"name":"one","arguments":"{}"}}]}}]}
data: [DONE]`, "one { two {} one {}"},
		"no ids, no arguments": {`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"one","arguments":""}},{"function":{"name":"two","arguments":"{}"}}]}}]}
data: [DONE]`, "one  two {}"},
		"no arguments":      {"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"one\",\"arguments\":null}}]},\"finish_reason\":\"stop\"}]}", "one "},
		"no mark of an end": {`data: {"choices":[{"delta":{"content":"text"},"finish_reason":"stop"}]}`, "text"},
		"CRLF":              {"data:{\"choices\":[{\"delta\":{\"content\":\"text\"}}]}\r\n\r\ndata:[DONE]\r\n", "text"},
		"error":             {`data: {"error":{"message":"overloaded"}}`, "!the server broke off: overloaded"},
		"error, no stream":  {"\n{\"error\":{\n\"message\":\"overloaded\"}}\n", "!the server broke off: overloaded"},
		"error at the end": {`data: {"choices":[{"delta":{"content":"half"}}]}
data: {"choices":[{"delta":{"content":""},"finish_reason":"error"}]}
data: [DONE]`, `!the server broke off: it ended the answer with the reason "error"`},
		"error of a choice":    {`{"choices":[{"message":{"content":"half"},"finish_reason":"stop","error":{"code":502,"message":"upstream is down"}}]}`, "!the server broke off: upstream is down"},
		"no error of a choice": {`{"choices":[{"message":{"content":"text"},"finish_reason":"stop","error":null}]}`, "text"},
		"parts": {`data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"te"},{"text":"xt"}]}}]}
data: {"choices":[{"delta":{"content":null},"finish_reason":"stop"}]}`, "text"},
		"byte order mark":            {"\ufeffdata: {\"choices\":[{\"delta\":{\"content\":\"text\"}}]}\n\ndata: [DONE]\n", "text"},
		"byte order mark, no stream": {"\ufeff{\"choices\":[{\"message\":{\"content\":\"text\"},\"finish_reason\":\"stop\"}]}", "text"},
		"no text":                    {`data: {"choices":[{"delta":{"content":7}}]}`, "!neither a text nor a list of parts"},
		"message alone":              {`data: {"object":"error","message":"no such model"}`, "!the server broke off: no such model"},
		"comments, fields":           {": busy\nid: 1\nretry: 5\nevent: message\ndata: {\"choices\":[{\"delta\":{\"content\":\"text\"}}]}\n\ndata: [DONE]\n", "text"},
		"no stream": {`{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"text","tool_calls":[{"id":"a","function":{"name":"one","arguments":"{}"}},` +
			`{"id":"b","function":{"name":"two","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3}}`, "text one {} two {}"},
		"no stream, no end": {`{"choices":[]}`, "!has no end"},
		"half a document":   {`{"choices":[{"message":{"content":"te`, "!invalid answer"},
		"ended before":      {`data: {"choices":[{"delta":{"content":"half"}}]}`, "!the answer broke off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var a openAIAnswer
			err := a.read(strings.NewReader(test.stream))
			if want, fails := strings.CutPrefix(test.want, "!"); fails {
				assert.Error(t, err)
				assert.Contains(t, err.Error(), want)
				assert.True(t, isTransient(err), "%v, want %q", err, want)
				return
			}
			got := a.assemble(0)
			parts := []string{}
			if got.Text != "" {
				parts = append(parts, got.Text)
			}
			for _, c := range got.Calls {
				parts = append(parts, c.Tool+" "+c.Input)
			}
			text := strings.Join(parts, " ")
			assert.NoError(t, err)
			assert.Equal(t, test.want, text)
		})
	}
}

// TestOpenAIAnswer_refusal: the words of a model that refused to answer are beside its
// content, in pieces or whole.
func TestOpenAIAnswer_refusal(t *testing.T) {
	t.Parallel()
	for stream, want := range map[string]string{
		`data: {"choices":[{"delta":{"content":null,"refusal":"I will "}}]}
data: {"choices":[{"delta":{"refusal":"not do\nthat."}}]}
data: {"choices":[{"delta":{},"finish_reason":"stop"}]}
data: [DONE]`: "I will not do that.",
		`{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}`:          "No.",
		`{"choices":[{"message":{"content":"x","refusal":"No."},"finish_reason":"content_filter"}]}`: "No.",
		`{"choices":[{"message":{"content":"x","refusal":null},"finish_reason":"content_filter"}]}`:  "content_filter",
		`{"choices":[{"message":{"content":"x","refusal":null},"finish_reason":"stop"}]}`:            "",
		`{"choices":[{"message":{"content":"x","refusal":" "},"finish_reason":"stop"}]}`:             "",
		`{"choices":[{"message":{"content":"x","refusal":false},"finish_reason":"stop"}]}`:           "",
	} {
		var a openAIAnswer
		if err := a.read(strings.NewReader(stream)); err != nil || a.assemble(0).Refused != want {
			t.Errorf("%s: %q, %v, want %q", stream, a.assemble(0).Refused, err, want)
		}
	}
}
