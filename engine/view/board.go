package view

import (
	"context"
	"fmt"
	"strings"

	"chant/engine"
	"chant/engine/author/planning"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/text"
)

// Column is a column of the board: what is to be done about its specs, and by whom.
type Column string

// The columns, in the order of the board.
const (
	ColumnPending   Column = "pending"   // it waits for other specs, or for the time of its next attempt
	ColumnReady     Column = "ready"     // it can be worked
	ColumnRunning   Column = "running"   // a process works on it
	ColumnNeedsYou  Column = "needs_you" // a person has to decide or repair something
	ColumnCompleted Column = "completed" // it has landed, or was cancelled
)

// Columns lists the columns in the order of the board.
func Columns() []Column {
	return []Column{ColumnPending, ColumnReady, ColumnRunning, ColumnNeedsYou, ColumnCompleted}
}

// BoardInput has no fields.
type BoardInput struct{}

// BoardResult is the board of a project.
type BoardResult struct {
	Cards []Card `json:"cards"` // in id order
	engine.Page
	Fleet      *Fleet             `json:"fleet,omitempty"`       // whose hub runs in this clone
	HeldQueues []HeldQueue        `json:"held_queues,omitempty"` // in which nothing lands
	Plans      []planning.Summary `json:"plans,omitempty"`       // that wait for a decision or are not done
}

// Line says in one line which queues are held, how far plans are, and how the fleet is, "" for nothing.
func (r BoardResult) Line() string {
	var parts []string
	for _, q := range r.HeldQueues {
		parts = append(parts, q.String())
	}
	for _, plan := range r.Plans {
		parts = append(parts, plan.String())
	}
	if fleet := r.Fleet.String(); fleet != "" {
		parts = append(parts, fleet)
	}
	return strings.Join(parts, "; ")
}

// Card is one spec on the board.
type Card struct {
	Row
	Column Column `json:"column"`
	Note   string `json:"note,omitempty"` // what a person should know about it, in one line
}

// Board returns all active specs with the column of each. A file that cannot be read is a card for a person.
func Board(ctx context.Context, p *engine.Project, _ BoardInput) (BoardResult, error) {
	set, err := p.Store.Load(ctx)
	if err != nil {
		return BoardResult{}, engine.Wrap(err, "")
	}
	set, g, there := seeElsewhere(ctx, p, set, set.Graph())
	rows := make([]Row, 0, len(set.Specs)+len(set.Invalid))
	for _, s := range set.Specs {
		rows = append(rows, markElsewhere(row(p, g, s), there))
	}
	for _, bad := range set.Invalid {
		rows = append(rows, invalidRow(bad))
	}
	// Specs are already in order; only files that cannot be read were appended.
	if len(set.Invalid) > 0 {
		spec.SortByID(rows, func(r Row) string { return r.ID })
	}
	if err := markQuestions(p, rows); err != nil {
		return BoardResult{}, engine.Wrap(err, "")
	}
	cards := make([]Card, len(rows))
	for i, r := range rows {
		cards[i] = cardOf(g, r)
	}
	plans, err := planning.Unfinished(ctx, p, set.Specs, g)
	if err != nil {
		return BoardResult{}, engine.Wrap(err, "")
	}
	held, err := heldQueues(p)
	return engine.Done(BoardResult{Cards: cards, Page: engine.Whole(len(cards)), Fleet: FleetNow(p), HeldQueues: held, Plans: plans}, err, "")
}

// MayWorkOnBoard refuses the board with its keys inside a run, whose agent decides nothing; Board is for everyone.
func MayWorkOnBoard(p *engine.Project) error { return engine.MayInside(p, "board", "") }

// cardOf puts a spec into a column.
func cardOf(g *spec.Graph, r Row) Card {
	s := g.Spec(r.ID)
	if s == nil || r.Error != "" {
		return Card{r, ColumnNeedsYou, text.OneLine(r.Error)}
	}
	hold := spec.Hold{}
	// A completed spec that is not landed waits for the approval of its work.
	if r.Status == string(spec.Pending) || r.Status == string(spec.Completed) && r.Landed != nil && !*r.Landed {
		hold = s.ApprovalBlock()
	}
	return Card{r, columnOf(r, hold), noteOf(g, s, r, hold)}
}

// columnOf decides the column of a spec. hold is how approval holds it back.
func columnOf(r Row, hold spec.Hold) Column {
	switch {
	// First, because a run with an open question waits for a person though its process still works.
	case r.NeedsInput > 0 || r.Run == advice.Interrupted:
		return ColumnNeedsYou
	case r.Run == advice.AwaitsMachine:
		return ColumnPending
	case r.Run != "":
		return ColumnRunning
	}
	switch spec.Status(r.Status) {
	case spec.Completed:
		if r.Landed != nil && !*r.Landed {
			return ColumnNeedsYou
		}
		return ColumnCompleted
	case spec.Cancelled:
		return ColumnCompleted
	case spec.InProgress:
		// Worked by hand, without a run.
		return ColumnRunning
	case spec.Paused:
		// It continues without a person.
		if r.RetryAt != "" {
			return ColumnPending
		}
		return ColumnNeedsYou
	case spec.Pending:
		switch {
		case hold.Exists():
			return ColumnNeedsYou
		case r.Ready:
			return ColumnReady
		}
		return ColumnPending
	case spec.Failed, spec.NeedsAttention:
	}
	return ColumnNeedsYou
}

// noteOf says in one line what a person should know about a spec, "" for nothing.
func noteOf(g *spec.Graph, s *spec.Spec, r Row, hold spec.Hold) string {
	switch {
	case r.NeedsInput > 0:
		return fmt.Sprintf("asks %d %s", r.NeedsInput, plural(r.NeedsInput, "question"))
	case r.Run == advice.Waiting:
		return text.OneLine("seems to wait for a person: " + r.LastLine)
	case r.Queue != nil:
		return r.Queue.String()
	case r.Run != "":
		return strings.TrimSpace(r.Run + " " + onNode(r))
	case hold.Exists():
		return hold.String()
	case r.RetryAt != "":
		return "next attempt at " + r.RetryAt
	case r.Landed != nil && !*r.Landed:
		return "not landed"
	case r.Nothing != "":
		return string(r.Nothing)
	case r.Blocked:
		if waits := g.Blockers(r.ID); len(waits) > 0 {
			return blockedNote(r.ID, waits)
		}
	case s.Fields.Reason != "" && r.Status != string(spec.Completed):
		return text.OneLine(strings.TrimSpace(onNode(r) + " " + s.Fields.Reason))
	}
	return ""
}

// onNode names the machine on which the run of a spec is or was, "" for this clone.
func onNode(r Row) string {
	if r.Node == "" {
		return ""
	}
	if r.Run == "" {
		return "on " + r.Node + ":"
	}
	return "on " + r.Node
}

// blockedNote names the first of what a spec waits for.
func blockedNote(id string, waits []spec.Blocker) string {
	note := "waits for " + waits[0].ID
	// A spec that waits for itself does so for a reason, such as a cycle.
	if waits[0].ID == id {
		note = waits[0].Why
	}
	if more := len(waits) - 1; more > 0 {
		note += fmt.Sprintf(" and %d more", more)
	}
	return note
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
