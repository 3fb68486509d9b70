package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// errTurns and errOutput end a session that would not end by itself.
var (
	errTurns  = errors.New("turn limit reached")
	errOutput = errors.New("output limit reached")
)

// work takes turns until the model is done.
func (r *running) work(ctx context.Context, prompt string) error {
	id := strings.TrimSuffix(filepath.Base(r.Session), filepath.Ext(r.Session))
	if err := r.out.say(initLine{sayInit, id, r.Model}); err != nil {
		return err
	}
	if err := r.keep(message{Role: fromUser, Text: prompt}); err != nil {
		return err
	}
	for r.turns < r.MaxTurns {
		done, err := r.turn(ctx)
		if err != nil || done {
			return err
		}
	}
	return fmt.Errorf("%w: %d", errTurns, r.MaxTurns)
}

// turn asks once and carries out what the answer calls.
func (r *running) turn(ctx context.Context) (done bool, err error) {
	got, err := r.ask(ctx)
	if err != nil {
		return false, err
	}
	r.turns++
	r.history.adjustRate(got.read(), got.Sent)
	r.usage = r.usage.Plus(got.Usage)
	// Every answer has read something, so without a count its server did not report it.
	r.usage.Partial = r.usage.Partial || got.read() == 0
	r.name = cmp.Or(got.Model, r.name)
	if len(got.Calls) == 0 && apis()[r.API].spoken {
		got.Calls = parseCallText(got.Text, r.box.hasTool)
	}
	got, over := limitCalls(got)
	assignIDs(got.Calls, r.turns)
	// The usage is reported before the calls are made, so that the caller can stop the run before they cost more.
	if err := r.reportAnswer(got); err != nil {
		return false, err
	}
	if got.Refused != "" {
		return false, fmt.Errorf("the model's server refused to complete the answer: %q", got.Refused)
	}
	if len(got.Calls) == 0 {
		return r.handleNoCalls(got)
	}
	// The calls are in the transcript before they are carried out: a session that is resumed must know that they may have
	// been.
	if err := r.keep(message{Role: fromModel, Text: got.Text, Calls: got.Calls}); err != nil {
		return false, err
	}
	results, err := r.carryOut(ctx, got, over)
	if err != nil {
		return false, err
	}
	return false, r.keep(message{Role: fromTools, Results: results})
}

// reportAnswer says what an answer was and what it cost.
func (r *running) reportAnswer(got answer) error {
	r.working = 0
	if strings.TrimSpace(got.Text) != "" {
		r.last = got.Text
		if err := r.out.say(textLine{sayText, got.Text}); err != nil {
			return err
		}
	}
	if err := r.out.say(usageLine{sayUsage, r.usage, r.turns, cmp.Or(r.name, r.Model)}); err != nil {
		return err
	}
	return r.spend(len(got.Text))
}

// The message to a model that stopped without reporting that it is done.
const (
	urge    = "You answered nothing. Go on with the task by calling a tool; if it is done, say so in a sentence."
	goOnCut = "Your answer was cut off at its length limit. Go on where it ended; write long files in several smaller edits."
)

// handleNoCalls takes an answer that calls nothing: the end, unless it was empty, cut off or
// paused.
func (r *running) handleNoCalls(got answer) (done bool, err error) {
	empty := strings.TrimSpace(got.Text) == ""
	if empty && got.Paused {
		return false, nil
	}
	if !empty {
		if err := r.keep(message{Role: fromModel, Text: got.Text}); err != nil {
			return false, err
		}
	}
	switch {
	// Once is a slip of small models; a second time would repeat for ever.
	case empty && r.urged:
		return false, errors.New("the model returned an empty answer twice")
	case empty:
		r.urged = true
		return false, r.keep(message{Role: fromUser, Text: urge})
	case got.Paused:
		// The conversation as it is asks for the rest.
		return false, nil
	case got.Cut:
		return false, r.keep(message{Role: fromUser, Text: goOnCut})
	}
	return true, nil
}

// keep adds a message to the conversation and its transcript.
func (r *running) keep(m message) error {
	r.history.messages = append(r.history.messages, m)
	return r.session.write(m)
}

// spend counts against the output limit.
func (r *running) spend(n int) error {
	if r.left -= int64(n); r.left < 0 {
		return fmt.Errorf("%w: %d bytes", errOutput, r.MaxOutput)
	}
	return nil
}

// workingEvery is after how many bytes of an answer a line says that one is coming.
const workingEvery = 512

// beat is called as the bytes of an answer come.
func (r *running) beat(n int) error {
	before := r.working / workingEvery
	// A line for each piece of an answer would be most of the output.
	if r.working += n; r.working/workingEvery == before {
		return nil
	}
	return r.out.say(workingLine{sayWorking, r.working})
}
