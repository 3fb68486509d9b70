package board

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"chant/cmd/console"
	"chant/cmd/tui/board"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/author/review"
	"chant/engine/verify"
	"chant/engine/view"
	"chant/engine/view/overview"
	"chant/engine/work"
	"chant/engine/work/node"
	"chant/engine/work/queue"
	"chant/engine/work/undo"
)

// desk calls the operations that the command line calls.
type desk struct {
	app *console.App
	p   *engine.Project

	scope  view.Scope
	places []view.Place // of the scope, nil for p alone

	orders sync.WaitGroup // that are being carried out
}

// begin returns the context of what the board has done; stop ends that and waits for it.
func (d *desk) begin(ctx context.Context) (inner context.Context, stop func()) {
	inner, cancel := context.WithCancel(ctx)
	return inner, func() { cancel(); d.orders.Wait() }
}

func (d *desk) Board(ctx context.Context) (view.BoardResult, error) {
	return view.BoardAll(ctx, d.p, d.scope)
}

// find returns the project of a spec, and its id there.
func (d *desk) find(id string) (*engine.Project, string) {
	for _, place := range d.places {
		if own, ok := strings.CutPrefix(id, place.Prefix()); ok && !strings.Contains(own, ":") {
			return place.Of, own
		}
	}
	return d.p, id
}

// reopen opens the project of a spec with its settings as they are now, and returns it with its id there.
func (d *desk) reopen(id string) (*engine.Project, string, error) {
	p, own := d.find(id)
	p, err := engine.Open(engine.Home(p), d.app.Options(nil))
	return p, own, err
}

func (d *desk) Show(ctx context.Context, id string) (view.ShowResult, error) {
	p, id := d.find(id)
	return view.Show(ctx, p, view.ShowInput{ID: id})
}

// logLines is how many of the last lines of a log the board shows.
const logLines = 1000

func (d *desk) Log(ctx context.Context, id string) (view.LogResult, error) {
	p, id := d.find(id)
	return view.Log(ctx, p, view.LogInput{ID: id, Lines: logLines})
}

func (d *desk) Diff(ctx context.Context, id string) (view.PatchesResult, error) {
	p, id := d.find(id)
	return view.Patches(ctx, p, view.PatchesInput{ID: id})
}

// historyEntries is how many entries of the history of a spec the board shows.
const historyEntries = 200

func (d *desk) History(ctx context.Context, id string) (overview.ActivityResult, error) {
	p, id := d.find(id)
	return overview.Activity(ctx, p, overview.ActivityInput{Specs: []string{id}, Limit: historyEntries})
}

func (d *desk) Graph(ctx context.Context, id string) (overview.DagResult, error) {
	p, id := d.find(id)
	return overview.Dag(ctx, p, overview.DagInput{IDs: []string{id}})
}

// Add adds a spec with the settings as they are now.
func (d *desk) Add(ctx context.Context, title string, criteria []string) (string, error) {
	d.orders.Add(1)
	defer d.orders.Done()
	// The settings may have changed since the board was opened.
	p, _, err := d.reopen("")
	if err != nil {
		return "", err
	}
	r, err := author.Add(ctx, p, author.AddInput{Description: title, Criteria: criteria})
	return r.ID, err
}

// Last implements board.Desk.
func (d *desk) Last(ctx context.Context) (undo.Decision, error) { return undo.Last(ctx, d.p, "") }

// Do carries out an order with the settings as they are now.
func (d *desk) Do(ctx context.Context, o board.Order) (string, error) {
	d.orders.Add(1)
	defer d.orders.Done()
	// The settings may have changed since the board was opened.
	p, id, err := d.reopen(o.ID)
	if err != nil {
		return "", err
	}
	o.ID = id
	switch o.Act {
	case board.Work, board.WorkAll, board.Pause, board.Stop, board.Reset, board.Cancel:
		return runOrder(ctx, p, o)
	case board.Answer, board.Approve, board.Reject, board.Merge, board.Verify:
		return decide(ctx, p, o)
	case board.Undo:
		r, err := undo.Undo(ctx, p, undo.UndoInput{Expected: o.Text})
		return "Undid " + r.Name(), err
	case board.Archive:
		r, err := author.Archive(ctx, p, author.ArchiveInput{ID: o.ID})
		return "Archived " + console.Plural(len(r.Moved), "spec"), err
	}
	return "", fmt.Errorf("the board cannot %q without a terminal", o.Act)
}

// runOrder starts and ends runs.
func runOrder(ctx context.Context, p *engine.Project, o board.Order) (string, error) {
	switch o.Act {
	case board.Work, board.WorkAll:
		in := queue.WorkStartInput{WorkInput: work.WorkInput{ID: o.ID}}
		if o.Act == board.WorkAll {
			in.Parallel = queue.SettingsWidth(p)
		}
		r, err := queue.WorkStart(ctx, p, in)
		return fmt.Sprintf("Started %s in process %d", r.SpecID, r.PID), err
	case board.Stop:
		r, err := queue.WatchStop(ctx, p, queue.WatchStopInput{})
		return fmt.Sprintf("Asked the watch to stop (process %d)", r.PID), err
	}
	var r engine.StateResult
	var err error
	word := ""
	switch o.Act {
	case board.Pause:
		word = "Paused"
		if r, err = node.Pause(ctx, p, work.PauseInput{ID: o.ID}); err == nil && r.Status != "paused" {
			return fmt.Sprintf("Nothing to pause: %s is %s", r.ID, r.Status), nil
		}
	case board.Reset:
		word = "Reset"
		r, err = work.Reset(ctx, p, work.ResetInput{ID: o.ID})
	case board.Cancel:
		word = "Cancelled"
		r, err = work.Cancel(ctx, p, work.CancelInput{ID: o.ID})
	}
	text := fmt.Sprintf("%s %s: %s", word, r.ID, r.Status)
	if len(r.Rescued) > 0 {
		text += "; its work is kept as " + strings.Join(r.Rescued, ", ")
	}
	return text, err
}

// decide records decisions of a person, and judges and lands work.
func decide(ctx context.Context, p *engine.Project, o board.Order) (string, error) {
	switch o.Act {
	case board.Answer:
		return "Answered " + o.ID, node.AnswerOnBoard(ctx, p, o.ID, o.Question, o.Text)
	case board.Approve:
		r, err := review.Approve(ctx, p, review.ApproveInput{ID: o.ID})
		return rulingText("Approved", r), err
	case board.Reject:
		r, err := review.Reject(ctx, p, review.RejectInput{ID: o.ID, Reason: o.Text})
		return rulingText("Rejected", r), err
	case board.Verify:
		r, err := verify.Verify(ctx, p, verify.VerifyInput{ID: o.ID, Run: true})
		return fmt.Sprintf("Verified %s: %s", r.SpecID, r.Status), err
	}
	r, err := work.Merge(ctx, p, work.MergeInput{ID: o.ID})
	if r.Landing == "" {
		return fmt.Sprintf("%s is %s", o.ID, r.Status), err
	}
	return fmt.Sprintf("Landed %s on %s as %.7s", r.ID, r.Target, r.Landing), err
}

func rulingText(word string, r review.RulingResult) string {
	text := word + " " + r.ID
	if r.Of == "work" {
		text = word + " the work on " + r.ID
	}
	if r.Waits != "" && word == "Approved" {
		text += "; it still " + r.Waits
	}
	return text
}
