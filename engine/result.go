package engine

import "chant/engine/spec"

// StateResult is a spec's status after a change, and what was saved before it.
type StateResult struct {
	ID      string      `json:"id"`
	Status  spec.Status `json:"status"`
	Commit  string      `json:"commit,omitempty"`
	Rescued []string    `json:"rescued,omitempty"` // refs and folders with the work of the dropped run
	Edits   []string    `json:"edits,omitempty"`   // what became of edits of the spec on the dropped branch
}

// CarriedEdits says that the spec in home contains the edits that a person made on its branch.
const CarriedEdits = "your edits of the spec are kept"

// defaultLimit is how many entries a reply lists without a limit.
const defaultLimit = 100

// FirstOf returns the first entries of a list, at most limit; 0 means the default limit.
func FirstOf[T any](all []T, limit int) []T {
	if limit <= 0 {
		limit = defaultLimit
	}
	return all[:min(limit, len(all))]
}
