package journal

// Job is what is fixed when an attempt opens. It stands in the journal.
type Job struct {
	ID           string `json:"id"`
	Title        string `json:"title"`
	Attempt      int    `json:"attempt"`
	Branch       string `json:"branch"`
	Target       string `json:"target"`
	Onto         string `json:"onto,omitempty"` // noted in the start commit as the target
	Base         string `json:"base,omitempty"` // the target's tip when the branch was made
	Provider     string `json:"provider,omitempty"`
	Model        string `json:"model,omitempty"`
	RunID        string `json:"run_id"`
	Session      string `json:"session,omitempty"` // of the agent that is continued
	SkipApproval bool   `json:"skip_approval,omitempty"`
	SkipDeps     bool   `json:"skip_deps,omitempty"`
	NoMerge      bool   `json:"no_merge,omitempty"`      // it ends once the spec is completed on its branch
	KeepTree     bool   `json:"keep_worktree,omitempty"` // worktree and branch stay in place after landing
	Prompt       string `json:"prompt,omitempty"`        // asked for instead of the spec's or the project's
	Timeout      string `json:"timeout,omitempty"`       // the same
	Replay       bool   `json:"replay,omitempty"`        // the spec was done before, its work begins again
	Silent       bool   `json:"silent,omitempty"`        // git ignores .chant: state is in home's file alone
}
