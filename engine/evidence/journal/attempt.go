package journal

import (
	"encoding/json"
	"slices"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/providers"
)

// Attempt is what a journal records of one attempt.
type Attempt struct {
	Number    int
	Job       Job
	Taken     Job // as it was when a process last took over the attempt
	Opened    time.Time
	Steps     map[Step]State // the last state of each step
	Last      Step           // the last step that began
	CaughtTo  string         // the target's tip on which the branch was last replayed, or with which it was last merged
	CatchUp   Step           // Rebase or Resolve, until a step failed or the work was completed or landed
	Closed    bool
	Crashed   bool               // its process died, and another process took the attempt over
	Gone      bool               // its branch and worktree were removed since
	Process   *providers.Process // the agent, once it was started
	Before    *Before            // the surroundings of the run when the agent began
	Behind    []string           // what was changed outside the run and no report of an agent has
	Around    []string           // those of Behind that count only while they are there
	Sessions  []Session          // its agents
	Agent     *AgentReport       // once the agent ended
	Report    criteria.Report    // once verified
	Collected string             // the tip of the branch when the work was collected
	Commit    string             // the complete commit
	Landing   string             // the merge commit, recorded before the target moves
	Reason    string             // why it failed
	Code      spec.ReasonCode    // the kind of the failure, "" without one
	Next      next.Step          // the step after the failure; none for the usual step
	Tip       string             // of the branch when the attempt was closed, "" if not recorded
	Carried   []string           // commits that brought edits of home's copy to the branch since the attempt was closed
}

// BaseMark ends the names of what belongs to the check of a run's criteria where its work began: its tree, its lock, and the
// mark of its processes. No id of a spec contains it.
const BaseMark = "+base"

// Job is what is fixed when an attempt opens. It is recorded in the journal.
type Job struct {
	ID            string `json:"id"`
	Title         string `json:"title"`
	Attempt       int    `json:"attempt"`
	Branch        string `json:"branch"`
	Target        string `json:"target"`
	Onto          string `json:"onto,omitempty"` // the target that the start commit names
	Base          string `json:"base,omitempty"` // the target's tip when the branch was made
	Provider      string `json:"provider,omitempty"`
	Model         string `json:"model,omitempty"`
	RunID         string `json:"run_id"`
	Session       string `json:"session,omitempty"` // of the agent that continues
	SkipApproval  bool   `json:"skip_approval,omitempty"`
	SkipDeps      bool   `json:"skip_deps,omitempty"`
	NoMerge       bool   `json:"no_merge,omitempty"`       // the run ends once the spec is completed on its branch
	KeepTree      bool   `json:"keep_worktree,omitempty"`  // worktree and branch stay after landing
	Prompt        string `json:"prompt,omitempty"`         // requested instead of the spec's or the project's
	PromptOptions string `json:"prompt_options,omitempty"` // JSON, of a command that is the prompt
	Timeout       string `json:"timeout,omitempty"`        // likewise
	Replay        bool   `json:"replay,omitempty"`         // the spec was completed before, and its work begins again
	Silent        bool   `json:"silent,omitempty"`         // git ignores .chant: the state is only in home's file
	Tests         string `json:"tests,omitempty"`          // the commit with the failing tests of another spec, with which the branch begins
}

// Before describes the surroundings of a run when its agent began, as far as its branch cannot show them. It is
// recorded in the journal.
type Before struct {
	Tip      string            `json:"tip"`      // of the branch
	Programs map[string]string `json:"programs"` // what git runs by itself, and the key that signs
	Tools    map[string]string `json:"tools"`    // what the commands of criteria run: its path and content
	Home     map[string]string `json:"home"`     // uncommitted files of home's .chant that require less, and the settings
	Lent     map[string]string `json:"lent"`     // uncommitted files from `worktree` settings; nil = not recorded
	Above    map[string]string `json:"above"`    // what tools find above the worktrees of checks; nil = not recorded

	// These are nil if an older version has recorded the surroundings.
	Kept  map[string]string `json:"kept,omitempty"`  // what else must stay as it is: further settings of git, and of tools
	Seen  map[string]string `json:"seen,omitempty"`  // what is reported if it changes
	Edits map[string]string `json:"edits,omitempty"` // uncommitted prompts, providers, templates and schemas in home
	Refs  map[string]string `json:"refs,omitempty"`  // where refs point; folders with many have a digest
	Heads map[string]string `json:"heads,omitempty"` // HEAD of each worktree
	Modes map[string]string `json:"modes,omitempty"` // content and permissions of hooks

	// Reach is where the agent and the criteria can write; nil without a sandbox. What lies elsewhere is in Seen.
	Reach []string `json:"reach,omitempty"`
}

