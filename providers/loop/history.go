package loop

import (
	"errors"
	"fmt"
)

// lastTurns is how many of the last answers of tools are dropped only when nothing else
// helps.
const lastTurns = 2

// Tokens per byte: a first guess for English and code, and the bounds of what is
// believed of a server, of which some leave out what they had cached.
const (
	defaultRate = 0.25
	minRate     = 0.2
	maxRate     = 1.0
)

// history is the conversation, kept under the limit of the model.
type history struct {
	messages []message
	limit    int     // tokens
	rate     float64 // tokens per byte, from the last answer of the server; 0 = unknown yet
}

// adjustRate corrects the guess by what a request of so many bytes was counted as.
func (h *history) adjustRate(tokens, bytes int) {
	if tokens > 0 && bytes > 0 {
		// Some servers leave out what they had cached, so only a likely count is believed.
		h.rate = min(max(float64(tokens)/float64(bytes), minRate), maxRate)
	}
}

// fit returns the conversation, with old calls and answers of tools cut when it is too long.
// Then it drops a quarter more than it must, for what stays the same is in the server's
// cache. Prompts stay, and each call keeps a result. When nothing else helps, what the
// last turns said is shortened: only prompts may be too long.
func (h *history) fit() ([]message, error) {
	if h.tokens() <= h.limit {
		return h.messages, nil
	}
	// A quarter more than necessary is dropped: what stays the same until the next time is in the server's cache.
	goal := h.limit * 3 / 4
	h.dropTexts(goal, lastTurns)
	if h.tokens() > h.limit {
		h.dropTurns(goal, lastTurns)
	}
	// The order is from what is missed least to what is missed most.
	h.dropTexts(h.limit, 1)
	h.shorten()
	h.dropTurns(h.limit, 1)
	if n := h.tokens(); n > h.limit {
		return nil, fmt.Errorf("the prompt needs about %d tokens of %d: %w", n, h.limit, errContext)
	}
	return h.messages, nil
}

// errContext is a conversation of which nothing more can be dropped.
var errContext = errors.New("context limit reached")

// dropTexts replaces the oldest answers of tools by notes, and the long arguments of their
// calls, but for the last turns.
func (h *history) dropTexts(goal, spare int) {
	turns := h.turns()
	for _, i := range turns[:max(0, len(turns)-spare)] {
		m := &h.messages[i]
		// The transcript shares these slices and stays whole.
		m.Results = append([]result(nil), m.Results...) // the transcript's stay whole
		for j := range m.Results {
			if h.tokens() <= goal {
				return
			}
			m.Results[j] = m.Results[j].droppedNote()
		}
		if h.tokens() <= goal {
			return
		}
		h.cutCalls(i-1, minInput)
	}
}

// dropTurns takes out the oldest answers of the model, each with those of its tools, but
// for the last turns.
func (h *history) dropTurns(goal, spare int) {
	for h.tokens() > goal {
		turns := h.turns()
		if len(turns) <= spare {
			return
		}
		at := turns[0] // behind the calls it answers
		// The answer goes with the calls before it: each call must keep a result, or the API refuses the conversation.
		h.messages = append(append([]message(nil), h.messages[:at-1]...), h.messages[at+1:]...)
	}
}

// turns lists the positions of the answers of tools.
func (h *history) turns() []int {
	var at []int
	for i, m := range h.messages {
		if m.Role == fromTools && i > 0 {
			at = append(at, i)
		}
	}
	return at
}

// droppedNote is a result of which a note is left.
func (r result) droppedNote() result {
	const shorterThanNote = 160
	if r.Gone || len(r.Text) < shorterThanNote {
		return r
	}
	r.Text = fmt.Sprintf("[dropped to save room: %d bytes. Call %s again if you need them.]", len(r.Text), r.Tool)
	r.Gone = true
	return r
}

// overhead is about what the quoting of a message or a call takes, and of everything
// that is sent beside them, in bytes.
const (
	overhead = 64
	fixed    = 6 << 10
)

// tokens guesses what the conversation takes.
func (h *history) tokens() int {
	n := fixed
	for _, m := range h.messages {
		n += overhead + len(m.Text)
		for _, c := range m.Calls {
			n += overhead + len(c.Tool) + len(c.Input)
		}
		for _, r := range m.Results {
			n += overhead + len(r.Text)
		}
	}
	return int(float64(n) * h.tokenRate())
}

// tokenRate returns the estimated number of tokens for each byte.
func (h *history) tokenRate() float64 {
	if h.rate == 0 {
		return defaultRate
	}
	return h.rate
}

// resultRoom is how many bytes the results of one answer may take together: half of what the
// prompts leave, so that a turn before stays as it is.
func (h *history) resultRoom() int {
	n := fixed
	for _, m := range h.messages {
		if m.Role == fromUser {
			n += overhead + len(m.Text)
		}
	}
	return (int(float64(h.limit)/h.tokenRate()) - n) / 2
}
