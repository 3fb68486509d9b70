package attempt

import (
	"fmt"
	"time"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/gitops"
	"chant/providers/secret"
)

// Attempt is one attempt at a spec: what is fixed when it begins, and what its steps have found.
type Attempt struct {
	Repo     *gitops.Repo
	Store    *store.Store
	Job      journal.Job
	Settings Settings
	Chant    string // absolute path of this program, "" when it is not known
	Environ  []string
	Secrets  *secret.Redactor // of Environ; nil: none are known
	Now      func() time.Time
	Emit     func(journal.Event)               // progress, may be nil
	OnStep   func(journal.Step, journal.State) // after each journal record, may be nil
	History  *journal.History                  // as it was before this attempt

	Accepted bool // a person has accepted what the run changed and may not
	Asked    bool // a person asks whether the work is done; nothing fails when it is not

	// What the steps find, for those after them and for the caller.
	Tree     string // the worktree, "" when there is none
	Agent    *journal.AgentReport
	Report   criteria.Report // what was found out last, empty before
	Commit   string          // the complete commit
	Landed   bool
	Catching bool     // this process has begun to merge or rebase in the worktree
	CaughtTo string   // the target's tip that this process has brought the branch up to
	Foreign  []string // what others did to the run
	Log      *store.Log

	journal []byte // as the last record of this process has left it
	parted  fork   // what base has found out last
	trusted reading
}

// NotesRef is where the evidence of a commit lies as a git note.
const NotesRef = "refs/notes/chant"

// PortBase is the variable that tells the agent, the set-up and the criteria of a
// run the first of the TCP ports that are theirs.
const PortBase = "CHANT_PORT_BASE"

// Ports says which TCP ports are handed out: Count to each run, from Start on.
type Ports struct {
	Start, Count int
}

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

// Announce reports progress of a step; kind is one of those of journal.Event.
func (a *Attempt) Announce(step journal.Step, kind, format string, args ...any) {
	if a.Emit != nil {
		a.Emit(journal.Event{Time: a.Now(), ID: a.Job.ID, Step: step, Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
}

// UnderWay is the status to start from for a spec that was never started itself,
// such as a driver, or whose own word cannot be believed.
func UnderWay() *spec.Status { s := spec.InProgress; return &s }

// Message is the text of a commit that the run makes on its side.
func (a *Attempt) Message(event, why string) string {
	return store.Message{ID: a.Job.ID, Event: event, Why: a.Secrets.Text(why), Attempt: a.Job.Attempt}.String()
}

// LogLine writes to the attempt's log; checks made outside an attempt have none.
func (a *Attempt) LogLine(text string) error {
	if a.Log == nil {
		return nil
	}
	return a.Log.Line(a.Secrets.Text(text))
}
