package board

import (
	"context"

	"chant/engine/view"
	"chant/engine/view/overview"
	"chant/engine/work/undo"

	tea "charm.land/bubbletea/v2"
)

// Desk is the part of the engine that the board needs. Its methods may be called side by side.
type Desk interface {
	// Board returns all cards, which queues are held, and how the fleet is whose hub is here.
	Board(ctx context.Context) (view.BoardResult, error)
	Show(ctx context.Context, id string) (view.ShowResult, error)
	Log(ctx context.Context, id string) (view.LogResult, error)
	Diff(ctx context.Context, id string) (view.PatchesResult, error)
	History(ctx context.Context, id string) (overview.ActivityResult, error)
	Graph(ctx context.Context, id string) (overview.DagResult, error)

	// Last returns the decision that undo takes back.
	Last(ctx context.Context) (undo.Decision, error)

	// Add adds a spec and returns its id.
	Add(ctx context.Context, title string, criteria []string) (string, error)
	// Do carries out another order, and returns what was done in one line.
	Do(ctx context.Context, o Order) (string, error)
	// Program returns the program that carries out an order on the terminal.
	Program(ctx context.Context, o Order) (tea.ExecCommand, error)
}

// Act is a kind of action that a person can start from the board.
type Act string

// The acts, named after the commands that do the same.
const (
	Work     Act = "work"
	WorkAll  Act = "work all"
	Pause    Act = "pause"
	Stop     Act = "watch stop"
	Answer   Act = "answer"
	Takeover Act = "takeover"
	Approve  Act = "approve"
	Reject   Act = "reject"
	Review   Act = "review"
	Edit     Act = "edit"
	Add      Act = "add"
	Merge    Act = "merge"
	Reset    Act = "reset"
	Cancel   Act = "cancel"
	Verify   Act = "verify"
	Archive  Act = "archive"
	Undo     Act = "undo"
	Shell    Act = "shell"
)

// takesTerminal reports whether an act needs the terminal for a program of its own.
func (a Act) takesTerminal() bool { return a == Edit || a == Review || a == Shell || a == Takeover }

// Order is one act with what it needs.
type Order struct {
	Act      Act
	ID       string   // of the spec
	Text     string   // an answer, a reason, a title, or the key of the decision to undo
	Question int      // the number of the question that is answered
	Criteria []string // of a new spec
}

// Changed is the message that specs, branches or runs may have changed.
type Changed struct{}

// Logged is the message that logs of agents may have changed.
type Logged struct{}

// cardsMsg has the cards of the project.
type cardsMsg struct {
	cards []view.Card
	line  string // as of view.BoardResult.Line
	err   error
}

// docMsg has the content of a tab.
type docMsg struct {
	id  string
	tab tab
	doc document
	err error
}

// askMsg has the open question of a spec.
type askMsg struct {
	id     string
	number int
	prompt string
	err    error
}

// lastMsg has the decision that undo takes back.
type lastMsg struct {
	decision undo.Decision
	err      error
}

// doneMsg is the end of an order.
type doneMsg struct {
	order Order
	text  string
	added string // the id of a new spec
	err   error
}

// programMsg has the program of an order.
type programMsg struct {
	order   Order
	program tea.ExecCommand
	err     error
}
