package question

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"chant/engine/store/local"
	"chant/gitops/lockfile"
)

// Box has the questions of a project.
type Box struct {
	files local.Files
	now   func() time.Time
}

// OpenBox returns the questions of a project.
func OpenBox(files local.Files, now func() time.Time) Box { return Box{files, now} }

// extension is that of files of questions.
const extension = ".jsonl"

// lockName is that of the lock under which questions change. No spec has this name.
const lockName = ".questions.lock"

// Ask records a question at a place; its number and time are set here. Errors: *Error of the kinds Full and Bad.
func (b Box) Ask(ctx context.Context, place Place, q Question) (Question, error) {
	// Checked before the lock, which other processes may hold.
	if err := checkText("question", q.Prompt); err != nil {
		return q, err
	}
	err := b.change(ctx, func() error {
		// Read under the lock, since the number follows from what is there.
		all, err := b.List(place)
		if err != nil {
			return err
		}
		if open := WithState(all, Open); len(open) >= MaxOpen {
			return &Error{Kind: Full, Of: q.Subject(), Numbers: numbersOf(open)}
		}
		if err := b.shorten(place, all); err != nil {
			return err
		}
		q.Number, q.Asked, q.State, q.place = lastNumber(all)+1, b.now().UTC(), Open, place
		return b.appendRecord(place, record{Event: asked, Number: q.Number, Time: q.Asked, Question: &q})
	})
	return q, err
}

// Answer answers a question of a place, or the only open one if n is 0. of names the place in errors. Errors: *Error of
// the kinds None, Several, Over and Bad.
func (b Box) Answer(ctx context.Context, place Place, of string, n int, text string, how How) (Question, error) {
	return b.closeOne(ctx, place, of, n, record{Event: answered, Text: text, How: how})
}

// Withdraw withdraws an open question. Errors: *Error of the kinds None and Over.
func (b Box) Withdraw(ctx context.Context, place Place, n int, why string) (Question, error) {
	return b.closeOne(ctx, place, string(place), n, record{Event: withdrawn, Text: why})
}

// WithdrawAll withdraws what is open at a place, and marks answers as received: no agent will ask for them. It returns
// how many were open.
func (b Box) WithdrawAll(ctx context.Context, place Place, why string) (int, error) {
	all, err := b.List(place)
	// Usually there is nothing, and the lock is not needed.
	if err != nil || len(all) == 0 {
		return 0, err
	}
	n := 0
	err = b.change(ctx, func() error {
		// Read again under the lock.
		all, err := b.List(place)
		if err != nil {
			return err
		}
		for _, q := range all {
			switch {
			case q.State == Open:
				n++
				err = errors.Join(err, b.appendRecord(place, record{Event: withdrawn, Number: q.Number, Time: b.now().UTC(), Text: why}))
			// An answer that waits for an agent would be kept forever.
			case q.Waits():
				err = errors.Join(err, b.appendRecord(place, record{Event: received, Number: q.Number, Time: b.now().UTC()}))
			}
		}
		return err
	})
	return n, err
}

// Receive returns the answers at a place that no agent has received yet, and records that one receives them now.
func (b Box) Receive(ctx context.Context, place Place) ([]Question, error) {
	all, err := b.List(place)
	if err != nil || !slices.ContainsFunc(all, Question.Waits) {
		return nil, err
	}
	var out []Question
	err = b.change(ctx, func() error {
		// Another agent may have received them meanwhile.
		all, err := b.List(place)
		if err != nil {
			return err
		}
		for _, q := range all {
			if !q.Waits() {
				continue
			}
			if err := b.appendRecord(place, record{Event: received, Number: q.Number, Time: b.now().UTC()}); err != nil {
				return err
			}
			q.Received = true
			out = append(out, q)
		}
		return nil
	})
	return out, err
}

