package journal

import (
	"encoding/json"
	"slices"

	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// History is the content of a spec's journal.
type History struct {
	Attempts []*Attempt
	Trusted  *Trusted  // nil before the first run
	Edits    []string  // commits on the branch in which a person edited the spec
	Home     *HomeCopy // what later edits of home's copy are compared with, nil if not recorded
	Sealed   bool      // every record is sealed: no agent can have written one
	Lost     *Lost     // what the last drop took away, nil if there was none, or another run has begun since
	Restored *Restored // the last time a drop was taken back, nil if there was none since the last drop, or another run began
}

// Trusted says where the valid criteria are: as in the start commit, or as a person has changed or accepted them since.
type Trusted struct {
	Commit string `json:"commit,omitempty"` // the spec's file in this commit
	// Text is the file itself: if git ignores .chant, or a person has edited home's copy since. It replaces the file in
	// the commit.
	Text string `json:"text,omitempty"`
	// Approval is the one that chant or a person has put on the branch since, nil
	// while it is the one in that file.
	Approval *spec.Approval `json:"approval,omitempty"`
	OfTarget bool           `json:"of_target,omitempty"` // the commit is the target's: the branch came without its journal
	Vouched  bool           `json:"vouched,omitempty"`   // by a person
	Accepted bool           `json:"accepted,omitempty"`  // and with the criteria everything on the branch and beside it
}

// HomeCopy is home's copy of a run's spec at a time when no agent was running. If the copy differs when the next
// attempt begins, a person has edited it.
type HomeCopy struct {
	Branch string `json:"branch"` // that home had checked out, "" for none
	Text   string `json:"text"`
}

// Taken records that an edit of home's copy was committed to the branch.
type Taken struct {
	Commit string `json:"commit"`
	Counts string `json:"counts"` // the text whose criteria are valid from then on
}

// ReadHistory reads the journal of a spec, to show it or to advise. No journal is an empty history; a line that chant did
// not write is skipped.
func ReadHistory(st interface {
	Records(id string) ([][]byte, error)
}, id string) (*History, error) {
	lines, err := st.Records(id)
	if err != nil {
		return nil, err
	}
	return historyOf(lines), nil
}

// ReadSealed is ReadHistory for decisions about a run: if this machine has a key, only records count that are sealed.
func ReadSealed(st *store.Store, id string) (*History, error) {
	secret, err := SecretOf(st)
	if err != nil {
		return nil, err
	}
	lines, err := st.Records(id)
	if err != nil {
		return nil, err
	}
	// An agent can write to the journal, but cannot seal a record.
	if secret != nil {
		lines = SealedLines(secret, id, lines)
	}
	h := historyOf(lines)
	h.Sealed = secret != nil
	return h, nil
}

// Read reads the records of a journal, as ReadHistory does.
func Read(lines [][]byte) *History { return historyOf(lines) }

func historyOf(lines [][]byte) *History {
	h := &History{}
	for _, src := range lines {
		var rec Record
		// A line can have been cut short by a crash.
		if json.Unmarshal(src, &rec) == nil && rec.Step != "" {
			h.add(rec)
		}
	}
	return h
}

// Last is the newest attempt, nil when there is none.
func (h *History) Last() *Attempt {
	if len(h.Attempts) == 0 {
		return nil
	}
	return h.Attempts[len(h.Attempts)-1]
}

// Open is the attempt that is not closed: it is running, or it was killed.
func (h *History) Open() *Attempt {
	if last := h.Last(); last != nil && !last.Closed {
		return last
	}
	return nil
}

// AgentAtWork reports whether the newest attempt is at a step of an agent: the spec's own agent, or one that resolves
// conflicts.
func (h *History) AgentAtWork() bool {
	last := h.Open()
	if last == nil {
		return false
	}
	at := last.Steps[Agent]
	// While conflicts are resolved, Note says that the agent was started.
	return last.Last == Agent && (at == Begin || at == Note) || last.Last == Resolve && last.Steps[Resolve] == Begin && at == Note
}

// AgentBegan reports whether in any attempt an agent may have changed the worktree.
func (h *History) AgentBegan() bool {
	for _, a := range h.Attempts {
		// What an agent did on a branch that was removed does not matter any more.
		if !a.Gone && a.AgentBegan() {
			return true
		}
	}
	return false
}

// WorkComplete reports whether the last attempt has its complete commit, so that no agent
// needs to work on the spec again.
func (h *History) WorkComplete() bool {
	last := h.Last()
	return last != nil && !last.Gone && last.Commit != ""
}

// CompleteCommit is the newest complete commit of the branch that still exists, "" if chant made none in this
// repository.
func (h *History) CompleteCommit() string {
	for _, a := range slices.Backward(h.Attempts) {
		if !a.Gone && a.Commit != "" {
			return a.Commit
		}
	}
	return ""
}

// HasCrashed reports whether a process of the run died since a person last vouched for the criteria.
func (h *History) HasCrashed() bool {
	// An open attempt is one whose process died, unless it runs now.
	if open := h.Open(); open != nil && open.AgentBegan() {
		return true
	}
	return slices.ContainsFunc(h.Attempts, func(a *Attempt) bool { return a.Crashed && !a.Gone && a.AgentBegan() })
}

// InterruptedStep is the step, Rebase or Resolve, at which a process died while it brought the branch of completed work up to
// date, even if its changes were undone; "" for none. The step must be repeated when a person asks for it.
func (h *History) InterruptedStep() Step {
	last := h.Last()
	// Up to date, only the steps after it remain, which any run repeats.
	if last == nil || last.Gone || last.CatchUp == "" || last.IsCaughtUp() {
		return ""
	}
	return last.CatchUp
}

// add applies one record.
func (h *History) add(rec Record) {
	last := h.Last()
	if rec.Home != nil {
		h.Home = rec.Home
	}
	switch {
	// Reset first, since decoding would keep what the new record does not have.
	case rec.Step == Trust:
		h.Trusted = nil
		decode(rec.Data, &h.Trusted)
		h.applyTrust()
	case rec.Step == Edited && rec.State == Note:
		h.applyEdit(rec)
	case rec.Step == Edited:
		var commit string
		decode(rec.Data, &commit)
		h.Edits = append(h.Edits, commit)
	case rec.Step == Guard && rec.State == Note:
		h.lift(rec)
	case rec.Step == Drop:
		h.drop(rec)
	case rec.Step == Restore:
		h.restore(rec)
	// A process takes the attempt over.
	case rec.Step == Open && rec.State == Note && last != nil:
		last.Crashed = last.Crashed || !last.Closed
		// Not with the failure of before, which the process tries to get past.
		last.Closed, last.Reason, last.Code, last.Next, last.Taken = false, "", "", next.Step{}, Job{}
		decode(rec.Data, &last.Taken)
	case rec.Step == Open:
		// Another attempt began, although this one was never closed.
		if last != nil {
			last.Crashed = last.Crashed || !last.Closed
		}
		h.Lost, h.Restored = nil, nil
		a := &Attempt{Number: rec.Attempt, Opened: rec.Time, Steps: map[Step]State{}}
		decode(rec.Data, &a.Job)
		a.Taken = a.Job
		h.Attempts = append(h.Attempts, a)
	// The journal of questions has no attempts.
	case rec.Step == Heard && last == nil:
		h.Attempts = append(h.Attempts, &Attempt{Opened: rec.Time, Steps: map[Step]State{}})
		h.Last().addSession(rec)
	// Otherwise the beginning of the file is lost.
	case last != nil && !last.Closed:
		last.add(rec)
	}
}

// applyEdit records that an edit of home's copy was committed to the branch.
func (h *History) applyEdit(rec Record) {
	var t Taken
	// An edit is only recorded of a spec that has run.
	if decode(rec.Data, &t); h.Trusted == nil || h.Last() == nil || t.Counts == "" {
		return
	}
	h.Trusted.Text = t.Counts
	if t.Commit != "" {
		h.Last().Carried = append(h.Last().Carried, t.Commit)
	}
}

// lift takes from all attempts the charges that were found to be no longer true before an agent began. Once one
// was started nothing is lifted, so such a record is not chant's.
func (h *History) lift(rec Record) {
	if open := h.Open(); open != nil && open.Process != nil {
		return
	}
	var charges []string
	decode(rec.Data, &charges)
	h.Lift(charges)
}

// Lift takes charges from all attempts.
func (h *History) Lift(charges []string) {
	lifted := func(what string) bool { return slices.Contains(charges, what) }
	for _, a := range h.Attempts {
		a.Behind = slices.DeleteFunc(a.Behind, lifted)
		if a.Agent != nil {
			a.Agent.Behind = slices.DeleteFunc(a.Agent.Behind, lifted)
		}
	}
}

// applyTrust updates the attempts after a person has vouched for the criteria, or for everything that a run did. While
// an agent is running no person can do that, so such a record is not a person's.
func (h *History) applyTrust() {
	t := h.Trusted
	if t == nil {
		return
	}
	// Only a person can vouch, and not while an agent can write the record.
	if open := h.Open(); open != nil && open.AgentBegan() {
		t.Vouched, t.Accepted = false, false
	}
	for _, a := range h.Attempts {
		// A person who vouches has seen what a killed process left.
		a.Crashed = a.Crashed && !t.Vouched
		if t.Accepted {
			a.Behind = nil
		}
		if t.Accepted && a.Agent != nil {
			a.Agent.Behind = nil
		}
	}
}
