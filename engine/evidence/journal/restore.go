package journal

import "time"

// Dropped says why and from where the branch of a run was removed.
type Dropped struct {
	Why  string   `json:"why,omitempty"`  // the event, such as reset; "" in older journals
	Tip  string   `json:"tip,omitempty"`  // of the branch, "" if it had gone before
	Kept []string `json:"kept,omitempty"` // refs and folders that keep what was removed
	Head string   `json:"head,omitempty"` // what home had checked out then: commits behind it came before
	Back bool     `json:"back,omitempty"` // the last Restored came to nothing: all is as it was before that
}

// Restored says how a person has taken a drop back.
type Restored struct {
	Tip     string `json:"tip"`              // of the branch that was made again
	Undoes  string `json:"undoes,omitempty"` // the landing that was taken back, "" for none
	Landing string `json:"by,omitempty"`     // the commit on the target that took it back

	Lost *Lost `json:"-"` // that it has taken back
}

// Lost is what a drop has taken away, as it was before.
type Lost struct {
	Dropped
	At time.Time

	trusted *Trusted
	edits   []string
	home    *HomeCopy
	states  []attemptState
}

type attemptState struct{ gone, closed bool }

// drop records that branch and worktree were removed.
func (h *History) drop(rec Record) {
	lost := &Lost{At: rec.Time, trusted: h.Trusted, edits: h.Edits, home: h.Home}
	decode(rec.Data, &lost.Dropped)
	for _, a := range h.Attempts {
		// Stored before they change, so that the drop can be taken back.
		lost.states = append(lost.states, attemptState{a.Gone, a.Closed})
		a.Gone, a.Closed = true, true
	}
	// The drop was taken back and that came to nothing, so what was lost is as before.
	if lost.Back && h.Restored != nil {
		lost = h.Restored.Lost
	}
	h.Trusted, h.Edits, h.Home, h.Lost, h.Restored = nil, nil, nil, lost, nil
}

// restore takes the last drop back. Without one the record means nothing.
func (h *History) restore(rec Record) {
	// An agent can write such a record by itself.
	if h.Lost == nil {
		return
	}
	h.Trusted, h.Edits, h.Home = h.Lost.trusted, h.Lost.edits, h.Lost.home
	for i, was := range h.Lost.states {
		h.Attempts[i].Gone, h.Attempts[i].Closed = was.gone, was.closed
	}
	restored := Restored{}
	decode(rec.Data, &restored)
	restored.Lost = h.Lost
	h.Restored, h.Lost = &restored, nil
}
