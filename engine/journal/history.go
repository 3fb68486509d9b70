package journal

import (
	"encoding/json"
	"slices"
	"time"

	"chant/engine/criteria"
	"chant/engine/next"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/providers"
)

// Attempt is what a journal records of one attempt.
type Attempt struct {
	Number   int
	Job      Job
	Taken    Job // as it was when a process took the attempt up last
	Opened   time.Time
	Steps    map[Step]State // the last state of each step
	Last     Step           // the last step that was begun
	CaughtTo string         // the target's tip that the branch was last replayed on or merged with
	CatchUp  Step           // Rebase or Resolve, from when it began until it failed or the work was completed or landed since
	Closed   bool
	Crashed  bool               // its process died, and another one has taken it up
	Gone     bool               // its branch and tree were removed since
	Process  *providers.Process // the agent, once it was started
	Before   *Before            // what stood around when the agent began
	Behind   []string           // what the criteria did behind the run's back
	Sessions []Session          // its agents
	Agent    *AgentReport       // once it ended
	Report   criteria.Report    // once verified
	Commit   string             // the complete commit
	Landing  string             // the merge commit, recorded before the target moves
	Reason   string             // why it failed
	Code     spec.ReasonCode    // the kind of that, "" when it did not fail
	Next     next.Step          // from there; none for the usual one
	Tip      string             // of the branch when it was closed, "" where that is not recorded
	Carried  []string           // commits that brought edits of home's copy to the branch since it was closed
}

// AgentBegan reports whether the agent may have touched the tree.
func (a *Attempt) AgentBegan() bool { _, ok := a.Steps[Agent]; return ok }

// AgentAtWork reports whether the newest attempt is at the step of an agent: its own,
// or that of resolving conflicts.
func (h *History) AgentAtWork() bool {
	last := h.Open()
	if last == nil {
		return false
	}
	at := last.Steps[Agent]
	return last.Last == Agent && (at == Begin || at == Note) || last.Last == Resolve && last.Steps[Resolve] == Begin && at == Note
}

// History is a spec's journal, read.
type History struct {
	Attempts []*Attempt
	Trusted  *Trusted  // nil before the first run
	Edits    []string  // commits on the branch by which a person has edited the spec
	Home     *HomeCopy // what later edits of home's copy are compared with, nil where none is recorded
}

// Trusted is where the criteria that count stand: as the start commit had them,
// or as a person has changed or accepted them since.
type Trusted struct {
	Commit string `json:"commit,omitempty"` // the spec's file in this commit
	// Text is the file itself: where git ignores .chant, and where a person has edited home's copy
	// since. Then it counts instead of the one in the commit.
	Text string `json:"text,omitempty"`
	// Approval is the one that chant or a person has put on the branch since, nil
	// while it is the one in that file.
	Approval *spec.Approval `json:"approval,omitempty"`
	OfTarget bool           `json:"of_target,omitempty"` // the commit is the target's: the branch came without its journal
	Vouched  bool           `json:"vouched,omitempty"`   // by a person
	Accepted bool           `json:"accepted,omitempty"`  // and with it all that the branch held, and what was done beside it
}

// Last is the newest attempt, nil when there is none.
func (h *History) Last() *Attempt {
	if len(h.Attempts) == 0 {
		return nil
	}
	return h.Attempts[len(h.Attempts)-1]
}

// Open is the attempt that has not been closed: it is running, or it was killed.
func (h *History) Open() *Attempt {
	if last := h.Last(); last != nil && !last.Closed {
		return last
	}
	return nil
}

// AgentBegan reports whether in any attempt an agent may have touched the tree.
func (h *History) AgentBegan() bool {
	for _, a := range h.Attempts {
		if !a.Gone && a.AgentBegan() {
			return true
		}
	}
	return false
}

// WorkComplete reports whether the last attempt has its complete commit: no agent has to
// work at the spec again.
func (h *History) WorkComplete() bool {
	last := h.Last()
	return last != nil && !last.Gone && last.Commit != ""
}

// ReadHistory reads the journal of a spec. No journal is an empty history; a line
// that chant did not write is skipped.
func ReadHistory(st *store.Store, id string) (*History, error) {
	lines, err := st.Records(id)
	if err != nil {
		return nil, err
	}
	h := &History{}
	for _, src := range lines {
		var rec Record
		if json.Unmarshal(src, &rec) == nil && rec.Step != "" {
			h.add(rec)
		}
	}
	return h, nil
}

