package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chant/gitops"
)

// ClaimRefs is where the claims are in the remote and in each clone.
const ClaimRefs = "refs/chant/claims/"

// ClaimRef returns the ref of the claim on a spec.
func ClaimRef(id string) string { return ClaimRefs + id }

// ClaimState is how far the work of a claim is.
type ClaimState string

// The states of a claim.
const (
	Working   ClaimState = "working"
	Completed ClaimState = "completed" // on its branch; it waits for its landing
	Proposed  ClaimState = "proposed"  // a pull request is open for its branch
	Ended     ClaimState = "ended"     // without being completed: failed, paused or in need of attention
	Returned  ClaimState = "returned"  // the worker gave it back; another one may continue on the branch
)

// Claim says who works on a spec. It is the content of a blob to which the claim's ref points.
type Claim struct {
	ID      string     `json:"id"`
	Worker  string     `json:"worker"` // the name of a node
	Lease   string     `json:"lease"`  // a random text of each take, so that no two claims are the same
	Attempt int        `json:"attempt"`
	Count   int        `json:"count"` // of the pushes with this lease: each changes the claim
	State   ClaimState `json:"state"`
	Base    string     `json:"base"`          // the commit of the target from which the work started
	Tip     string     `json:"tip,omitempty"` // of the branch when the claim was pushed
	Step    string     `json:"step,omitempty"`
	Status  string     `json:"status,omitempty"` // of the spec on its branch
	Reason  string     `json:"reason,omitempty"`
	// Proposal is the address of the pull request for the branch.
	Proposal string `json:"proposal,omitempty"`
	// Evidence is the note of the commit at Tip, as the worker has written it and maybe signed it.
	Evidence string `json:"evidence,omitempty"`
	// Questions of its agents wait for a person, or for an agent that receives their answers.
	Questions []Question `json:"questions,omitempty"`
	// Signature of SignedText with the key of the worker, "" for a key that is not known and for changes by others.
	Signature string `json:"signature,omitempty"`
}

// maxClaim limits the size of a claim, in bytes.
const maxClaim = 1 << 20

// ParseClaim reads the content of a claim on a spec.
func ParseClaim(id string, content []byte) (Claim, error) {
	var c Claim
	if len(content) > maxClaim {
		return c, fmt.Errorf("the claim on %q has %d bytes, more than %d", id, len(content), maxClaim)
	}
	if err := json.Unmarshal(content, &c); err != nil {
		return c, fmt.Errorf("the claim on %q is not JSON: %w", id, err)
	}
	// Any machine can push a blob of another claim under this ref.
	if c.ID != id || c.Worker == "" || c.Lease == "" {
		return c, fmt.Errorf("the claim on %q names spec %q, worker %q and lease %q", id, c.ID, c.Worker, c.Lease)
	}
	switch c.State {
	case Working, Completed, Proposed, Ended, Returned:
		return c, nil
	}
	return c, fmt.Errorf("the claim on %q has the unknown state %q", id, c.State)
}

// Bytes returns the content of a claim.
func (c Claim) Bytes() ([]byte, error) {
	text, err := json.MarshalIndent(c, "", "  ")
	return append(text, '\n'), err
}

// SignedText returns what the signature of a claim is for.
func (c Claim) SignedText() ([]byte, error) {
	c.Signature = ""
	text, err := c.Bytes()
	return append([]byte("chant claim\n"), text...), err
}

// Open reports whether a machine may be working on the spec.
func (c Claim) Open() bool { return c.State == Working }

// Question is a question of an agent to a person, in the claim on its spec: one that is open, or whose answer no agent
// has received yet.
type Question struct {
	Number  int       `json:"number"`
	Prompt  string    `json:"prompt"`
	By      string    `json:"by,omitempty"` // the agent that asks
	Attempt int       `json:"attempt,omitempty"`
	Asked   time.Time `json:"asked,omitzero"`
	Answer  string    `json:"answer,omitempty"` // "" = it is open
}

// OpenQuestions returns the questions that wait for a person.
func (c Claim) OpenQuestions() []Question {
	var open []Question
	for _, q := range c.Questions {
		if q.Answer == "" {
			open = append(open, q)
		}
	}
	return open
}

// MembershipPath is the file that says how a clone takes part in a fleet.
func MembershipPath(r *gitops.Repo) string {
	return filepath.Join(r.CommonDir(), "chant", "fleet.json")
}

// TakesPart reports whether a clone takes part in a fleet: it has a membership, or its settings have the address of a
// server.
func TakesPart(r *gitops.Repo, url string) bool {
	if url != "" {
		return true
	}
	_, err := os.Stat(MembershipPath(r))
	return err == nil
}

// RemoteName returns the name of the git remote of a fleet: that of the membership, else usual.
func RemoteName(r *gitops.Repo, usual string) string {
	var m struct {
		Remote string `json:"remote"`
	}
	text, err := os.ReadFile(MembershipPath(r))
	if err != nil || json.Unmarshal(text, &m) != nil || m.Remote == "" {
		return usual
	}
	return m.Remote
}

// FetchedClaims returns the claims by spec. A claim that cannot be read is an error of its own, and the others are returned
// all the same.
func FetchedClaims(ctx context.Context, r *gitops.Repo) (map[string]Claim, error) {
	held, err := (&Remote{Repo: r}).Claims(ctx)
	out := make(map[string]Claim, len(held))
	for id, h := range held {
		out[id] = h.Claim
	}
	return out, err
}
