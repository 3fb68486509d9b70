package criteria

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"time"

	"chant/engine/spec"
	"chant/providers/wall"
	"chant/text"
)

// How is the way in which a verdict was found.
type How string

// The ways to find a verdict.
const (
	ByRunning How = "ran"     // by running commands
	ByBox     How = "claimed" // by the box
	ByAgent   How = "judged"  // by a judging agent
)

// Evidence is the result of one command.
type Evidence struct {
	Command  string       `json:"command"`
	Dir      string       `json:"dir,omitempty"` // slash-separated, from the top of the tree
	ExitCode int          `json:"exit_code"`
	TimedOut bool         `json:"timed_out,omitempty"`
	Seconds  float64      `json:"seconds"`         // of the last try
	Tries    int          `json:"tries,omitempty"` // if there was more than one
	Runs     []CommandRun `json:"runs,omitempty"`  // all tries, if there was more than one
	Bytes    int64        `json:"bytes"`           // of the whole output
	Tail     string       `json:"tail,omitempty"`  // the last 4 KiB of output
	SHA256   string       `json:"sha256"`          // of the whole output
	// Network is what the command could connect to: off, loopback, or all if it asked for more; "" if nothing was tried.
	Network spec.Network `json:"network,omitempty"`
	// Offline is how it ended without the network, if it was run again with it; nil otherwise.
	Offline *CommandRun `json:"offline,omitempty"`

	// Tree is the tree that it ran in, if that is another one than the report's with the same inputs.
	Tree string `json:"tree,omitempty"`

	Refused string `json:"-"` // what the wall has refused to a command that failed, as a sentence; not part of evidence

	unreached bool          // it tried to reach what Network does not have
	busy      time.Duration // processor time of the last try; not part of evidence
	Cached    bool          `json:"cached,omitempty"`
}

// CommandRun is one of several runs of a command on the same tree.
type CommandRun struct {
	ExitCode int     `json:"exit_code"`
	TimedOut bool    `json:"timed_out,omitempty"`
	Seconds  float64 `json:"seconds"`
}

// Verdict is the result for one item.
type Verdict struct {
	ID       string     `json:"id"`
	Number   int        `json:"number"`
	Text     string     `json:"text"`
	Source   Source     `json:"source"`
	Line     int        `json:"line,omitempty"` // of the criterion in the spec's file
	How      How        `json:"how"`
	Holds    bool       `json:"holds"`
	Unsure   bool       `json:"-"`               // the judge could not decide; never part of evidence
	Flaky    bool       `json:"flaky,omitempty"` // it failed and passed on the same tree
	Guard    bool       `json:"guard,omitempty"` // the spec says that it held before the work
	Added    bool       `json:"added,omitempty"` // during the run, maybe by its agent: it must hold, and proves nothing
	Proof    Proof      `json:"proof,omitempty"` // of one that ran; "" without a run on the base
	Evidence []Evidence `json:"evidence,omitempty"`
	Tell     string     `json:"tell,omitempty"` // of a held-out criterion: what the next agent may know when it fails
	Why      string     `json:"why,omitempty"`  // set if it does not hold
	Base     *Base      `json:"base,omitempty"` // of one that does not hold: how its commands end without the work; nil if they were not run
}

// Settings says where and how commands run.
type Settings struct {
	Spot            // where commands run, one after the other
	TreeID string   // the id of the git tree that is checked out there, "" if unknown
	Env    []string // the environment of every command, K=V; see Scrub
	Spec   []string // further variables of the spec's commands; not for those of the project
	// More creates another spot for commands that run side by side; with nil they share the first.
	More    func(ctx context.Context) (Spot, error)
	Timeout time.Duration // of each command without one of its own
	RunID   string        // marks the processes that commands start
	Hide    []string      // variables, each K=V, whose secret values are removed from evidence
	// Offline returns a wall without a network in place of another, and why there can be none; down has it even without a
	// loopback interface.
	Offline func(around *wall.Policy, tree string, down bool) (*wall.Policy, error)
	// NeedsNetwork reports whether a command was found to need the network, which LearnNeed keeps.
	NeedsNetwork func(command, dir string) bool
	LearnNeed    func(command, dir string)
	BesideAgent  bool  // an agent works at the same time: what fails with the network of the machine is not kept
	Cache        Cache // nil = no cache
	Fresh        bool  // run commands again whose evidence is cached
	// Clean reports whether the tree is as it was checked out; nil means that it never is. The evidence of
	// commands that leave files behind is not cached.
	Clean   func(ctx context.Context) (bool, error)
	Command func(line string) // called before each command, one at a time; may be nil
	Warn    func(text string) // called for cached evidence that is not valid; may be nil
}

