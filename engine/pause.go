package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
)

// PauseInput names the spec whose run shall stop.
type PauseInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// Pause stops the agent at work on a spec and keeps its branch and tree; work
// goes on with it. A spec that nobody works on stays as it is. Errors: Conflict
// when the process lives on another machine.
func (e *Engine) Pause(ctx context.Context, in PauseInput) (StateResult, error) {
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return StateResult{}, wrap(err, in.ID)
	}
	result, err := e.pause(ctx, id)
	return done(result, err, id)
}

func (e *Engine) pause(ctx context.Context, id string) (StateResult, error) {
	if err := e.interrupt(ctx, id); err != nil {
		return StateResult{}, err
	}
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return StateResult{}, err
	}
	if s.Status != spec.InProgress {
		return StateResult{ID: id, Status: s.Status}, nil
	}
	return withHold(ctx, e, id, "pause", func(h *held) (StateResult, error) { // its process had died
		out, err := e.store.Transition(ctx, store.Change{ID: id, Event: spec.Pause})
		if err != nil {
			return StateResult{}, err
		}
		return StateResult{ID: id, Status: out.Spec.Status, Commit: out.Commit}, nil
	})
}

// interrupt asks the process that works a spec to stop, as Ctrl-C does, and waits
// until it has let go. A landing or a clean-up is not disturbed.
func (e *Engine) interrupt(ctx context.Context, id string) error {
	holder, held := gitops.HeldBy(e.store.LockPath(id))
	if !held {
		return nil
	}
	if host, err := os.Hostname(); err != nil || host != holder.Host || !strings.HasPrefix(holder.What, "work ") {
		return &gitops.LockError{Path: e.store.LockPath(id), Holder: holder}
	}
	process, err := os.FindProcess(holder.PID)
	if err == nil {
		err = process.Signal(os.Interrupt)
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("process %d cannot be asked to stop: %w", holder.PID, err)
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if now, held := gitops.HeldBy(e.store.LockPath(id)); !held || now.PID != holder.PID {
				return nil
			}
		}
	}
}

// TakeoverInput names the spec to go on with by hand.
type TakeoverInput struct {
	ID string `json:"id" jsonschema:"Spec ID (full or partial)"`
}

// TakeoverResult is what a person or another agent needs to go on.
type TakeoverResult struct {
	SpecID   string           `json:"spec_id"`
	Status   spec.Status      `json:"status"`
	Worktree string           `json:"worktree_path"`
	Branch   string           `json:"branch"`
	Analysis string           `json:"analysis"`
	LogTail  string           `json:"log_tail"` // at most 50 lines and 8 KiB
	Open     []spec.Criterion `json:"open_criteria"`
	Suggest  string           `json:"suggestion"`
}

// The bounds of a hand-over.
const (
	tailLines = 50
	tailBytes = 8 << 10
)

// Takeover stops the agent at work on a spec and hands over its worktree, the end
// of its log and what is still open. Errors: State when the spec has no run.
func (e *Engine) Takeover(ctx context.Context, in TakeoverInput) (TakeoverResult, error) {
	id, err := e.find(ctx, in.ID)
	if err != nil {
		return TakeoverResult{}, wrap(err, in.ID)
	}
	result, err := e.takeover(ctx, id)
	return done(result, err, id)
}

func (e *Engine) takeover(ctx context.Context, id string) (TakeoverResult, error) {
	state, err := e.pause(ctx, id)
	if err != nil {
		return TakeoverResult{}, err
	}
	tree, err := e.treeOf(ctx, id)
	if err != nil {
		return TakeoverResult{}, err
	}
	if tree == "" {
		return TakeoverResult{}, fail(State, "chant work "+id, "spec %q has no run to take over", id)
	}
	s, err := e.store.Get(ctx, id)
	if err != nil {
		return TakeoverResult{}, err
	}
	r := TakeoverResult{
		SpecID: id, Status: state.Status, Worktree: tree, Branch: s.Branch, Open: []spec.Criterion{},
		Suggest: "chant finalize " + id,
	}
	for _, c := range spec.Criteria(s.Doc) {
		if c.Runs() || !c.Checked {
			r.Open = append(r.Open, c)
		}
	}
	if log, err := e.Log(ctx, LogInput{ID: id, Lines: tailLines}); err == nil {
		r.LogTail = lastBytes(log.Content, tailBytes)
	}
	h, err := run.ReadHistory(e.store, id)
	if err != nil {
		return r, err
	}
	r.Analysis = fmt.Sprintf("%d attempts, the last one ended at step %q%s; %d of %d criteria are open or have a command to run",
		len(h.Attempts), stepOf(h), because(s.Fields.Reason), len(r.Open), len(spec.Criteria(s.Doc)))
	return r, nil
}

// lastBytes keeps whole lines from the end of a text.
func lastBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[len(text)-limit:]
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}
