package engine

import (
	"strconv"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

// StateResult is a spec's status after a change, and what was saved before it.
type StateResult struct {
	ID      string      `json:"id"`
	Status  spec.Status `json:"status"`
	Commit  string      `json:"commit,omitempty"`
	Rescued []string    `json:"rescued,omitempty"` // refs and folders with the work of the dropped run
	Edits   []string    `json:"edits,omitempty"`   // what became of edits of the spec on the dropped branch
	Next    next.Advice `json:"next,omitzero"`     // for the spec as it is now
}

// CarriedEdits says that the spec in home contains the edits that a person made on its branch.
const CarriedEdits = "your edits of the spec are kept"

// Page says which part of a list a result has.
type Page struct {
	Total      int    `json:"total"`                 // matching entries, before the limit
	Returned   int    `json:"returned"`              // entries in this result
	NextCursor string `json:"next_cursor,omitempty"` // continues the list; "" at its end
}

// Whole is the page of a list with all of its entries.
func Whole(entries int) Page { return Page{Total: entries, Returned: entries} }

// Cursor is where a list continues: NextCursor of the result before, "" for its beginning.
type Cursor string

// Start returns how many entries come before the cursor. Error: Usage for a text that no list has returned.
func (c Cursor) Start(step next.Step) (int, error) {
	if c == "" {
		return 0, nil
	}
	at, err := strconv.Atoi(string(c))
	if err != nil || at < 0 {
		return 0, Fail(Usage, step, "invalid cursor %q (use next_cursor of the result before)", spec.Echo(string(c)))
	}
	return at, nil
}

// Cut returns the entries of a list from a start on, at most limit, 0 for all.
func Cut[T any](all []T, start, limit int) ([]T, Page) {
	rest := all[min(start, len(all)):]
	shown := rest
	if limit > 0 {
		shown = rest[:min(limit, len(rest))]
	}
	return shown, PageAt(start, len(shown), len(all))
}

// PageAt is the page of entries from a start on, of a list with so many in total.
func PageAt(start, returned, total int) Page {
	p := Page{Total: total, Returned: returned}
	if end := start + returned; end < total && returned > 0 {
		p.NextCursor = strconv.Itoa(end)
	}
	return p
}

// defaultLimit is how many entries a reply lists without a limit.
const defaultLimit = 100

// LimitOf is the limit of a reply that was asked for, or the default.
func LimitOf(asked int) int {
	if asked <= 0 {
		return defaultLimit
	}
	return asked
}

// FirstOf returns the first entries of a list, at most limit; 0 means the default limit.
func FirstOf[T any](all []T, limit int) []T {
	return all[:min(LimitOf(limit), len(all))]
}
