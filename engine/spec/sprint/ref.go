package sprint

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// ErrRef is returned for a text that names no sprint.
var ErrRef = errors.New("must be a positive integer")

// Ref is how a caller names a sprint: by id, written 3, "3" or "#3", or by its place: active, next or previous. It keeps
// what was written; "" names nothing.
type Ref string

// Words that name a sprint by its place.
const (
	ActiveWord   = "active"
	NextWord     = "next"
	PreviousWord = "previous"
)

// Word returns the word of a reference, "" if it is none.
func (r Ref) Word() string {
	switch text := strings.ToLower(strings.TrimSpace(string(r))); text {
	case ActiveWord, NextWord, PreviousWord:
		return text
	case "prev":
		return PreviousWord
	}
	return ""
}

// ID returns the id that a reference is. Errors: ErrRef.
func (r Ref) ID() (int, error) {
	text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(r)), "#"))
	id, err := strconv.Atoi(text)
	if err != nil || id < 1 || text[0] == '+' {
		return 0, ErrRef
	}
	return id, nil
}

// UnmarshalJSON keeps a number, a text, or what else was written, which names no sprint then; null names nothing.
func (r *Ref) UnmarshalJSON(src []byte) error {
	text := string(bytes.TrimSpace(src))
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(src, &text); err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" {
			text = ""
		}
	} else if text == "null" {
		text = ""
	} else if n, err := strconv.ParseFloat(text, 64); err == nil && n == float64(int(n)) {
		text = strconv.Itoa(int(n))
	}
	*r = Ref(text)
	return nil
}
