package question

import (
	"fmt"
	"strconv"
	"strings"
)

// ErrorKind is what is wrong with a request about questions.
type ErrorKind int

// The kinds of errors.
const (
	None    ErrorKind = iota // there is no such question
	Several                  // several questions are open, and none was named
	Over                     // the question was answered or withdrawn before
	Full                     // too many questions are open
	Bad                      // the text is empty or too long
)

// Error says why a question cannot be asked or answered.
type Error struct {
	Kind    ErrorKind
	Of      string // the spec, or the branch
	Number  int    // of the question, 0 for none
	State   State  // of a question that is over
	Answer  string // likewise
	Numbers []int  // of the open questions
	Msg     string // what is wrong with a text
}

// Error names the spec and the question.
func (e *Error) Error() string {
	switch e.Kind {
	case Several:
		return fmt.Sprintf("%q has %d open questions: name one of %s", e.Of, len(e.Numbers), e.list())
	case Over:
		return fmt.Sprintf("question %d of %q is %s already", e.Number, e.Of, e.State)
	case Full:
		return fmt.Sprintf("%q has %d open questions, and no more are kept", e.Of, len(e.Numbers))
	case Bad:
		return e.Msg
	case None:
	}
	// A number of 0 means the only open one.
	switch {
	case e.Number == 0:
		return fmt.Sprintf("%q has no open question", e.Of)
	case len(e.Numbers) > 0:
		return fmt.Sprintf("%q has no question %d; open: %s", e.Of, e.Number, e.list())
	}
	return fmt.Sprintf("%q has no question %d", e.Of, e.Number)
}

func (e *Error) list() string {
	var out []string
	for _, n := range e.Numbers {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ", ")
}
