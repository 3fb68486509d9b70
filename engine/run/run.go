package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/markdown"
	"chant/providers"
	"chant/providers/secret"
)

// Settings are the parts of config.md that shape a run.
type Settings struct {
	Timeout  time.Duration // of the agent
	Silence  time.Duration // without output, 0 = no limit
	Check    time.Duration // of one criterion's command
	Verify   spec.Checks   // of the whole project
	SetupFor time.Duration // of one set-up command
	Copy     []string      // globs of ignored files
	Link     []string      // ignored paths
	SetupCmd []string
	Dir      string // folder of worktrees, absolute; "" = .chant/worktrees
	Ports    Ports
	Recycle  bool   // keep the trees of landed runs for the next ones
	Spares   int    // at most so many
	Prompt   string // the prompt's text, placeholders not yet filled in
	Project  string
	Pass     []string // names of variables that agents get beside the usual ones

	Required     []string // keys that every spec has
	StrictOutput bool     // output that does not fit output_schema lands nothing
	ApproveWork  bool     // what an agent made lands when a person has approved it
}

// Run carries one attempt, or the end of one, through its steps.
type Run struct {
	Repo     *gitops.Repo
	Store    *store.Store
	Job      journal.Job
	Settings Settings
	Provider providers.Provider
	MCP      *providers.MCPServer
	Chant    string // absolute path of this program, "" when it is not known
	Environ  []string
	Secrets  *secret.Redactor // of Environ; nil: none are known
	Now      func() time.Time
	Emit     func(journal.Event)               // progress, may be nil
	OnStep   func(journal.Step, journal.State) // after each journal record, may be nil
	History  *journal.History                  // as it was before this attempt
	// Retry tells how long to wait before an agent is asked again that said this
	// when it failed, after so many retries; nil = it is not.
	Retry func(retries int, said string) (time.Duration, bool)
	// Price is what tokens of a model cost, in US dollars; nil, or its answer is, when
	// nobody knows.
	Price func(model string, u providers.Usage) *float64
	// Allow is told what the agent has used and answers why it must stop, "" when it may
	// go on; nil = it always may.
	Allow func(journal.Session, providers.Spent) string
	// Left is how long this agent may still work by limits that it shares, and why no
	// longer; nil or no word = as long as it likes. It is asked while the agent works.
	Left func() (time.Duration, string)

	Accepted bool // a person has accepted what the run changed and may not

	Cache criteria.Cache // of evidence, for checks that decide over no landing; nil = none
	Fresh bool           // run again what is kept there

	Also func(*markdown.Document) (*markdown.Document, error) // further changes of the spec in the complete commit, may be nil

	// What the steps find, for those after them and for the caller.
	Tree    string // the worktree, "" when there is none
	Agent   *journal.AgentReport
	Report  criteria.Report // what was found out last, empty before
	Commit  string          // the complete commit
	Landing string          // the merge commit
	Landed  bool
	Waits   string   // the approval that it ended with, before landing
	Rescued []string // refs and folders that keep what a removed tree or branch held
	Clashes []string // files in which branch and target conflict, for the prompt

	made      bool              // this process made the tree
	recycled  bool              // of one that another run had
	catching  bool              // it has begun to merge or rebase there
	derived   []string          // spec files whose version on the side that lands was made from the target's
	deleted   *journal.Failure  // its branch was deleted while the agent worked, and was restored
	caughtTo  string            // the target's tip that this process has brought the branch up to
	judged    string            // the commit whose criteria this process has run, or the complete commit made right after
	asked     bool              // a person asks whether the work is done; nothing fails when it is not
	collected string            // the commit of what lay uncommitted in the tree, "" when nothing did
	stderr    string            // the end of what the agent wrote there
	session   journal.Session   // of the agent at work, or of the last one
	home      *journal.HomeCopy // home's copy of the spec as this process began
	journal   []byte            // as the last record of this process has left it
	seen      *journal.Before   // what stood around when its agent had ended
	foreign   []string          // what somebody else did to it
	parted    fork              // what base has found out last
	merged    merge             // the last one computed
	ports     *lease
	lentSeen  map[string]*criteria.Snapshot // of what lent has read, by path
	log       *store.Log
}

