package fakemodel

// Call is one use of a tool, under the name by which the agent offers it.
type Call struct {
	Name  string
	Input map[string]any // nil is an empty object
}

// Turn is one answer of the model. One without calls ends the conversation.
type Turn struct {
	Text  string // said before the calls, may be empty
	Calls []Call
}

// Script gives all turns of the conversation that a request belongs to. It must
// answer alike for every request of that conversation, and is called from
// several goroutines.
type Script func(Request) []Turn

// The texts that no script provides.
const (
	aside   = "A short answer." // to a request that offers no tools
	closing = "Done."           // after the results of the last turn's calls
)

// nextTurn finds the turn that answers a request with this many tool results, and
// its index: the first turn whose calls are not all answered yet.
func nextTurn(turns []Turn, results int) (Turn, int) {
	for i, t := range turns {
		if len(t.Calls) == 0 || results < len(t.Calls) {
			return t, i
		}
		results -= len(t.Calls)
	}
	return Turn{Text: closing}, len(turns)
}
