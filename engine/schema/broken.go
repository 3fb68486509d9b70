package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Broken says what is wrong with the JSON that a text seems to be meant to hold, "" where
// that is well-formed, or nothing looks like JSON. What Find has found in it then is a
// piece of what was meant. It is for telling the text's author: the first fence marked
// json, or without a mark, or what begins with an object in the prose.
func Broken(text string) string {
	cut := len(text) > textLimit
	meant := meantIn(ending(text))
	behind, err := oneValue(meant)
	switch {
	case cut && (meant == "" || err != nil || goesOn(behind)):
		return fmt.Sprintf("of %d bytes only the last %d are looked at", len(text), textLimit)
	case err == nil && goesOn(behind):
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

// meantIn is where the JSON of a text begins and what is behind it, "" where none does.
// A fence with a whole value is what is meant, whatever stands in the others.
func meantIn(text string) string {
	meant := ""
	blocks := fences(text)
	for _, lang := range []string{"json", ""} {
		for _, b := range blocks {
			inside := strings.TrimSpace(b.text)
			if !strings.EqualFold(b.lang, lang) || lang == "" && !looksLikeJSON(inside) {
				continue
			}
			if valid(inside) {
				return inside
			}
			if meant == "" {
				meant = inside
			}
		}
	}
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

// looksLikeJSON reports whether a text begins as an object with a key does, or a list of
// such: braces are in prose and code too.
func looksLikeJSON(text string) bool {
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

// oneValue reads the value at the beginning of a text, and returns what is behind it.
func oneValue(text string) (behind string, err error) {
	var value json.RawMessage
	dec := json.NewDecoder(strings.NewReader(text))
	if err = dec.Decode(&value); errors.Is(err, io.EOF) {
		return "", nil // nothing is there
	}
	if err != nil {
		return "", err
	}
	return text[dec.InputOffset():], nil
}

// goesOn reports whether what is behind a value belongs to one around it.
func goesOn(behind string) bool {
	behind = strings.TrimSpace(behind)
	if next, another := strings.CutPrefix(behind, ","); another {
		next = strings.TrimSpace(next)
		return looksLikeJSON(next) || strings.HasPrefix(next, `"`)
	}
	return strings.HasPrefix(behind, "]") || strings.HasPrefix(behind, "}")
}
