package journal

import "time"

// Event is a piece of progress for whoever watches.
type Event struct {
	Time time.Time `json:"time"`
	ID   string    `json:"id"`
	Step Step      `json:"step"`
	// Kind is begin, step, command, text, tool, result, output, stderr, usage, warning
	// or finished. Of a spec among many: started (Text is its agent), recovered when its
	// process had died before, then completed, failed, retry, elsewhere, paused or
	// settled; of a landed one drifted (Text names the files). Of all: waiting (Waits says
	// for what) where nothing runs.
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Waits *Waits `json:"waits,omitempty"`
}

// Waits is what everything waits for.
type Waits struct {
	For   string    `json:"for,omitempty"` // an agent and why it gets nothing; "" for the time of a retry alone
	Until time.Time `json:"until"`
	Ready int       `json:"ready"` // specs that could start but for that
}
