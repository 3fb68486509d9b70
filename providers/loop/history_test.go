package loop

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

// TestHistory_fit: whatever was said, what is sent fits unless the prompts alone are too
// long, begins with the prompt, ends as the conversation does, and has a result for each
// call.
func TestHistory_fit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := history{limit: rapid.IntRange(2500, 20000).Draw(t, "limit")}
		h.rate = rapid.SampledFrom([]float64{0, minRate, 0.3, maxRate}).Draw(t, "rate")
		h.messages = []message{{Role: fromUser, Text: "the prompt"}}
		for turn := range rapid.IntRange(0, 30).Draw(t, "turns") {
			said, answered := message{Role: fromModel}, message{Role: fromTools}
			for i := range rapid.IntRange(1, 3).Draw(t, "calls") {
				id := fmt.Sprintf("%d_%d", turn, i)
				said.Calls = append(said.Calls, call{ID: id, Tool: "read_file", Input: `{"path":"` + strings.Repeat("i", rapid.IntRange(2, 3000).Draw(t, "input")) + `"}`})
				answered.Results = append(answered.Results, result{ID: id, Tool: "read_file", Text: strings.Repeat("r", rapid.IntRange(0, 9000).Draw(t, "text"))})
			}
			h.messages = append(h.messages, said, answered)
			if rapid.Bool().Draw(t, "prompted") {
				h.messages = append(h.messages, message{Role: fromUser, Text: "go on"})
			}
			last := h.messages[len(h.messages)-1]
			prompts := count(h.messages, fromUser)
			sent, err := h.fit()
			if err != nil {
				const turn = 3 * (2*overhead + len("read_file") + minInput + minLeft) // at most three calls
				if bytes := float64(h.limit) / h.tokenRate(); !errors.Is(err, errContext) || h.tokens() <= h.limit || fixed+prompts*(overhead+10)+turn < int(bytes) {
					t.Fatalf("%v with %d of %d", err, h.tokens(), h.limit)
				}
				return
			}
			if h.tokens() > h.limit || sent[0].Text != "the prompt" || count(sent, fromUser) != prompts {
				t.Fatalf("%d of %d tokens, %d of %d prompts", h.tokens(), h.limit, count(sent, fromUser), prompts)
			}
			if got := sent[len(sent)-1]; got.Role != last.Role || len(got.Results) != len(last.Results) || len(got.Results) > 0 && got.Results[0].Gone {
				t.Fatalf("the last message became %+v", got)
			}
			paired(t, sent)
		}
	})
}

func count(messages []message, role string) int {
	n := 0
	for _, m := range messages {
		if m.Role == role {
			n++
		}
	}
	return n
}

func paired(t *rapid.T, messages []message) {
	for i, m := range messages {
		if len(m.Calls) == 0 {
			continue
		}
		if i+1 == len(messages) || len(messages[i+1].Results) != len(m.Calls) {
			t.Fatalf("calls without results at %d", i)
		}
		for j, c := range m.Calls {
			if messages[i+1].Results[j].ID != c.ID {
				t.Fatalf("result of %q where that of %q belongs", messages[i+1].Results[j].ID, c.ID)
			}
		}
	}
}

// TestHistory_dropsOldest: the oldest go first and leave a note; the transcript keeps them.
func TestHistory_dropsOldest(t *testing.T) {
	t.Parallel()
	h := history{limit: 5000, messages: []message{{Role: fromUser, Text: "prompt"}}}
	for i := range 4 {
		id := fmt.Sprint(i)
		h.messages = append(h.messages,
			message{Role: fromModel, Calls: []call{{ID: id, Tool: "read_file", Input: "{}"}}},
			message{Role: fromTools, Results: []result{{ID: id, Tool: "read_file", Text: strings.Repeat("x", 4000)}}})
	}
	before := append([]message(nil), h.messages...)
	sent, err := h.fit()
	assert.NoError(t, err)
	var gone []bool
	for _, m := range sent {
		for _, r := range m.Results {
			gone = append(gone, r.Gone)
		}
	}
	assert.Equal(t, "[true true false false]", fmt.Sprint(gone))
	assert.Equal(t, "[dropped to save room: 4000 bytes. Call read_file again if you need them.]", sent[2].Results[0].Text)
	assert.Equal(t, 4000, len(before[2].Results[0].Text), "what is kept elsewhere was changed")
}

func TestHistory_learn(t *testing.T) {
	t.Parallel()
	h := history{}
	for _, step := range []struct {
		tokens, bytes int
		want          float64
	}{{0, 100, 0}, {30, 100, 0.3}, {1, 100, minRate}, {500, 100, maxRate}, {30, 0, maxRate}} {
		if h.adjustRate(step.tokens, step.bytes); h.rate != step.want {
			t.Errorf("%+v: %g", step, h.rate)
		}
	}
}

// TestHistory_shortens: what one turn said never makes a conversation too long.
func TestHistory_shortens(t *testing.T) {
	t.Parallel()
	wide := message{Role: fromTools}
	asked := message{Role: fromModel}
	for i := range maxCalls {
		asked.Calls = append(asked.Calls, call{ID: fmt.Sprint(i), Tool: "read_file", Input: "{}"})
		wide.Results = append(wide.Results, result{ID: fmt.Sprint(i), Tool: "read_file", Text: strings.Repeat("x", 16<<10)})
	}
	wide.Results[0].Text = "a short one"
	said := message{Role: fromModel, Text: strings.Repeat("y", 60_000)}
	cut := message{Role: fromUser, Text: goOnCut}
	for name, messages := range map[string][]message{
		"results of one answer": {asked, wide},
		"texts":                 {said, cut, said, cut, said, cut},
		"both":                  {said, cut, asked, wide},
	} {
		h := history{limit: 28672, messages: append([]message{{Role: fromUser, Text: "prompt"}}, messages...)}
		sent, err := h.fit()
		assert.NoError(t, err, "%v", name)
		assert.True(t, h.tokens() <= h.limit, "%v %v %v %v", name, err, h.limit, len(sent))
		assert.True(t, h.tokens() >= h.limit/4, "%v %v %v %v", name, err, h.limit, len(sent))
		assert.Equal(t, len(messages)+1, len(sent), "%v", name)
		last := sent[len(sent)-1]
		if last.Role == fromTools && (last.Results[0].Text != "a short one" || !strings.HasSuffix(last.Results[1].Text, "ask for a part of it]")) {
			t.Errorf("%s: %.200q, %.200q", name, last.Results[0].Text, last.Results[1].Text)
		}
	}
	assert.Equal(t, 16<<10, len(wide.Results[1].Text), "what is kept elsewhere was changed")
	h := history{limit: 28672, messages: []message{{Role: fromUser, Text: strings.Repeat("word ", 40_000)}, asked, wide}}
	_, err := h.fit()
	assert.IsError(t, err, errContext, "a prompt that is too long")
}