// Spot is a worktree in which commands run.
type Spot struct {
	Tree   string   // the top of the worktree
	Folder string   // of the project in it, slash-separated, in which commands run; "" for the top
	Own    []string // variables of this tree alone, such as ports
	// Wall limits what commands may do; nil = nothing does.
	Wall *wall.Policy
	// Refused describes what the wall has refused, by the output of a command; "" if nothing. It is nil without a wall.
	Refused func(output string) string
	// Restore removes what earlier commands left in the tree; nil leaves it as it is. Its error
	// ends the check.
	Restore func(ctx context.Context) error
}

// Cache stores evidence by key, a few kilobytes each.
type Cache interface {
	// Find returns the stored evidence, nil without any.
	Find(key string) ([]byte, error)
	Keep(key string, evidence []byte) error
}

// Check judges the items of a plan, and returns the values of its variables
// in the tree. It returns an error only if a command could not be started, evidence
// could not be stored, or ctx ended; an item that does not hold is not an error.
func Check(ctx context.Context, plan Plan, set Settings) ([]Verdict, map[string]string, error) {
	if !plan.Runs() {
		// Nothing uses them.
		plan.Variables = nil
	}
	c := &checker{Settings: set, facts: map[string]string{}, parallel: plan.Parallel, first: &spot{Spot: set.Spot}}
	c.free = []*spot{c.first}
	vars, err := c.resolve(ctx, c.first, plan.Variables)
	if err != nil {
		return nil, nil, err
	}
	verdicts, err := c.judgeParts(ctx, plan)
	return verdicts, vars, err
}

// judgeAll returns the verdicts of items, in their order. After an error it returns those that it
// has, or none if items were judged side by side.
func (c *checker) judgeAll(ctx context.Context, items []Item) ([]Verdict, error) {
	if c.parallel {
		return c.judgeSideBySide(ctx, items)
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

// judgeSideBySide judges items at the same time, as many as there are processors; after an
// error it returns none.
func (c *checker) judgeSideBySide(ctx context.Context, items []Item) ([]Verdict, error) {
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
				// The first error ends the others.
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

// Brief says in one line of bounded length which criterion does not hold and why: a command is in it once, and its beginning
// is enough.
func (v Verdict) Brief() string {
	const most = 80 // characters of a text or of a command
	words, why := v.Text, v.Why
	for _, ev := range v.Evidence {
		words = strings.ReplaceAll(words, "`$ "+ev.Command+"`", "")
		why = strings.ReplaceAll(why, "`"+ev.Command+"`", "`"+text.Clip(ev.Command, most)+"`")
	}
	if words = text.Clip(text.OneLine(words), most); words == "" {
		return why
	}
	return words + " (" + why + ")"
}

// WhyBeside is Why for a place that shows Text: without the command if that is in it.
func (v Verdict) WhyBeside() string {
	for _, ev := range v.Evidence {
		if rest, ok := strings.CutPrefix(v.Why, "`"+ev.Command+"` "); ok && strings.Contains(v.Text, ev.Command) {
			return rest
		}
	}
	return v.Why
}

// judge returns the verdict of one item.
func (c *checker) judge(ctx context.Context, at *spot, item Item) (Verdict, error) {
	v := item.boxVerdict()
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
			v.Flaky = v.Flaky || ev.isFlaky()
		}
		if why != "" {
			v.Holds, v.Why = false, why
			// The results of later steps do not matter.
			break
		}
	}
	if item.Red {
		v.turnRed()
	}
	return v, nil
}

// boxVerdict is the verdict according to the item's box.
func (item Item) boxVerdict() Verdict {
	v := Verdict{ID: item.ID, Number: item.Number, Text: item.Text, Source: item.Source, Line: item.Line, How: ByBox, Holds: item.Checked, Guard: item.Guard, Added: item.Added, Tell: item.Tell}
	if !v.Holds {
		v.Why = "the box is not ticked"
	}
	return v
}

// Holds reports whether there are verdicts and all of them hold.
func Holds(verdicts []Verdict) bool { return len(verdicts) > 0 && len(Failures(verdicts)) == 0 }

// Boxes returns which boxes are ticked according to the verdicts: those of criteria with
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
