package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// form is the language of one API.
type form struct {
	parse   func(*Request) error              // fills in what the body says
	whole   func(Request, answer) any         // an answer as one JSON value
	stream  func(Request, answer) *stream     // the same answer in pieces
	failure func(status int, text string) any // the body of an error
	media   string                            // the content type of a stream
	caching caching
	// refusals are what the API says of a problem, and how long it then asks to wait.
	refusals func(p problem, seconds int) refusal
}

// eventStream is the content type of server-sent events.
const eventStream = "text/event-stream; charset=utf-8"

// formOf finds the form that a path belongs to, and whether it asks for an answer
// of the model. Any prefix may precede it, as clients that go through a
// gateway send one.
func formOf(method, path string) (f form, asks bool) {
	post := method == http.MethodPost
	switch {
	case strings.HasSuffix(path, "/v1/responses"):
		return responses(), post
	case strings.HasSuffix(path, "/chat/completions"):
		return chat(), post
	case strings.Contains(path, "/v1beta/"):
		_, verb, _ := strings.Cut(path, ":")
		return gemini(), post && (verb == "generateContent" || verb == "streamGenerateContent")
	case strings.Contains(path, "/api/"):
		return ollama(), post && strings.HasSuffix(path, "/api/chat")
	default:
		return anthropic(), post && strings.HasSuffix(path, "/v1/messages")
	}
}

// answer is what the model says to one request, whatever the form.
type answer struct {
	turn  int
	text  string
	calls []made
	usage Usage
}

// made is a call with its input as JSON. Its id is the same each time its turn is
// given, and forms put a prefix of their own before it.
type made struct {
	id, name string
	input    json.RawMessage
}

// hasText reports whether the answer has a text, be it an empty one because there is
// nothing else.
func (a answer) hasText() bool { return a.text != "" || len(a.calls) == 0 }

// answerTo turns a turn of the script into an answer.
func answerTo(r Request, t Turn, turn int, told caching) (answer, error) {
	a := answer{turn: turn, text: t.Text}
	size := len(t.Text)
	for i, c := range t.Calls {
		input := json.RawMessage("{}")
		if c.Input != nil {
			var err error
			if input, err = json.Marshal(c.Input); err != nil {
				return answer{}, fmt.Errorf("input of %q: %w", c.Name, err)
			}
		}
		size += len(c.Name) + len(input)
		a.calls = append(a.calls, made{fmt.Sprintf("%04d%04d", turn, i), c.Name, input})
	}
	a.usage = measure(r, size, told)
	return a, nil
}
