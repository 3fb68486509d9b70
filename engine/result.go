package engine

import "chant/engine/spec"

// StateResult is a spec's status after a change, and what was put away for it.
type StateResult struct {
	ID      string      `json:"id"`
	Status  spec.Status `json:"status"`
	Commit  string      `json:"commit,omitempty"`
	Rescued []string    `json:"rescued,omitempty"` // refs and folders that keep the dropped run's work
	Edits   []string    `json:"edits,omitempty"`   // what became of edits of the spec on the dropped branch
}

// CarriedEdits says that a spec in home has what a person had edited on its branch.
const CarriedEdits = "your edits of the spec are kept"
