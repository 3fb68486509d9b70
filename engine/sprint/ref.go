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

// Ref is how a caller names a sprint: by id, written 3, "3" or "#3", or by its place beside the active one.
type Ref struct {
	ID      int
	Keyword string // active, next or previous; only if ID is 0
}

// ParseRef reads a reference. Errors: ErrRef.
func ParseRef(text string) (Ref, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch text {
	case "active", "next", "previous":
		return Ref{Keyword: text}, nil
	case "prev":
		return Ref{Keyword: "previous"}, nil
	}
	id, err := ParseID(text)
	return Ref{ID: id}, err
}

// ParseID reads the id of a sprint: a positive number, also behind a "#". Errors: ErrRef.
func ParseID(text string) (int, error) {
	id, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "#")))
	if err != nil || id < 1 {
		return 0, ErrRef
	}
	return id, nil
}

// UnmarshalJSON reads a number or a text. Errors: ErrRef.
func (r *Ref) UnmarshalJSON(src []byte) error {
	text := string(bytes.TrimSpace(src))
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(src, &text); err != nil {
			return err
		}
	}
	if text == "null" {
		return nil
	}
	ref, err := ParseRef(text)
	if err != nil {
		return err
	}
	*r = ref
	return nil
}

// IsZero reports whether the reference names nothing.
func (r Ref) IsZero() bool { return r == Ref{} }

// String returns the reference as a person would write it.
func (r Ref) String() string {
	if r.ID > 0 {
		return "#" + strconv.Itoa(r.ID)
	}
	return r.Keyword
}
