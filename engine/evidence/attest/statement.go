package attest

import (
	"encoding/json"
	"fmt"

	"chant/engine/store/local"
)

// The types that a Statement names.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	PredicateType = "https://in-toto.io/attestation/test-result/v0.1"
	PayloadType   = "application/vnd.in-toto+json"
)

// EvidenceFormat is raised by a change of Detail, or of the report in it, that an older chant would misread. It is recorded once it is
// above 1.
const EvidenceFormat = 1

// The names of digests of git objects.
const (
	GitCommit = "gitCommit"
	GitTree   = "gitTree"
)

// Statement is an in-toto Statement about the tests of a commit.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     Predicate  `json:"predicate"`
}

// Resource is a resource descriptor: a thing with digests.
type Resource struct {
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest"`
}

// Result is the result of all tests together.
type Result string

// The results.
const (
	Passed Result = "PASSED"
	Warned Result = "WARNED" // nothing failed, but a criterion is open
	Failed Result = "FAILED"
)

// Predicate is a test-result. Readers of that predicate ignore Chant.
type Predicate struct {
	Result        Result     `json:"result"`
	Configuration []Resource `json:"configuration"`
	PassedTests   []string   `json:"passedTests,omitempty"`
	WarnedTests   []string   `json:"warnedTests,omitempty"`
	FailedTests   []string   `json:"failedTests,omitempty"`
	Chant         Detail     `json:"chant"`
}

// Detail is what chant records beyond the test-result.
type Detail struct {
	SpecID string `json:"spec_id"`
	Start  string `json:"start,omitempty"`  // the commit whose criteria count, "" if a person's text counts
	Plan   string `json:"plan,omitempty"`   // SHA-256 of what was checked and how, in hex
	Format int    `json:"format,omitempty"` // EvidenceFormat, 0 is 1
	Tested string `json:"tested"`           // the tree in which the commands ran; apart from .chant it is that of the commit
	Git    string `json:"git,omitempty"`    // version
	Chant  string `json:"chant,omitempty"`  // version
	// Outside has the SHA-256 of each file that was copied or linked into the tree from elsewhere, by path.
	Outside map[string]string `json:"outside,omitempty"`
	Sandbox string            `json:"sandbox,omitempty"` // the sandbox that was in force, "" for none
	Caches  string            `json:"caches,omitempty"`  // of tools: shared by checks, or own of each command; "" without a sandbox
	Network string            `json:"network,omitempty"` // what agents may connect to: all, none, ports, or models; "" without a sandbox
	Signer  []byte            `json:"signer,omitempty"`  // the public key of the signer
	Report  json.RawMessage   `json:"report"`            // each criterion with its commands: exit code, duration, hash of the output
}

// NewStatement returns the statement about a commit and its tree. If the tests ran in another tree, that is a subject too.
func NewStatement(commit, tree string, p Predicate) Statement {
	subjects := []Resource{
		{Name: "commit", Digest: map[string]string{GitCommit: commit}},
		{Name: "tree", Digest: map[string]string{GitTree: tree}},
	}
	// Links and copies from elsewhere make the tested tree differ from that of the commit.
	if p.Chant.Tested != "" && p.Chant.Tested != tree {
		subjects = append(subjects, Resource{Name: "tested tree", Digest: map[string]string{GitTree: p.Chant.Tested}})
	}
	return Statement{Type: StatementType, Subject: subjects, PredicateType: PredicateType, Predicate: p}
}

// IsAbout reports whether a statement is about this commit with this tree; "" is a tree that is not known.
func (s *Statement) IsAbout(commit, tree string) bool {
	return s.hasSubject(GitCommit, commit) && (tree == "" || s.hasSubject(GitTree, tree))
}

func (s *Statement) hasSubject(digest, value string) bool {
	for _, sub := range s.Subject {
		if value != "" && sub.Digest[digest] == value {
			return true
		}
	}
	return false
}

// parseStatement reads the payload of an envelope.
func parseStatement(payload []byte) (Statement, error) {
	var s Statement
	if err := json.Unmarshal(payload, &s); err != nil {
		return s, fmt.Errorf("the statement cannot be read: %w", err)
	}
	switch {
	case s.Type != StatementType:
		return s, fmt.Errorf("unknown type of statement %.80q", s.Type)
	case s.PredicateType != PredicateType:
		return s, fmt.Errorf("unknown type of predicate %.80q", s.PredicateType)
	case s.Predicate.Chant.Format > EvidenceFormat:
		return s, &local.FormatError{What: fmt.Sprintf("the evidence of %.80q", s.Predicate.Chant.SpecID), Has: s.Predicate.Chant.Format, Max: EvidenceFormat}
	}
	return s, nil
}
