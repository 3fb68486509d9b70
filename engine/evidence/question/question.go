package question

import (
	"encoding/json"
	"slices"
	"time"
)

// Limits of questions.
const (
	MaxText = 16 << 10 // bytes of a question or of an answer
	MaxOpen = 100      // open questions of one place
	maxKept = 200      // questions in a file, beyond those that are open or whose answer waits for an agent
)

// State is what has become of a question.
type State string

// The states of a question.
const (
	Open      State = "open"
	Answered  State = "answered"
	Withdrawn State = "withdrawn"
)

// How is the way by which an answer was given.
type How string

// The ways of answering.
const (
	ByCommand     How = "command"     // chant answer
	OnBoard       How = "board"       // the view of chant work
	ByElicitation How = "elicitation" // a form of the agent's MCP client
	ByTool        How = "tool"        // an MCP tool, called by the agent of a person
)

// Question is a question of an agent, with its answer.
type Question struct {
	Number   int       `json:"number"` // within its place, from 1
	Spec     string    `json:"spec,omitempty"`
	Branch   string    `json:"branch,omitempty"`   // of work without a spec
	Worktree string    `json:"worktree,omitempty"` // in which it was asked, absolute
	Prompt   string    `json:"prompt"`
	By       string    `json:"by,omitempty"`      // the agent that asked
	Attempt  int       `json:"attempt,omitempty"` // of the run, 0 outside of one
	Asked    time.Time `json:"asked"`

	State    State     `json:"state"`
	Answer   string    `json:"answer,omitempty"`
	How      How       `json:"how,omitempty"`
	Closed   time.Time `json:"closed,omitzero"`    // when it was answered or withdrawn
	Why      string    `json:"why,omitempty"`      // it was withdrawn
	Received bool      `json:"received,omitempty"` // an agent has received the answer

	place Place
}

// Place returns where the question is kept.
func (q Question) Place() Place { return q.place }

// Waits reports whether its answer waits for an agent.
func (q Question) Waits() bool { return q.State == Answered && !q.Received }

// Subject names what a question is about: a spec, or else a branch, or else a worktree.
func (q Question) Subject() string {
	switch {
	case q.Spec != "":
		return q.Spec
	case q.Branch != "":
		return q.Branch
	}
	return q.Worktree
}

// eventKind is what a line of a file says.
type eventKind string

const (
	asked     eventKind = "asked"
	answered  eventKind = "answered"
	withdrawn eventKind = "withdrawn"
	received  eventKind = "received"
	kept      eventKind = "kept" // the whole question, in a file that was shortened
)

// record is a line of a file.
type record struct {
	Event    eventKind `json:"event"`
	Number   int       `json:"n"`
	Time     time.Time `json:"at"`
	Question *Question `json:"question,omitempty"` // of asked and kept
	Text     string    `json:"text,omitempty"`     // the answer, or why it was withdrawn
	How      How       `json:"how,omitempty"`
}

// read returns the questions of a file, oldest first. Lines that are not records are skipped, and so are records that
// cannot follow those before them.
func read(place Place, src []byte) []Question {
	var all []Question
	for line := range linesOf(src) {
		var r record
		// A record of a newer version may have another form.
		if json.Unmarshal(line, &r) == nil {
			all = apply(all, r)
		}
	}
	for i := range all {
		all[i].place = place
	}
	return all
}

// apply adds a record to the questions before it.
func apply(all []Question, r record) []Question {
	if r.Event == asked || r.Event == kept {
		return addQuestion(all, r)
	}
	i := slices.IndexFunc(all, func(q Question) bool { return q.Number == r.Number })
	// Its question was removed when the file was shortened.
	if i < 0 {
		return all
	}
	q := &all[i]
	switch {
	// A question closes once, so a second answer is ignored.
	case r.Event == answered && q.State == Open:
		q.State, q.Answer, q.How, q.Closed = Answered, r.Text, r.How, r.Time
	case r.Event == withdrawn && q.State == Open:
		q.State, q.Why, q.Closed = Withdrawn, r.Text, r.Time
	case r.Event == received && q.State == Answered:
		q.Received = true
	}
	return all
}

// addQuestion adds the question of a record, if its number is above those before it.
func addQuestion(all []Question, r record) []Question {
	// A repeated record would make a question open again.
	if r.Question == nil || r.Number < 1 || r.Number <= lastNumber(all) {
		return all
	}
	q := *r.Question
	q.Number = r.Number
	if r.Event == asked {
		q.State, q.Asked = Open, r.Time
		// Of a new question, whatever the record says.
		q.Answer, q.How, q.Closed, q.Why, q.Received = "", "", time.Time{}, "", false
	}
	// A newer version may have further states, about which nothing is known here.
	if !slices.Contains([]State{Open, Answered, Withdrawn}, q.State) {
		return all
	}
	return append(all, q)
}

// lastNumber returns the number of the newest question, 0 without one.
func lastNumber(all []Question) int {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].Number
}

// WithState returns the questions in a state.
func WithState(all []Question, state State) []Question {
	return slices.DeleteFunc(slices.Clone(all), func(q Question) bool { return q.State != state })
}
