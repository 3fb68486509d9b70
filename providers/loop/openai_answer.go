package loop

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"chant/providers"
)

// openAIChunk is a piece of an answer.
type openAIChunk struct {
	Model   string         `json:"model"`
	Choices []openAIChoice `json:"choices"`
	Usage   *struct {
		Prompt     providers.Count `json:"prompt_tokens"` // includes what was cached
		Completion providers.Count `json:"completion_tokens"`
		Details    struct {
			Cached providers.Count `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"` // of errors alone
}

type openAIChoice struct {
	Delta   openAIPart      `json:"delta"`
	Message openAIPart      `json:"message"` // of servers that do not stream
	Finish  string          `json:"finish_reason"`
	Error   json.RawMessage `json:"error"` // of routers, whose server behind them failed
}

// failure is what a choice says of a model that failed, nil when it says nothing.
func (c openAIChoice) failure() error {
	switch {
	case hasContent(c.Error):
		return streamedError([]byte(`{"error":` + string(c.Error) + `}`))
	case c.Finish == "error":
		return brokenErrorf("the server broke off: it ended the answer with the reason %q", c.Finish)
	}
	return nil
}

type openAIPart struct {
	Content openAIContent   `json:"content"`
	Refusal json.RawMessage `json:"refusal"` // what the model says instead; a text, or it says nothing
	Calls   []openAICall    `json:"tool_calls"`
}

// openAIContent is a text, of which some servers make a list of parts.
type openAIContent string

// UnmarshalJSON reads both. Parts that are no text, such as thoughts, are left out.
func (c *openAIContent) UnmarshalJSON(src []byte) error {
	var text string
	// This is so for null, too.
	if json.Unmarshal(src, &text) == nil {
		*c = openAIContent(text)
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(src, &parts) != nil {
		return errors.New("the content is neither a text nor a list of parts")
	}
	for _, p := range parts {
		// Other parts are thoughts, which are not the answer.
		if p.Type == "" || p.Type == "text" || p.Type == "output_text" {
			text += p.Text
		}
	}
	*c = openAIContent(text)
	return nil
}

// openAIAnswer gathers the pieces of an answer.
type openAIAnswer struct {
	text   strings.Builder
	refuse strings.Builder // the words of a model that would not answer
	calls  []openAICall
	model  string
	finish string
	usage  providers.Usage
}

// read takes the stream. Some servers leave out the mark of the end, and the usage comes
// behind the piece with the reason, so that reason makes the answer whole as well.
func (a *openAIAnswer) read(stream io.Reader) error {
	err := eachEvent(stream, func(data []byte) (bool, error) {
		if string(data) == "[DONE]" {
			return true, nil
		}
		var piece openAIChunk
		if err := decode(data, &piece); err != nil {
			return false, err
		}
		if hasContent(piece.Error) || len(piece.Choices) == 0 && hasContent(piece.Message) {
			return false, streamedError(data)
		}
		for _, choice := range piece.Choices {
			if err := choice.failure(); err != nil {
				// Half an answer must not count as one.
				a.finish = ""
				return false, err
			}
		}
		a.add(piece)
		return false, nil
	})
	// Some servers leave out the mark of the end; the reason of the end makes the answer whole, too.
	if _, cut := errors.AsType[*brokenError](err); cut && a.finish != "" {
		return nil
	}
	return err
}

func (a *openAIAnswer) add(piece openAIChunk) {
	if piece.Model != "" {
		a.model = piece.Model
	}
	if u := piece.Usage; u != nil {
		// Odd counts are not reported.
		a.usage = providers.Usage{}
		if told := (providers.Counts{Input: u.Prompt, CachedInput: u.Details.Cached, Output: u.Completion}).Usage(); told != nil {
			a.usage = *told
			// The count of the prompt includes what was cached.
			a.usage.Input = max(0, told.Input-told.CachedInput)
		}
	}
	for _, choice := range piece.Choices {
		a.text.WriteString(string(choice.Delta.Content + choice.Message.Content))
		for _, src := range []json.RawMessage{choice.Delta.Refusal, choice.Message.Refusal} {
			var text string
			if json.Unmarshal(src, &text) == nil {
				a.refuse.WriteString(text)
			}
		}
		for _, part := range slices.Concat(choice.Delta.Calls, choice.Message.Calls) {
			a.addCall(part)
		}
		if choice.Finish != "" {
			a.finish = choice.Finish
		}
	}
}

// addCall joins the pieces of a call by their index. A piece with a name and another id
// begins a call, for some servers give all of them the index 0; and where they leave out
// the ids too, so does one with a name behind a call that is whole.
func (a *openAIAnswer) addCall(part openAICall) {
	for i := len(a.calls) - 1; i >= 0; i-- {
		have := &a.calls[i]
		named := part.Function.Name != ""
		// Some servers give all calls the index 0, so another id begins another call.
		if have.Index != part.Index || named && part.ID != have.ID {
			continue
		}
		// Where a server leaves out the ids, too, a name behind a complete call begins the next one.
		if named && have.ID == "" && have.isComplete(part.Function.Name) {
			break
		}
		have.Function.Arguments += part.Function.Arguments
		return
	}
	a.calls = append(a.calls, part)
}

// isComplete reports whether a call without an id is complete when a name comes behind it.
func (c openAICall) isComplete(next string) bool {
	return c.Function.Name != next || json.Valid([]byte(c.Function.Arguments))
}

func (a *openAIAnswer) assemble(sent int) answer {
	got := answer{Text: a.text.String(), Model: a.model, Cut: a.finish == "length", Usage: a.usage, Sent: sent}
	if got.Refused = clean(a.refuse.String()); got.Refused == "" && a.finish == "content_filter" {
		got.Refused = a.finish
	}
	for _, c := range a.calls {
		got.Calls = append(got.Calls, call{ID: c.ID, Tool: c.Function.Name, Input: string(c.Function.Arguments)})
	}
	return got
}
