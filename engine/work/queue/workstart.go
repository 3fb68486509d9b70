package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/engine/work"
	"chant/engine/work/node"
	"chant/gitops/lockfile"
	"chant/providers"
)

// WorkStartInput says which spec to start, and whether others follow.
type WorkStartInput struct {
	work.WorkInput
	Chain    bool `json:"chain,omitempty" jsonschema:"Continue with everything that is ready, one after the other, up to the first failure"`
	Parallel int  `json:"parallel,omitempty" jsonschema:"Work this many side by side: the spec, then everything that is ready"`
}

// WorkStartResult is a run that was started in a process of its own.
type WorkStartResult struct {
	ProcessID string    `json:"process_id"`
	SpecID    string    `json:"spec_id"`
	PID       int       `json:"pid"`
	StartedAt time.Time `json:"started_at"`
	Mode      string    `json:"mode"`
	Started   bool      `json:"started"`
	Monitor   Monitor   `json:"monitor"`
}

// Monitor says how to follow a started run.
type Monitor struct {
	Instruction string   `json:"instruction"`
	PollTool    string   `json:"poll_tool"`
	PollSeconds int      `json:"poll_interval_seconds"`
	Done        []string `json:"done_statuses"`
}

// WorkStart starts `chant work` for a spec in a process of its own, which continues
// when this one ends. It returns once that process holds the run, or the error with
// which it ended before.
func WorkStart(ctx context.Context, p *engine.Project, in WorkStartInput) (WorkStartResult, error) {
	id, err := engine.Find(ctx, p, in.ID)
	if err != nil {
		return WorkStartResult{}, engine.Wrap(err, in.ID)
	}
	if err := engine.MayInside(p, "work", id); err != nil {
		return WorkStartResult{}, err
	}
	if err := engine.MayWaive(p, in.SkipApproval); err != nil {
		return WorkStartResult{}, err
	}
	// Only to report it at once: the started process takes the lock itself.
	if holder, held := p.Store.Holder(id); held && !engine.Writes(holder) {
		return WorkStartResult{}, engine.Wrap(&lockfile.HeldError{Path: p.Store.LockPath(id), Holder: holder}, id)
	}
	if err := checkFollowers(ctx, p, in, id); err != nil {
		return WorkStartResult{}, engine.Wrap(err, id)
	}
	// Offered here, so that a refusal of the fleet is the error of this call.
	fleet, err := node.OfferToFleet(ctx, p, id)
	if err != nil {
		return WorkStartResult{}, engine.Wrap(err, id)
	}
	output, err := p.Store.Local(local.Logs, id+".work.log")
	if err != nil {
		return WorkStartResult{}, engine.Wrap(err, id)
	}
	launch := providers.Launch{Path: p.Executable, Args: in.args(id), Dir: engine.Home(p), Env: p.Environ}
	process, exited, err := providers.Detach(launch, output)
	if err != nil {
		return WorkStartResult{}, engine.Wrap(err, id)
	}
	// In a fleet a machine holds the run, and the process waits for its end.
	if !fleet {
		if err := awaitHold(ctx, p, id, output, exited); err != nil {
			return WorkStartResult{}, engine.Wrap(err, id)
		}
	}
	return WorkStartResult{
		ProcessID: fmt.Sprintf("%s-%d", id, process.PID), SpecID: id, PID: process.PID, StartedAt: p.Now().UTC(), Mode: in.mode(), Started: true,
		Monitor: Monitor{
			Instruction: "Poll until the status is one of done_statuses.", PollTool: "chant_spec_get", PollSeconds: 60,
			Done: doneStatuses(),
		},
	}, nil
}

// doneStatuses returns the statuses in which no run of a spec is under way or about to begin.
func doneStatuses() []string {
	return []string{string(spec.Completed), string(spec.Failed), string(spec.NeedsAttention), string(spec.Paused), string(spec.Cancelled)}
}

// checkFollowers checks that the first spec can start, if others follow it: the started
// process would report that only once others are under way.
func checkFollowers(ctx context.Context, p *engine.Project, in WorkStartInput, id string) error {
	if !in.Chain && in.Parallel == 0 {
		return nil
	}
	if err := checkWorkAll(p, WorkAllInput{Chain: in.Chain, Parallel: in.Parallel}); err != nil {
		return err
	}
	set, g, err := engine.Graph(ctx, p)
	if err != nil {
		return err
	}
	s, err := engine.ReadableFile(ctx, p, set, g, id)
	if err != nil {
		return err
	}
	return work.MayStart(p, work.WorkInput{}, g, s)
}

// mode names the way in which specs follow each other.
func (in WorkStartInput) mode() string {
	switch {
	case in.Parallel > 0:
		return fmt.Sprintf("parallel(%d)", in.Parallel)
	case in.Chain:
		return "chain"
	}
	return "single"
}

// args returns the input as the arguments of a command line.
func (in WorkStartInput) args(id string) []string {
	args := []string{"work", id, "--json", "--quiet"}
	if in.Parallel > 0 {
		args = append(args, "--all", "--parallel", strconv.Itoa(in.Parallel))
	}
	for _, f := range []struct{ flag, value string }{
		{"--prompt", in.Prompt}, {"--model", in.Model}, {"--provider", in.Provider}, {"--timeout", in.Timeout}, {"--onto", in.Onto},
	} {
		if f.value != "" {
			args = append(args, f.flag, f.value)
		}
	}
	for _, f := range []struct {
		flag string
		on   bool
	}{
		{"--no-merge", in.NoMerge}, {"--skip-deps", in.SkipDeps}, {"--skip-approval", in.SkipApproval}, {"--keep-worktree", in.KeepWorktree},
		{"--continue", in.Continue}, {"--replay", in.Replay}, {"--chain", in.Chain}, {"--all", in.Chain},
	} {
		if f.on {
			args = append(args, f.flag)
		}
	}
	return args
}

// awaitHold waits until the started process holds the run's lock and has begun an
// attempt, or has ended. A quick run may have ended successfully before the first look.
func awaitHold(ctx context.Context, p *engine.Project, id, output string, exited <-chan providers.Exit) error {
	tick := time.NewTicker(engine.LookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case exit := <-exited:
			// A quick run may have ended before the first look.
			if exit.Code == 0 {
				return nil
			}
			return earlyEndError(next.Work.On(), output, exit)
		case <-tick.C:
			s, err := p.Store.Get(ctx, id)
			if err == nil && slices.Contains([]string{advice.Running, advice.Waiting}, advice.RunState(p, &s.Spec)) {
				return nil
			}
		}
	}
}

// earlyEndError returns the error with which a process ended before it had begun: the
// last line of its output is the error as --json prints it.
func earlyEndError(command next.Step, output string, exit providers.Exit) error {
	src, err := os.ReadFile(output)
	if err != nil {
		return err
	}
	lines := bytes.Split(bytes.TrimSpace(src), []byte("\n"))
	// Lines before it are progress, or warnings of programs.
	var printed struct{ Error *engine.Error }
	if json.Unmarshal(lines[len(lines)-1], &printed) == nil && printed.Error != nil {
		return printed.Error
	}
	return errors.New(command.String() + " ended at once: " + exit.String())
}