func (r *Run) emit(step journal.Step, kind, format string, args ...any) {
	if r.Emit != nil {
		r.Emit(journal.Event{Time: r.Now(), ID: r.Job.ID, Step: step, Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
}

// Begin opens the attempt in the journal, or takes it up again: then everything
// that is known of it stays known. The lock is held.
func (r *Run) Begin(ctx context.Context, anew bool) error {
	home, err := r.compareFrom(ctx)
	if err != nil {
		return err
	}
	rec := journal.Record{Step: journal.Open, State: journal.Note, Home: home}
	if anew || r.History.Last() == nil || r.History.Last().Gone {
		rec.State = journal.Begin
	}
	return r.write(rec, r.Job)
}

// Through takes the run from one step to another, both included, and closes the
// attempt unless the process is killed on the way. The error is a *Failure, the
// context's, or that of whatever broke; the branch then already says so.
func (r *Run) Through(ctx context.Context, from, to journal.Step) error {
	return r.take(ctx, part(from, to))
}

// CatchUp brings the run's branch up to date with the target by Rebase or Resolve,
// and takes the run from there to its end. Errors are those of Through.
func (r *Run) CatchUp(ctx context.Context, how journal.Step) error {
	return r.take(ctx, append([]journal.Step{how}, part(journal.Collect, journal.Clean)...))
}

func (r *Run) take(ctx context.Context, steps []journal.Step) (err error) {
	r.log, err = r.Store.OpenLog(r.Job.ID, r.Job.Attempt, fmt.Sprintf("%s, provider %q", steps[0], r.Job.Provider), r.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.log.Close()) }()
	giveBack, err := r.leasePorts()
	if err != nil {
		return errors.Join(r.settle(ctx, steps[0], err), r.close(ctx))
	}
	defer func() { err = errors.Join(err, giveBack()) }()
	for _, step := range steps {
		if r.Waits = r.awaited(ctx, step); r.Waits != "" {
			break
		}
		if err = r.do(ctx, step); err != nil {
			err = r.settle(ctx, step, err)
			break
		}
	}
	closing := r.close(ctx)
	if err != nil {
		return err
	}
	return closing
}

// do runs one step between its two records.
func (r *Run) do(ctx context.Context, step journal.Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.record(step, journal.Begin, nil); err != nil {
		return err
	}
	r.emit(step, "begin", "%s", r.intent(step))
	result, err := r.act(ctx, step)
	if err != nil {
		return err
	}
	return r.record(step, journal.Done, result)
}

// intent says in a few words what a step is about to do.
func (r *Run) intent(step journal.Step) string {
	switch step {
	case journal.Branch:
		return fmt.Sprintf("%s from %s", r.Job.Branch, r.Job.Target)
	case journal.Agent:
		return fmt.Sprintf("%s, attempt %d", r.Job.Provider, r.Job.Attempt)
	case journal.Verify:
		return "criteria of the start commit"
	case journal.Land, journal.Rebase:
		return "on " + r.Job.Target
	case journal.Resolve:
		return fmt.Sprintf("%s merged into %s, by %s", r.Job.Target, r.Job.Branch, r.Job.Provider)
	}
	return ""
}

func (r *Run) act(ctx context.Context, step journal.Step) (any, error) {
	switch step {
	case journal.Branch:
		return r.branch(ctx)
	case journal.Worktree:
		return r.worktree(ctx)
	case journal.Setup:
		return nil, r.setup(ctx, r.Tree)
	case journal.Prompt:
		return nil, r.prompt(ctx)
	case journal.Agent:
		return r.agent(ctx)
	case journal.Rebase:
		return r.rebase(ctx)
	case journal.Resolve:
		return r.resolve(ctx)
	case journal.Collect:
		return nil, r.collect(ctx)
	case journal.Verify:
		return r.verify(ctx)
	case journal.Complete:
		return r.complete(ctx)
	case journal.Land:
		return r.land(ctx)
	case journal.Clean:
		return nil, r.clean(ctx)
	}
	return nil, fmt.Errorf("no step %q", step)
}

// copied is the same run, whose fields can be changed without a change of this one.
func (r *Run) copied() *Run {
	c := *r
	return &c
}

// UnderWay is the status to start from for a spec that was never started itself,
// such as a driver, or whose own word cannot be believed.
func UnderWay() *spec.Status { s := spec.InProgress; return &s }

// message is the text of a commit that the run makes on its side.
func (r *Run) message(event, why string) string {
	return store.Message{ID: r.Job.ID, Event: event, Why: r.Secrets.Text(why), Attempt: r.Job.Attempt}.String()
}

// logLine writes to the attempt's log; checks made outside an attempt have none.
func (r *Run) logLine(text string) error {
	if r.log == nil {
		return nil
	}
	return r.log.Line(r.Secrets.Text(text))
}
