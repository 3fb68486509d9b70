package fleet

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Format is that of the queue, its claims and the records of its machines, raised by a change that an older chant would misread.
const Format = 1

// Node is a machine, or a clone on it, that offers slots.
type Node struct {
	Name      string   `json:"name"` // unique in a fleet
	Host      string   `json:"host"`
	Folder    string   `json:"folder,omitempty"` // of its clone, on the host
	Slots     int      `json:"slots"`
	Labels    []string `json:"labels,omitempty"`
	Providers []string `json:"providers,omitempty"` // that it can start

	Running  []string  `json:"running,omitempty"` // ids of specs
	Landing  bool      `json:"landing,omitempty"` // it holds the lease of the leader
	Trouble  string    `json:"trouble,omitempty"` // why nothing lands, or nothing is offered, although it leads
	Draining bool      `json:"draining,omitempty"`
	Cordoned bool      `json:"cordoned,omitempty"` // takes nothing until it is told to
	Version  string    `json:"version,omitempty"`  // of chant
	Format   int       `json:"format,omitempty"`   // 0 is 1
	Since    time.Time `json:"since,omitzero"`     // by the node's clock
}

// Needs is what a spec demands of a node.
type Needs struct {
	Provider string   `json:"provider,omitempty"` // "" = any
	Labels   []string `json:"labels,omitempty"`   // runs_on of the spec
}

// CanWork reports whether a node has the provider and all the labels that a spec needs.
func (n Node) CanWork(needs Needs) bool {
	if needs.Provider != "" && !slices.Contains(n.Providers, needs.Provider) {
		return false
	}
	for _, l := range needs.Labels {
		if !slices.Contains(n.Labels, l) {
			return false
		}
	}
	return true
}

// Token returns a text that may be part of a subject, a file name or a ref: everything but letters, digits and "-" is
// written as "_" and its code in hexadecimal. Different texts have different tokens.
func Token(text string) string {
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, c := range []byte(text) {
		if c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('_')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

// FromToken returns the text of a token; false if it is the token of no text.
func FromToken(token string) (text string, ok bool) {
	out := make([]byte, 0, len(token))
	for i := 0; i < len(token); i++ {
		if token[i] != '_' {
			out = append(out, token[i])
			continue
		}
		if i+2 >= len(token) {
			return "", false
		}
		code, err := strconv.ParseUint(token[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		out = append(out, byte(code))
		i += 2
	}
	return string(out), Token(string(out)) == token
}

// SpanName says which part of the work on a spec a span is.
type SpanName string

// The parts of the work on a spec. The steps of a run have the names of the journal.
const (
	Whole   SpanName = "run"     // on a worker, from the claim to the last push
	Take    SpanName = "take"    // the push of the claim
	Push    SpanName = "push"    // the last push of the branch, with the claim
	Land    SpanName = "land"    // by the leader: the checks, the merge and its push
	Propose SpanName = "propose" // by the leader: opening a pull request
)

// The statuses of spans that no spec can have.
const (
	WasLost     = "lost"     // another worker has taken the spec over
	WasReturned = "returned" // it is tried again
	WasLanded   = "landed"
	WasMerged   = "merged" // by people, who took the time that they needed
	WasRefused  = "refused"
)

// Span is a part of the work on a spec that is over. The spans with the same spec and lease are one trace, on whichever
// machines they were.
type Span struct {
	Spec    string
	Lease   string
	Node    string
	Attempt int
	Name    SpanName
	Begin   time.Time
	End     time.Time
	Status  string // how it ended, "" = well
}
