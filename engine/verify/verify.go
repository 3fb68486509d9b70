// Package verify finds out whether the criteria of a spec hold in a tree, and
// says how it knows.
//
// # Laws
//
//   - A criterion with commands holds when every one of them exits with 0, run in
//     the tree in question. Its box says nothing.
//   - A criterion without a command holds when its box is ticked. Nothing here
//     ticks it.
//   - The criteria and commands are those the caller hands in; for a run these
//     are the ones of its start commit, not what stands in the file now.
//   - Every answer comes with its evidence: command, exit code, duration, the end
//     of the output and the hash of all of it.
package verify

import (
	"context"
	"fmt"
	"io"
	"time"

	"chant/engine/spec"
	"chant/providers"
)

// Evidence is what one command showed.
type Evidence struct {
	Command  string  `json:"command"`
	ExitCode int     `json:"exit_code"`
	TimedOut bool    `json:"timed_out,omitempty"`
	Seconds  float64 `json:"seconds"`
	Tail     string  `json:"tail,omitempty"` // the last 4 KiB of output
	SHA256   string  `json:"sha256"`         // of the whole output
}

// Verdict is the answer for one criterion.
type Verdict struct {
	ID       string     `json:"id"`
	Number   int        `json:"number"`
	Text     string     `json:"text"`
	Holds    bool       `json:"holds"`
	Evidence []Evidence `json:"evidence,omitempty"`
	Why      string     `json:"why,omitempty"` // set when it does not hold
}

// Report is the answer for a whole spec.
type Report struct {
	SpecID   string    `json:"spec_id"`
	Commit   string    `json:"commit,omitempty"` // what was checked
	Tree     string    `json:"tree,omitempty"`
	At       time.Time `json:"at"`
	Verified bool      `json:"verified"`
	Criteria []Verdict `json:"criteria"`
}

// Settings says where and how commands run.
type Settings struct {
	Dir     string            // the tree
	Env     []string          // the whole environment
	Timeout time.Duration     // of each command
	RunID   string            // marks what the commands start
	Output  io.Writer         // gets a copy of everything, may be nil
	Command func(line string) // called before each command, may be nil
}

// Check judges the criteria. Boxes are looked up in now, the criteria as the
// file has them at present, by id. The error is set only when a command could
// not be started or ctx ended; a failing criterion is no error.
func Check(ctx context.Context, criteria, now []spec.Criterion, set Settings) ([]Verdict, error) {
	checked := map[string]bool{}
	for _, c := range now {
		checked[c.ID] = c.Checked
	}
	out := make([]Verdict, 0, len(criteria))
	for _, c := range criteria {
		v := Verdict{ID: c.ID, Number: c.Number, Text: c.Text, Holds: true}
		if !c.Runs() && !checked[c.ID] {
			v.Holds, v.Why = false, "the box is not ticked"
		}
		for _, line := range c.Commands {
			ev, err := run(ctx, line, set)
			if err != nil {
				return out, err
			}
			v.Evidence = append(v.Evidence, ev)
			if why := ev.failure(set.Timeout); why != "" {
				v.Holds, v.Why = false, why
				break // the later commands build on this one
			}
		}
		out = append(out, v)
	}
	return out, nil
}

func (e Evidence) failure(limit time.Duration) string {
	switch {
	case e.TimedOut:
		return fmt.Sprintf("`%s` did not end within %s", e.Command, limit)
	case e.ExitCode != 0:
		return fmt.Sprintf("`%s` exited with %d", e.Command, e.ExitCode)
	}
	return ""
}

func run(ctx context.Context, line string, set Settings) (Evidence, error) {
	if set.Command != nil {
		set.Command(line)
	}
	res, err := providers.RunCommand(ctx, providers.Command{
		Line: line, Dir: set.Dir, Env: set.Env, Timeout: set.Timeout, RunID: set.RunID,
	})
	if err != nil {
		return Evidence{}, err
	}
	return Evidence{
		Command: line, ExitCode: res.ExitCode, TimedOut: res.TimedOut,
		Seconds: res.Duration.Seconds(), Tail: res.Tail, SHA256: res.SHA256,
	}, nil
}

// Holds reports whether every verdict does. No criteria at all hold.
func Holds(verdicts []Verdict) bool {
	for _, v := range verdicts {
		if !v.Holds {
			return false
		}
	}
	return true
}

// Boxes says how the boxes must stand after the verdicts: those of criteria with
// commands follow the result, the others are left out.
func Boxes(verdicts []Verdict) map[string]bool {
	boxes := map[string]bool{}
	for _, v := range verdicts {
		if len(v.Evidence) > 0 {
			boxes[v.ID] = v.Holds
		}
	}
	return boxes
}
