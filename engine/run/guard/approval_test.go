package guard

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
)

// TestBookkeeping: commits that only move a spec, or tell of people's word on it, are
// no work (9B-2).
func TestBookkeeping(t *testing.T) {
	t.Parallel()
	words := map[string]bool{attempt.ApproveWord: true, attempt.RejectWord: true, "edit": false, "leftovers": false, "add": false, "": false, "Approve": false}
	for _, tr := range spec.Transitions() {
		words[string(tr.Event)] = true
	}
	for word, want := range words {
		assert.Equal(t, want, attempt.Bookkeeping(gitops.Commit{Trailers: map[string]string{"Chant-Event": word}}), "%q", word)
	}
}

// TestOwnApproval: of two approvals that met in a landing, that of the work stays.
func TestOwnApproval(t *testing.T) {
	t.Parallel()
	const merged, branch = "---\nstatus: completed\napproval: {required: true, status: approved, by: A, hash: h}\n---\n# A\n",
		"---\napproval: {required: true, status: approved, by: B, hash: i, work: w}\n---\n# A\n"
	got, conflicts, err := OwnApproval("x.md", []byte(merged), []byte(branch), []string{"approval.by", "approval", "model"})
	s, parseErr := spec.Parse("x", "x.md", got)
	assert.NoError(t, err, "%s", got)
	assert.NoError(t, parseErr, "%s", got)
	assert.Equal(t, "B", s.Fields.Approval.By, "%s", got)
	assert.Equal(t, "w", s.Fields.Approval.Work, "%s", got)
	assert.Equal(t, 1, len(conflicts), "%s", got)
	assert.Equal(t, "model", conflicts[0], "%s", got)
	got, conflicts, err = OwnApproval("x.md", []byte(merged), []byte(merged), []string{"approval"})
	assert.Equal(t, merged, string(got), "without work: %v", conflicts)
	assert.Equal(t, 1, len(conflicts), "without work: %v", conflicts)
	assert.NoError(t, err, "without work: %v", conflicts)
}

// TestSameApproval: only what asks for a decision may be new.
func TestSameApproval(t *testing.T) {
	t.Parallel()
	start := &spec.File{Spec: spec.Spec{Fields: spec.Fields{Approval: &spec.Approval{Required: true, Status: "approved", By: "A", Hash: "h"}}}}
	for name, tt := range map[string]struct {
		trusted *spec.Approval
		now     *spec.Approval
		want    bool
	}{
		"the same":             {nil, &spec.Approval{Required: true, Status: "approved", By: "A", Hash: "h"}, true},
		"gone":                 {nil, nil, false},
		"another hash":         {nil, &spec.Approval{Required: true, Status: "approved", By: "A", Hash: "x"}, false},
		"asks":                 {nil, &spec.Approval{Required: true, Status: "pending", Work: "w"}, true},
		"asks, not required":   {nil, &spec.Approval{Status: "pending", Work: "w"}, false},
		"asks with a vote":     {nil, &spec.Approval{Required: true, Status: "pending", Work: "w", Approvals: []spec.Vote{{By: "E"}}}, false},
		"approved by itself":   {nil, &spec.Approval{Required: true, Status: "approved", By: "E", Work: "w"}, false},
		"approved by a person": {&spec.Approval{Status: "approved", By: "B", Work: "w"}, &spec.Approval{Status: "approved", By: "B", Work: "w"}, true},
		"the old one again":    {&spec.Approval{Status: "rejected", By: "B"}, &spec.Approval{Required: true, Status: "approved", By: "A", Hash: "h"}, false},
		"none is trusted":      {&spec.Approval{}, nil, true},
	} {
		r := &Guard{Attempt: attempt.New(attempt.Attempt{}, &journal.History{Trusted: &journal.Trusted{Approval: tt.trusted}}, nil)}
		assert.Equal(t, tt.want, r.sameApproval(start, &spec.File{Spec: spec.Spec{Fields: spec.Fields{Approval: tt.now}}}), "%s", name)
	}
}
