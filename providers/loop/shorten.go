package loop

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"chant/text"
)

// Bounds of what is left of one text that is shortened, in bytes.
const (
	maxLeft  = 16 << 10
	minLeft  = 160
	minInput = 240 // of the arguments of a call, all together
	maxName  = 64  // of a tool; one that is longer is none of ours
)

// shorten cuts what the model and its tools said until the conversation fits: the longest
// texts first, and of those of about one length the oldest.
func (h *history) shorten() {
	// The longest texts come first, and of those of about one length the oldest.
	for limit := maxLeft; limit >= minLeft; limit /= 2 {
		for i := range h.messages {
			if h.tokens() <= h.limit {
				return
			}
			h.messages[i] = h.messages[i].cutTo(limit)
			h.cutCalls(i, max(limit, minInput))
		}
	}
}

// cutTo is a message of which no text is longer than a limit, but for a prompt. The one
// it was made from stays whole.
func (m message) cutTo(limit int) message {
	if m.Role == fromUser {
		return m
	}
	m.Text = shortened(m.Text, limit, "")
	// The transcript keeps the whole texts.
	m.Results = append([]result(nil), m.Results...)
	for i := range m.Results {
		m.Results[i].Tool = text.ClipBytes(m.Results[i].Tool, maxName)
		m.Results[i].Text = shortened(m.Results[i].Text, limit, "\n[cut, as there is no more room; ask for a part of it]")
	}
	return m
}

// shortened keeps the ends of a text, with a note, all within a limit.
func shortened(whole string, limit int, note string) string {
	if len(whole) <= limit {
		return whole
	}
	gap := len(fmt.Sprintf(text.LeftOut, len(whole)))
	return text.Ends(whole, limit-gap-len(note)) + note
}

// cutCalls shortens the arguments of one message's calls. Those of files that were written
// are in the files.
func (h *history) cutCalls(at, limit int) {
	m := &h.messages[at]
	m.Calls = append([]call(nil), m.Calls...)
	for i, c := range m.Calls {
		done := at+1 < len(h.messages) && i < len(h.messages[at+1].Results) && !h.messages[at+1].Results[i].Error
		m.Calls[i].Tool = text.ClipBytes(c.Tool, maxName)
		m.Calls[i].Input = c.cutInput(limit, done)
	}
}

// cutInput is the input of a call with notes in place of its longest arguments, as many as it
// takes to come under a limit. It stays an object, as every wire form wants it.
func (c call) cutInput(limit int, done bool) string {
	if len(c.Input) <= limit {
		return c.Input
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(c.Input), &fields) != nil || len(fields) == 0 {
		// It would be sent so, too.
		return "{}"
	}
	size := len(c.Input)
	longest := slices.SortedFunc(maps.Keys(fields), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(fields[b]), len(fields[a])), cmp.Compare(a, b))
	})
	// The longest arguments go first, so that the fewest are lost.
	for _, name := range longest {
		if size <= limit {
			break
		}
		note := c.cutNote(name, len(unquoteArguments(fields[name])), done)
		size += len(note) - len(fields[name])
		fields[name] = note
	}
	src, err := json.Marshal(fields)
	// Long names, or very many of them, leave no other way.
	if err != nil || len(src) > limit {
		return fmt.Sprintf(`{"cut":"[%d bytes]"}`, len(c.Input))
	}
	return string(src)
}

// cutNote replaces an argument, as JSON.
func (c call) cutNote(name string, size int, done bool) json.RawMessage {
	written := c.Tool == "write_file" && name == "content" || c.Tool == "edit_file" && name == "new_text"
	// The model can read the file again, but must not think that its text was cut there.
	if done && written {
		return json.RawMessage(fmt.Sprintf(`"[cut to save room: %d bytes; the file has them]"`, size))
	}
	return json.RawMessage(fmt.Sprintf(`"[cut to save room: %d bytes]"`, size))
}