// ReceiveOne records that an agent has received the answer to one question.
func (b Box) ReceiveOne(ctx context.Context, place Place, n int) error {
	return b.change(ctx, func() error {
		return b.appendRecord(place, record{Event: received, Number: n, Time: b.now().UTC()})
	})
}

// List returns the questions of a place, oldest first.
func (b Box) List(place Place) ([]Question, error) {
	path := b.path(place)
	// Opening a pipe would block.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("questions: %q is not a file", path)
	}
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("questions: %w", err)
	}
	return read(place, src), nil
}

// All returns the questions of all places, by place, each oldest first.
func (b Box) All() ([]Question, error) {
	entries, err := os.ReadDir(b.files.LocalPath(local.Questions, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("questions: %w", err)
	}
	var out []Question
	for _, entry := range entries {
		name, isPlace := strings.CutSuffix(entry.Name(), extension)
		// An agent can put other things into the folder.
		if !isPlace || !entry.Type().IsRegular() {
			continue
		}
		all, err := b.List(Place(name))
		if err != nil {
			return nil, err
		}
		out = append(out, all...)
	}
	return out, nil
}

// Open returns the open questions of all places, oldest first.
func (b Box) Open() ([]Question, error) {
	all, err := b.All()
	open := WithState(all, Open)
	// Numbers begin at 1 in each place, so only the time has an order for all.
	slices.SortStableFunc(open, func(x, y Question) int { return x.Asked.Compare(y.Asked) })
	return open, err
}

func (b Box) path(place Place) string {
	return b.files.LocalPath(local.Questions, string(place)+extension)
}

// closeOne adds a record that closes an open question.
func (b Box) closeOne(ctx context.Context, place Place, of string, n int, r record) (q Question, err error) {
	err = b.change(ctx, func() error {
		all, err := b.List(place)
		if err != nil {
			return err
		}
		if q, err = findOpen(all, of, n); err != nil {
			return err
		}
		// Checked after the question was found, since its error is more useful.
		if r.Event == answered {
			if err := checkText("answer", r.Text); err != nil {
				return err
			}
		}
		r.Number, r.Time = q.Number, b.now().UTC()
		q = apply([]Question{q}, r)[0]
		return b.appendRecord(place, r)
	})
	return q, err
}

// findOpen returns the open question with a number, or the only open one if n is 0.
func findOpen(all []Question, of string, n int) (Question, error) {
	open := WithState(all, Open)
	if n == 0 && len(open) == 1 {
		return open[0], nil
	}
	// Without a number it must be clear which one is meant.
	if n == 0 && len(open) > 1 {
		return Question{}, &Error{Kind: Several, Of: of, Numbers: numbersOf(open)}
	}
	i := slices.IndexFunc(all, func(q Question) bool { return q.Number == n })
	if i < 0 {
		return Question{}, &Error{Kind: None, Of: of, Number: n, Numbers: numbersOf(open)}
	}
	if q := all[i]; q.State != Open {
		return q, &Error{Kind: Over, Of: of, Number: n, State: q.State, Answer: q.Answer, Numbers: numbersOf(open)}
	}
	return all[i], nil
}

func numbersOf(all []Question) []int {
	var out []int
	for _, q := range all {
		out = append(out, q.Number)
	}
	return out
}

// checkText checks the text of a question or an answer.
func checkText(what, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return &Error{Kind: Bad, Msg: "the " + what + " is empty"}
	case len(text) > MaxText:
		return &Error{Kind: Bad, Msg: fmt.Sprintf("the %s has %d bytes (at most %d)", what, len(text), MaxText)}
	}
	return nil
}

// change acts while no other process changes questions.
func (b Box) change(ctx context.Context, act func() error) error {
	path, err := b.files.Local(local.Locks, lockName)
	if err != nil {
		return err
	}
	// Waits, since others hold the lock only for one change.
	lock, err := lockfile.AcquireWait(ctx, path, "questions")
	if err != nil {
		return err
	}
	return errors.Join(act(), lock.Release())
}
