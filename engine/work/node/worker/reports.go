package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strconv"
	"time"

	"chant/engine"
	"chant/engine/evidence/question"
	"chant/engine/fleet"
	"chant/engine/work/questions"
)

// logEvery is how often the log of a run is looked at, and maxLogPart how much of it is sent at once, in bytes: what the queue
// stores as one piece, so that a part which could not be sent is not there in half.
const (
	logEvery   = 500 * time.Millisecond
	maxLogPart = 16 << 10
)

// sendLog sends what is appended to the log of a run to the fleet, until the context ends. A part that cannot be sent is
// sent again.
func (j *job) sendLog(ctx context.Context) {
	path := j.w.P.Store.LogPath(j.id)
	for said := false; ctx.Err() == nil; {
		// Also the part that a stop would cut off, which is sent as one piece.
		sent, err := j.sendPart(context.WithoutCancel(ctx), path)
		if err != nil && !said {
			said = true
			engine.Warn(j.w.P, j.id, "its log is not sent for now: "+err.Error())
		}
		if sent < maxLogPart || err != nil {
			j.w.waitFor(ctx, logEvery)
		}
	}
}

// sendRest sends what is left of the log when the work is over.
func (j *job) sendRest(ctx context.Context) error {
	for path := j.w.P.Store.LogPath(j.id); ; {
		if sent, err := j.sendPart(ctx, path); err != nil || sent == 0 {
			return err
		}
	}
}

// sendPart sends the next part of a log. It returns its size, 0 if there is none or it was not sent.
func (j *job) sendPart(ctx context.Context, path string) (sent int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	part, err := io.ReadAll(io.NewSectionReader(f, j.logged, maxLogPart))
	if err != nil || len(part) == 0 {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, exchangeTime)
	defer cancel()
	if err := j.send(ctx, part); err != nil {
		return 0, err
	}
	// Only what was stored counts, so that a failed part is sent again.
	j.logged += int64(len(part))
	return len(part), nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// maxQuestions is how many questions a claim has.
const maxQuestions = 20

func (w *Worker) box() question.Box { return question.OpenBox(w.P.Store.Files, w.P.Now) }

// pendingQuestions returns the questions of the agents of a spec that are open, or whose answer no agent has received.
func (w *Worker) pendingQuestions(id string) ([]fleet.Question, error) {
	all, err := w.box().List(question.OfSpec(id))
	if err != nil {
		return nil, err
	}
	var out []fleet.Question
	for _, q := range all {
		if (q.State == question.Open || q.Waits()) && len(out) < maxQuestions {
			out = append(out, fleet.Question{Number: q.Number, Prompt: q.Prompt, By: q.By, Attempt: q.Attempt, Asked: q.Asked, Answer: q.Answer})
		}
	}
	return out, nil
}

// takeQuestions takes over the questions in the claim of an earlier run, with the answers for the next agent.
func (w *Worker) takeQuestions(ctx context.Context, id string, from []fleet.Question) error {
	if len(from) == 0 {
		return nil
	}
	place := question.OfSpec(id)
	// The claim is newer than what this clone has of an earlier run here.
	if _, err := w.box().WithdrawAll(ctx, place, "its claim has what is open"); err != nil {
		return err
	}
	for _, old := range from {
		q, err := w.box().Ask(ctx, place, question.Question{Spec: id, Prompt: old.Prompt, By: old.By, Attempt: old.Attempt})
		if err == nil && old.Answer != "" {
			_, err = w.box().Answer(ctx, place, id, q.Number, old.Answer, question.ByCommand)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dropQuestions withdraws the questions of a spec here, since its claim has them, or its work is complete.
func (w *Worker) dropQuestions(ctx context.Context, id string) {
	if _, err := w.box().WithdrawAll(ctx, question.OfSpec(id), "the run is over on this machine"); err != nil {
		engine.Warn(w.P, id, "its questions stay open in this clone: "+err.Error())
	}
}

// answer answers a question of a run that is here.
func (w *Worker) answer(ctx context.Context, c fleet.Command) {
	w.mu.Lock()
	_, here := w.running[c.Spec]
	w.mu.Unlock()
	if !here {
		return
	}
	n, err := strconv.Atoi(c.Question)
	if err == nil {
		_, err = questions.Answer(ctx, w.P, questions.AnswerInput{ID: c.Spec, Question: n, Text: c.Text})
	}
	if known, ok := errors.AsType[*question.Error](err); ok && known.Kind == question.Over {
		// The same answer was sent before.
		return
	}
	if err != nil {
		engine.Warn(w.P, c.Spec, fmt.Sprintf("%s has answered a question: %s", c.By, err))
	}
}

// haveChanged reports whether a claim has other questions than these.
func haveChanged(c fleet.Claim, now []fleet.Question) bool {
	return len(c.Questions)+len(now) > 0 && !reflect.DeepEqual(c.Questions, now)
}
