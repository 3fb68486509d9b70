package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Broken describes for the author of a text what is wrong with the JSON in it; "" if the JSON is well-formed or nothing
// looks like JSON. The JSON is the first fence marked json, the first unmarked fence, or what begins with an object in
// the prose. What Find returns for such a text is only a part of it.
func Broken(text string) string {
	cut := len(text) > textLimit
	meant := intendedJSON(lastPart(text))
	behind, err := oneValue(meant)
	switch {
	case cut && (meant == "" || err != nil || isInner(behind)):
		return fmt.Sprintf("of %d bytes only the last %d are looked at", len(text), textLimit)
	case err == nil && isInner(behind):
		return "it begins within the value: of an answer that is too long only the end is there"
	case meant == "" || err == nil:
		return ""
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends before the value does"
	}
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return err.Error()
	}
	before := meant[:min(max(0, int(syntax.Offset)-1), len(meant))]
	line, column := strings.Count(before, "\n")+1, len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))+1
	return fmt.Sprintf("%s, in line %d of it, column %d", syntax, line, column)
}

// intendedJSON returns the part of a text that is probably meant as JSON, and what follows it; "" for none. A fence
// with a complete value comes before other fences.
func intendedJSON(text string) string {
	meant := ""
	blocks := fences(text)
	for _, lang := range []string{"json", ""} {
		for _, b := range blocks {
			inside := strings.TrimSpace(b.text)
			if !strings.EqualFold(b.lang, lang) || lang == "" && !looksLikeJSON(inside) {
				continue
			}
			// A complete value is what the author meant, even after a broken one.
			if valid(inside) {
				return inside
			}
			if meant == "" {
				meant = inside
			}
		}
	}
	// The prose is searched only if no fence looks like JSON.
	if meant != "" || valid(text) {
		return meant
	}
	for at := range len(text) {
		if looksLikeJSON(text[at:]) {
			return text[at:]
		}
	}
	return ""
}

// looksLikeJSON reports whether a text begins like an object with a key, or like a list of such objects. Braces alone
// occur in prose and code too.
func looksLikeJSON(text string) bool {
	// A list of objects begins with both marks.
	for _, mark := range []string{"[", "{"} {
		rest, found := strings.CutPrefix(text, mark)
		if found {
			text = strings.TrimLeft(rest, " \t\r\n")
		}
		if mark == "{" {
			return found && strings.HasPrefix(text, `"`)
		}
	}
	return false
}

// oneValue reads the value at the beginning of a text and returns what follows it.
func oneValue(text string) (behind string, err error) {
	var value json.RawMessage
	dec := json.NewDecoder(strings.NewReader(text))
	if err = dec.Decode(&value); errors.Is(err, io.EOF) {
		// The text is empty.
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return text[dec.InputOffset():], nil
}

// isInner reports whether the text after a value shows that the value is a part of another one.
func isInner(behind string) bool {
	behind = strings.TrimSpace(behind)
	// The value is an item of a list whose beginning is missing.
	if next, another := strings.CutPrefix(behind, ","); another {
		next = strings.TrimSpace(next)
		return looksLikeJSON(next) || strings.HasPrefix(next, `"`)
	}
	return strings.HasPrefix(behind, "]") || strings.HasPrefix(behind, "}")
}
