package journal

import "time"

// Event is a piece of progress, for terminals and logs.
type Event struct {
	Time time.Time `json:"time"`
	ID   string    `json:"id"`
	Step Step      `json:"step"`
	// Kind is begin, step, command, text, tool, result, output, stderr, usage, warning or finished. It is question if an
	// agent asks a person, then answered or withdrawn.
	// For a spec among many it is started (Text is its agent) or recovered (its process had died), then
	// completed, failed, retry, elsewhere, paused or settled; for a landed spec drifted (Text names the
	// files). It is waiting if nothing runs (Waits says why), and idle if a watch has nothing to do (Idle says until when).
	Kind string `json:"kind"`
	Text string `json:"text"`
	// Question is the number of the question that is asked, answered or withdrawn.
	Question int `json:"question,omitempty"`
	// Done of Total are the files or steps that an operation has finished; Total is 0 where it does not count.
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`
	Waits *Waits `json:"waits,omitempty"`
	// Title and Queue are those of a spec among many that has started or ended: its title, and what is still to start.
	Title string `json:"title,omitempty"`
	Queue *Queue `json:"queue,omitempty"`
	Idle  *Idle  `json:"idle,omitempty"`
}

// Queue is what could start as soon as another run ends.
type Queue struct {
	Ready int    `json:"ready"`
	Next  string `json:"next,omitempty"` // the id of the first one, "" if there is none
	Title string `json:"title,omitempty"`
}

// Idle is a time with nothing to do.
type Idle struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until,omitzero"` // when the watch ends unless something changes; zero: never
}

// Waits says what all specs wait for.
type Waits struct {
	For   string    `json:"for,omitempty"` // an agent and why it gets no spec; "" if only for the time of a retry
	Until time.Time `json:"until"`
	Ready int       `json:"ready"` // specs that could otherwise start
}
