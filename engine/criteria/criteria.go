// Package criteria finds out whether what a spec asks for holds in a tree, and says
// how it knows.
//
// # Rules
//
//   - What has to hold are the criteria of a spec, then the commands of its key
//     `verify`, then those of the project (Plan). For a run all of them are as its
//     start commit has them, with what was added since.
//   - A criterion with commands holds when every one of them exits with 0, run in
//     the tree in question. Its box says nothing. One that passes only when it is
//     tried again is told as flaky.
//   - A criterion without a command holds when its box is ticked. Nothing here
//     ticks it.
//   - Commands get the variables of an allow-list and those the settings name,
//     never the rest of the environment; no folder on their PATH lies in the tree.
//   - In a tree made for a check, every command sees what is committed and what set-up made, and
//     nothing else: Spot.Restore removes what one command leaves before the next one starts, and
//     commands that run side by side have trees of their own.
//   - Every answer comes with its evidence: command, exit code, duration, the end
//     of the output and the hash of all of it.
//   - Evidence is kept by tree, commands and environment: for all commands of a spec
//     together, since one may change what the next one sees, and for all of the project. What decides
//     over a landing never comes from there: whoever works in the repository can write it.
//
// # Decisions
//
// 2026-11-20: the branch of a run is not in the environment of a check, and the id of
// the spec in that of the spec's own commands alone. Rejected: both everywhere, with which
// a check could say something else of the same tree later, and what the project asks of
// every spec could not be kept from one to the next.
//
// 2026-11-22: a report without verdicts has a status of its own, Nothing, and is not verified; whether it may land is
// a setting (verify.require). Rejected: Passed, as before, with which evidence of nothing looked like evidence; and
// refusing it always, because chores without a check are common.
//
// 2026-11-22: a command never builds on what another one made: it would judge files that are not
// committed, and could make a later command pass. Rejected: removing only what is not ignored,
// since build output is where such files hide; and one tree for commands side by side, where one
// command could change a file and put it back while another one reads it.
//
// 2026-11-20: output is read to its end and only its tail is held. Rejected: ending a
// command that prints much, since what it prints is not what it is asked.
//
// 2026-11-20: the seal of a report tells an edit by hand, not a forger who knows how it
// is made: no secret is safe from a program of the same user. What convinces is running
// the commands again.
package criteria

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// How says in what way a verdict was found.
type How string

// The ways.
const (
	ByRunning How = "ran"     // by running commands
	ByBox     How = "claimed" // by the box
	ByAgent   How = "judged"  // by an agent that was asked
)

// Evidence is what one command showed.
type Evidence struct {
	Command  string  `json:"command"`
	Dir      string  `json:"dir,omitempty"` // slash-separated, from the top of the tree
	ExitCode int     `json:"exit_code"`
	TimedOut bool    `json:"timed_out,omitempty"`
	Seconds  float64 `json:"seconds"`         // of the last try
	Tries    int     `json:"tries,omitempty"` // when there was more than one
	Bytes    int64   `json:"bytes"`           // of the whole output
	Tail     string  `json:"tail,omitempty"`  // the last 4 KiB of output
	SHA256   string  `json:"sha256"`          // of the whole output
	Cached   bool    `json:"cached,omitempty"`
}

// Verdict is the answer for one item.
type Verdict struct {
	ID       string     `json:"id"`
	Number   int        `json:"number"`
	Text     string     `json:"text"`
	Source   Source     `json:"source"`
	Line     int        `json:"line,omitempty"` // of the criterion in the spec's file
	How      How        `json:"how"`
	Holds    bool       `json:"holds"`
	Unsure   bool       `json:"-"`               // the judge could not say whether it holds; no evidence is kept of a judge
	Flaky    bool       `json:"flaky,omitempty"` // it passed after it had failed
	Evidence []Evidence `json:"evidence,omitempty"`
	Why      string     `json:"why,omitempty"` // set when it does not hold
}

