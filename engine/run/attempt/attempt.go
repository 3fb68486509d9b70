package attempt

import (
	"fmt"
	"slices"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/run/train"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/providers/secret"
)

// Attempt is one attempt at a spec, as it was decided before its first step. No step changes a field of it: what a step
// finds is in the part of the run that finds it, and what is written goes to Journal and Log.
type Attempt struct {
	Repo     *gitops.Repo
	Store    *store.Store
	Job      journal.Job
	Settings Settings
	Chant    string // absolute path of this program, "" when it is not known
	Environ  []string
	Version  string // of chant
	Now      func() time.Time
	Emit     func(journal.Event)               // progress, may be nil
	OnStep   func(journal.Step, journal.State) // after each journal record, may be nil
	Accepted bool                              // a person accepts changes that a run must not make
	Asked    bool                              // a person asks whether the work is done; nothing fails when it is not

	// What records the attempt and changes meanwhile, by methods of its own.
	Journal *Journal
	Log     *Log
	Secrets *Secrets

	memo memo
}

// memo holds answers that follow from refs, commits and the journal, and are asked for in almost every step.
type memo struct {
	fork    fork
	trusted reading
}

// New returns an attempt with these fields and a journal, a log and secrets of its own. h is the journal as it was before
// the attempt, known are the secrets of the environment, nil for none.
func New(fields Attempt, h *journal.History, known *secret.Redactor) *Attempt {
	a := &fields
	a.Journal, a.Log, a.Secrets, a.memo = &Journal{of: a, history: h}, &Log{of: a}, &Secrets{known}, memo{}
	return a
}

// ForJob returns an attempt at another job in the same project, which shares neither journal nor log with this one. What
// it learns of secrets is its own.
func (a *Attempt) ForJob(job journal.Job, h *journal.History) *Attempt {
	fields := *a
	fields.Job = job
	return New(fields, h, a.Secrets.Redactor)
}

// NotesRef is the ref of the git notes that hold the evidence of commits.
const NotesRef = "refs/notes/chant"

// PortBase is the variable with the first of the TCP ports reserved for a run. Its agent, set-up commands and criteria
// get it.
const PortBase = "CHANT_PORT_BASE"

// Ports are the TCP ports that are reserved: Count for each run, from Start on.
type Ports struct {
	Start, Count int
}

// Settings are the parts of config.md that shape a run.
type Settings struct {
	Timeout  time.Duration // of the agent
	Silence  time.Duration // without output, 0 = no limit
	Check    time.Duration // of one criterion's command
	Verify   spec.Checks   // of the whole project
	Unread   error         // why a file of its rules cannot be read, whose commands are then missing: nothing is asked or judged
	Landing  train.Settings
	SetupFor time.Duration // of one set-up command
	Copy     []string      // globs of ignored files
	Link     []string      // ignored paths
	SetupCmd []string
	Dir      string // folder of worktrees, absolute; "" = .chant/worktrees
	Ports    Ports
	Prompt   string            // text of the prompt, with its placeholders
	Given    map[string]string // values of placeholders, before those of the spec
	Project  string
	Pass     []string // names of further variables that agents get
	Sandbox  config.SandboxConfig
	Fetches  string // the remote that this process fetches while runs work, "" = none

	Required     []string // keys that every spec has
	AppendOutput bool     // a spec that completes gets what its agent has said at the end
	StrictOutput bool     // a run whose output does not match output_schema does not land
	ApproveWork  bool     // an agent's work lands only after a person has approved it
	Signed       bool     // work lands only with evidence that a trusted key has signed
}

// Announce reports progress in a step; kind is one of the kinds of journal.Event.
func (a *Attempt) Announce(step journal.Step, kind, format string, args ...any) {
	if a.Emit != nil {
		a.Emit(journal.Event{Time: a.Now(), ID: a.Job.ID, Step: step, Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
}

// UnderWay is the status to assume for a spec that was never started itself, such as a driver, or whose own status is
// not trusted.
func UnderWay() *spec.Status { s := spec.InProgress; return &s }

// Message is the message of a commit that the run makes on its own branch.
func (a *Attempt) Message(event, why string) string {
	m := message.Commit{ID: a.Job.ID, Event: event, Why: a.Secrets.Text(why), Attempt: a.Job.Attempt}
	if slices.Contains([]string{string(spec.Start), string(spec.Replay), message.Leftovers}, event) {
		m.More = a.AgentTrailers()
	}
	return m.String()
}

// AgentTrailers names the agent of the attempt in a commit, so that a later reader knows which agent made what follows.
func (a *Attempt) AgentTrailers() []message.Trailer {
	if a.Job.Provider == "" {
		return nil
	}
	name := a.Job.Provider
	if a.Job.Model != "" {
		name += ", " + a.Job.Model
	}
	return []message.Trailer{{Key: message.AgentTrailer, Value: name}}
}

// allSteps returns all steps in order. A run executes a part of it, or updates its branch from the target first and
// continues after the agent.
func allSteps() []journal.Step {
	return []journal.Step{journal.Branch, journal.Worktree, journal.Setup, journal.Prompt, journal.Agent, journal.Collect, journal.Verify, journal.Complete, journal.Land, journal.Clean}
}

// StepsBetween returns the steps from one to another, both included.
func StepsBetween(from, to journal.Step) []journal.Step {
	steps := allSteps()
	return steps[slices.Index(steps, from) : slices.Index(steps, to)+1]
}

// Precedes reports whether a step precedes another.
func Precedes(step, other journal.Step) bool {
	at := slices.Index(allSteps(), step)
	return at >= 0 && at < slices.Index(allSteps(), other)
}
