package loop

import "fmt"

// Bounds of what is left of one text that is shortened, in bytes.
const (
	longestLeft  = 16 << 10
	shortestLeft = 160
)

// shorten cuts what the model and its tools said until the conversation fits: the longest
// texts first, and of those of about one length the oldest.
func (h *history) shorten() {
	for limit := longestLeft; limit >= shortestLeft; limit /= 2 {
		for i := range h.messages {
			if h.tokens() <= h.limit {
				return
			}
			h.messages[i] = h.messages[i].within(limit)
		}
	}
}

// within is a message of which no text is longer than a limit, but for a prompt. The one
// it was made from stays whole.
func (m message) within(limit int) message {
	if m.Role == fromUser {
		return m
	}
	m.Text = shortened(m.Text, limit, "")
	m.Results = append([]result(nil), m.Results...)
	for i := range m.Results {
		m.Results[i].Text = shortened(m.Results[i].Text, limit, "\n[cut, as there is no more room; ask for a part of it]")
	}
	return m
}

// shortened keeps the ends of a text, with a note, all within a limit.
func shortened(text string, limit int, note string) string {
	if len(text) <= limit {
		return text
	}
	gap := len(fmt.Sprintf(leftOut, len(text)))
	return ends(text, limit-gap-len(note)) + note
}
