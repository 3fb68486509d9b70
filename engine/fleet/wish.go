package fleet

import "time"

// Wish is what a node asks for about a shared value.
type Wish struct {
	Key  string `json:"key"`            // of the value: its kind, a dot and a name
	Spec string `json:"spec,omitempty"` // that the node has taken and for which it asks, "" = none
	Text []byte `json:"text"`
}

// Asked is a wish as a rule gets it. What it says about the node, the time and the value can be believed.
type Asked struct {
	Wish
	Name string // of the value, after its kind
	Node string
	Now  time.Time // by the server
	Old  []byte    // the value, nil if there is none
}

// Rule decides what a wish makes of a shared value of a kind, nil if nothing, and what the node gets as an answer. It may be
// called again with a newer value, and for the same wish twice. Error: the value stays as it is.
type Rule func(Asked) (value, answer []byte, err error)