// Settings says where and how commands run.
type Settings struct {
	Spot            // where commands run, one after the other
	TreeID string   // the id of the git tree that is checked out there, "" when that is not known
	Env    []string // what every command gets, K=V; see Scrub
	Spec   []string // what commands of the spec get beside that, those of the project do not
	// More makes a further spot, for commands that run side by side; nil has them share the first.
	More    func(ctx context.Context) (Spot, error)
	Timeout time.Duration // of each command, where nothing else is said
	RunID   string        // marks what the commands start
	Hide    []string      // variables, each K=V, whose secret values no evidence keeps
	Cache   Cache         // nil keeps nothing
	Fresh   bool          // run again what is kept
	// Clean reports whether the tree is as it was checked out; nil is never. What has left
	// something behind is not kept.
	Clean   func(ctx context.Context) (bool, error)
	Command func(line string) // called before each command, one at a time; may be nil
	Warn    func(text string) // told of kept evidence that is not believed; may be nil
}

// Spot is a worktree that commands run in.
type Spot struct {
	Tree string   // the top of the worktree
	Own  []string // what belongs to this tree alone, such as ports
	// Restore removes what the commands before have left in it; nil leaves it as it is. Its error
	// ends the check.
	Restore func(ctx context.Context) error
}

// Cache keeps evidence by key, a few kilobytes each.
type Cache interface {
	// Find returns what was kept, nil when nothing was.
	Find(key string) ([]byte, error)
	Keep(key string, evidence []byte) error
}

// Check judges what is planned, and returns the variables of the plan as they were
// in the tree. The error is set only when a command could not be started, evidence
// could not be kept, or ctx ended; what does not hold is no error.
func Check(ctx context.Context, plan Plan, set Settings) ([]Verdict, map[string]string, error) {
	if !plan.Runs() {
		plan.Variables = nil // no one would use them
	}
	c := &checker{Settings: set, facts: map[string]string{}, parallel: plan.Parallel, first: &spot{Spot: set.Spot}}
	c.free = []*spot{c.first}
	vars, err := c.resolve(ctx, c.first, plan.Variables)
	if err != nil {
		return nil, nil, err
	}
	verdicts, err := c.parts(ctx, plan)
	return verdicts, vars, err
}

// judgeAll answers for items, in their order. After an error it returns those that it
// has, or with several at a time none.
func (c *checker) judgeAll(ctx context.Context, items []Item) ([]Verdict, error) {
	if c.parallel {
		return c.sideBySide(ctx, items)
	}
	out := make([]Verdict, 0, len(items))
	for _, item := range items {
		v, err := c.judge(ctx, c.first, item)
		if err != nil {
			return out, err
		}
		out = append(out, v)
	}
	return out, nil
}

// sideBySide judges all items at once, as many as there are processors; after an
// error it returns none.
func (c *checker) sideBySide(ctx context.Context, items []Item) ([]Verdict, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]Verdict, len(items))
	places := make(chan struct{}, runtime.NumCPU())
	var all sync.WaitGroup
	for i, item := range items {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			v, err := c.judgeBeside(ctx, item)
			if err != nil {
				cancel(err)
			}
			out[i] = v
		})
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return out, nil
}

// judge answers for one item.
func (c *checker) judge(ctx context.Context, at *spot, item Item) (Verdict, error) {
	v := item.claimed()
	if len(item.Steps) == 0 {
		return v, nil
	}
	v.How, v.Holds, v.Why = ByRunning, true, ""
	for _, step := range item.Steps {
		ev, why, err := c.run(ctx, at, step)
		if err != nil {
			return v, err
		}
		if ev != nil {
			v.Evidence = append(v.Evidence, *ev)
			v.Flaky = v.Flaky || why == "" && ev.Tries > 1
		}
		if why != "" {
			v.Holds, v.Flaky, v.Why = false, false, why
			break // the item does not hold, whatever the later ones say
		}
	}
	return v, nil
}

// claimed is the verdict of the item's box.
func (item Item) claimed() Verdict {
	v := Verdict{ID: item.ID, Number: item.Number, Text: item.Text, Source: item.Source, Line: item.Line, How: ByBox, Holds: item.Checked}
	if !v.Holds {
		v.Why = "the box is not ticked"
	}
	return v
}

// Holds reports whether there are verdicts and every one of them holds.
func Holds(verdicts []Verdict) bool { return len(verdicts) > 0 && len(Failures(verdicts)) == 0 }

// Boxes says how the boxes must stand after the verdicts: those of criteria with
// commands follow the result, the others are left out.
func Boxes(verdicts []Verdict) map[string]bool {
	boxes := map[string]bool{}
	for _, v := range verdicts {
		if v.How == ByRunning && v.Source == FromCriteria {
			boxes[v.ID] = v.Holds
		}
	}
	return boxes
}