func (h *History) add(rec Record) {
	last := h.Last()
	if rec.Home != nil {
		h.Home = rec.Home
	}
	switch {
	case rec.Step == Trust:
		h.Trusted = nil
		decode(rec.Data, &h.Trusted)
		h.vouched()
	case rec.Step == Edited && rec.State == Note:
		h.took(rec)
	case rec.Step == Edited:
		var commit string
		decode(rec.Data, &commit)
		h.Edits = append(h.Edits, commit)
	case rec.Step == Drop:
		h.Trusted, h.Edits, h.Home = nil, nil, nil
		for _, a := range h.Attempts {
			a.Gone, a.Closed = true, true
		}
	case rec.Step == Open && rec.State == Note && last != nil: // taken up again
		last.Crashed = last.Crashed || !last.Closed
		last.Closed, last.Reason, last.Code, last.Next, last.Taken = false, "", "", next.Step{}, Job{}
		decode(rec.Data, &last.Taken)
	case rec.Step == Open:
		if last != nil {
			last.Crashed = last.Crashed || !last.Closed
		}
		a := &Attempt{Number: rec.Attempt, Opened: rec.Time, Steps: map[Step]State{}}
		decode(rec.Data, &a.Job)
		a.Taken = a.Job
		h.Attempts = append(h.Attempts, a)
	case rec.Step == Heard && last == nil: // of a question: its journal has no attempts
		h.Attempts = append(h.Attempts, &Attempt{Opened: rec.Time, Steps: map[Step]State{}})
		h.Last().sessionOf(rec)
	case last != nil && !last.Closed: // else the beginning of the file is lost
		last.add(rec)
	}
}

// took takes in that the branch was given an edit of home's copy.
func (h *History) took(rec Record) {
	var t Taken
	if decode(rec.Data, &t); h.Trusted == nil || h.Last() == nil || t.Counts == "" {
		return
	}
	h.Trusted.Text = t.Counts
	if t.Commit != "" {
		h.Last().Carried = append(h.Last().Carried, t.Commit)
	}
}

// vouched takes in that a person has vouched for the criteria, or for all that a run did.
// While an agent is at work no person can: then the record is not a person's.
func (h *History) vouched() {
	t := h.Trusted
	if t == nil {
		return
	}
	if open := h.Open(); open != nil && open.AgentBegan() {
		t.Vouched, t.Accepted = false, false
	}
	for _, a := range h.Attempts {
		a.Crashed = a.Crashed && !t.Vouched
		if t.Accepted {
			a.Behind = nil
		}
		if t.Accepted && a.Agent != nil {
			a.Agent.Behind = nil
		}
	}
}

// add takes in what one record tells of its step.
func (a *Attempt) add(rec Record) {
	a.Steps[rec.Step] = rec.State
	if rec.State == Begin {
		a.Last = rec.Step
	}
	switch {
	case rec.Step == Close:
		a.Closed = true
		decode(rec.Data, &a.Tip)
	case rec.Step == Guard && rec.State == Failed:
		decode(rec.Data, &a.Behind)
	case rec.Step == Guard:
		decode(rec.Data, &a.Before)
	case rec.Step == Heard:
		a.sessionOf(rec)
	case rec.Step == Agent && rec.State == Note:
		decode(rec.Data, &a.Process)
	case rec.Step == Agent && rec.State == Done:
		decode(rec.Data, &a.Agent)
	case rec.Step == Verify && rec.State == Done:
		decode(rec.Data, &a.Report)
	case rec.Step == Complete && rec.State == Done:
		decode(rec.Data, &a.Commit)
	case rec.Step == Land && rec.State == Note:
		decode(rec.Data, &a.Landing)
	case (rec.Step == Rebase || rec.Step == Resolve) && rec.State == Done:
		decode(rec.Data, &a.CaughtTo)
	case rec.State == Failed:
		a.Reason, a.Next = "", rec.Next
		decode(rec.Data, &a.Reason)
		if a.Code = rec.Code; a.Code == "" {
			a.Code = kindOfWording(a.Reason)
		}
	}
	a.followCatchUp(rec)
}

// decode reads a record's data. Data of another shape tells nothing, like a line
// that is no record.
func decode(data json.RawMessage, v any) {
	if err := json.Unmarshal(data, v); err != nil {
		return
	}
}

// HalfDone reports whether a process was killed at a step, or while it took that back.
func (a *Attempt) HalfDone(step Step) bool {
	at := a.Steps[step]
	return at == Begin || at == Failed && a.Steps[Settle] == Begin
}

// CompleteCommit is the newest complete commit of the branch that stands, "" when chant has
// made none in this repository.
func (h *History) CompleteCommit() string {
	for _, a := range slices.Backward(h.Attempts) {
		if !a.Gone && a.Commit != "" {
			return a.Commit
		}
	}
	return ""
}

// Crashed reports whether a process died while it had the run, since its criteria were
// last vouched for.
func (h *History) Crashed() bool {
	if open := h.Open(); open != nil && open.AgentBegan() {
		return true
	}
	return slices.ContainsFunc(h.Attempts, func(a *Attempt) bool { return a.Crashed && !a.Gone && a.AgentBegan() })
}