// AgentBegan reports whether the agent may have touched the tree.
func (a *Attempt) AgentBegan() bool { _, ok := a.Steps[Agent]; return ok }

// IsHalfDone reports whether a process was killed at a step, or while it undid the step.
func (a *Attempt) IsHalfDone(step Step) bool {
	at := a.Steps[step]
	// A step that failed counts, too, while its changes are being undone.
	return at == Begin || at == Failed && a.Steps[Settle] == Begin
}

// IsCaughtUp reports whether the branch is up to date and only the steps after the agent remain.
func (a *Attempt) IsCaughtUp() bool {
	return a.CatchUp != "" && a.Steps[a.CatchUp] == Done && slices.Contains([]Step{Collect, Verify, Complete}, a.Last)
}

// add applies one record of the attempt.
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
		// Older versions have recorded a list.
		if a.Behind, a.Around = nil, nil; !decodes(rec.Data, &a.Behind) {
			var found Found
			decode(rec.Data, &found)
			a.Behind, a.Around = found.Behind, found.Around
		}
	case rec.Step == Guard:
		decode(rec.Data, &a.Before)
	case rec.Step == Heard:
		a.addSession(rec)
	case rec.Step == Agent && rec.State == Note:
		decode(rec.Data, &a.Process)
	case rec.Step == Agent && rec.State == Done:
		decode(rec.Data, &a.Agent)
	case rec.Step == Collect && rec.State == Done:
		// A later round may record nothing, and then the earlier tip must not count.
		a.Collected = ""
		decode(rec.Data, &a.Collected)
	case rec.Step == Verify && rec.State == Done:
		decode(rec.Data, &a.Report)
	case rec.Step == Complete && rec.State == Done:
		decode(rec.Data, &a.Commit)
	case rec.Step == Land && rec.State == Note:
		decode(rec.Data, &a.Landing)
	case (rec.Step == Rebase || rec.Step == Resolve) && rec.State == Done:
		decode(rec.Data, &a.CaughtTo)
	case rec.State == Failed:
		// Decoding leaves them as they were if the record has none.
		a.Reason, a.Next = "", rec.Next
		decode(rec.Data, &a.Reason)
		// Older records have no codes.
		if a.Code = rec.Code; a.Code == "" {
			a.Code = kindOfWording(a.Reason)
		}
	}
	a.trackCatchUp(rec)
}

// trackCatchUp keeps track of a step that brings the branch up to date.
func (a *Attempt) trackCatchUp(rec Record) {
	switch {
	case rec.State == Begin && (rec.Step == Rebase || rec.Step == Resolve):
		a.CatchUp = rec.Step
	case rec.State == Failed, rec.Step == Complete && rec.State == Done, rec.Step == Land && rec.State == Begin:
		a.CatchUp = ""
	}
}

// decode decodes the data of a record. Data of another form is ignored, like a line that is not a record.
func decode(data json.RawMessage, v any) { decodes(data, v) }

// decodes is decode, and reports whether the data has that form.
func decodes(data json.RawMessage, v any) bool { return json.Unmarshal(data, v) == nil }

// Found is what was changed outside a run. Older versions have recorded Behind alone, as a list.
type Found struct {
	Behind []string `json:"behind"`
	Around []string `json:"around,omitempty"` // those of Behind that count only while they are there
}
