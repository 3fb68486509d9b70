package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// textLimit limits the bytes of an agent's text that are searched, from its end.
const textLimit = 1 << 20

// effort limits how many bytes are read in total to find a value in prose. Without it, a text of
// opening braces would be read once for each brace.
const effort = 4 * textLimit

// attempt is the part of the effort that each attempt costs at least.
const attempt = 512

// Find returns the JSON in an agent's text, with the bytes of the text: the first fence marked json that contains a
// value, otherwise the first unmarked fence, the whole text, the first object or list of objects in the prose, or the
// first list.
func Find(text string) (found []byte, ok bool) {
	text = lastPart(text)
	blocks := fences(text)
	for _, lang := range []string{"json", ""} {
		for _, b := range blocks {
			if strings.EqualFold(b.lang, lang) && valid(b.text) {
				return trim(b.text), true
			}
		}
	}
	if valid(text) {
		return trim(text), true
	}
	left := effort
	if found, ok = findInProse(text, &left, opensObject); ok {
		return found, true
	}
	return findInProse(text, &left, func(rest string) bool { return rest[0] == '[' })
}

// lastPart returns the end of a text that is searched, from a whole rune on.
func lastPart(text string) string {
	if len(text) <= textLimit {
		return text
	}
	text = text[len(text)-textLimit:]
	// The cut may have divided a character.
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

func trim(text string) []byte { return []byte(strings.TrimSpace(text)) }

func valid(text string) bool { return json.Valid([]byte(text)) }

// fence is a fenced block.
type fence struct{ lang, text string }

// fences lists the fenced blocks of a text. An unclosed one ends with the text.
func fences(text string) []fence {
	var out []fence
	var mark, lang string
	var body strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch ticks := bare[:len(bare)-len(strings.TrimLeft(bare, "`"))]; {
		case mark == "" && len(ticks) >= 3 && !strings.Contains(bare[len(ticks):], "`"):
			mark, lang = ticks, firstWord(bare[len(ticks):])
		case mark != "" && bare == ticks && len(ticks) >= len(mark):
			out = append(out, fence{lang, body.String()})
			mark = ""
			body.Reset()
		case mark != "":
			body.WriteString(line)
		}
	}
	// An agent that was cut off has not closed its fence.
	if mark != "" {
		out = append(out, fence{lang, body.String()})
	}
	return out
}

func firstWord(text string) string {
	for word := range strings.FieldsSeq(text) {
		return word
	}
	return ""
}

// opensObject reports whether a text begins with an object or a list of objects.
func opensObject(rest string) bool {
	if rest[0] == '{' {
		return true
	}
	return rest[0] == '[' && strings.HasPrefix(strings.TrimLeft(rest[1:], " \t\r\n"), "{")
}

// findInProse finds the first value at a place that opens accepts. What each attempt reads is subtracted from left.
func findInProse(text string, left *int, opens func(rest string) bool) ([]byte, bool) {
	for at := 0; *left > 0; at++ {
		next := strings.IndexAny(text[at:], "{[")
		if next < 0 {
			return nil, false
		}
		at += next
		if !opens(text[at:]) {
			continue
		}
		var value json.RawMessage
		dec := json.NewDecoder(strings.NewReader(text[at:]))
		err := dec.Decode(&value)
		if err == nil {
			return bytes.TrimSpace(value), true
		}
		// Each attempt costs something, so that many short failures end too.
		*left -= attempt + cost(err, len(text)-at)
	}
	return nil, false
}

// cost is how many bytes were read before an error, all of them if that is unknown.
func cost(err error, rest int) int {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return int(syntax.Offset) + 1
	}
	return rest + 1
}
