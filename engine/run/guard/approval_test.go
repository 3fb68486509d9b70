package guard

import (
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/gitops"
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
		if got := attempt.Bookkeeping(gitops.Commit{Trailers: map[string]string{"Chant-Event": word}}); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

// TestOwnApproval: of two approvals that met in a landing, that of the work stays.
func TestOwnApproval(t *testing.T) {
	t.Parallel()
	const merged, branch = "---\nstatus: completed\napproval: {required: true, status: approved, by: A, hash: h}\n---\n# A\n",
		"---\napproval: {required: true, status: approved, by: B, hash: i, work: w}\n---\n# A\n"
	got, conflicts, err := OwnApproval("x.md", []byte(merged), []byte(branch), []string{"approval.by", "approval", "model"})
	s, parseErr := spec.Parse("x", "x.md", got)
	if err != nil || parseErr != nil || s.Fields.Approval.By != "B" || s.Fields.Approval.Work != "w" || len(conflicts) != 1 || conflicts[0] != "model" {
		t.Errorf("%s, %v, %v, %v", got, conflicts, err, parseErr)
	}
	if got, conflicts, err := OwnApproval("x.md", []byte(merged), []byte(merged), []string{"approval"}); string(got) != merged || len(conflicts) != 1 || err != nil {
		t.Errorf("without work: %s, %v, %v", got, conflicts, err)
	}
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
		r := &Guard{Attempt: &attempt.Attempt{History: &journal.History{Trusted: &journal.Trusted{Approval: tt.trusted}}}}
		if got := r.sameApproval(start, &spec.File{Spec: spec.Spec{Fields: spec.Fields{Approval: tt.now}}}); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
