package run

import (
	"context"
	"fmt"

	"chant/engine/criteria"
	"chant/engine/journal"
	"chant/engine/spec"
)

// MayComplete returns nil for a report with which a spec may complete: everything holds, or there is nothing to
// verify and the settings do not require it. Errors: *Failure, whose kind FailsVerification.
func (r *Run) MayComplete(report criteria.Report) error {
	switch status := criteria.Sum(report.Criteria); {
	case status == criteria.Nothing && r.Settings.Verify.Require:
		return NothingToVerify(r.Job.ID)
	case status == criteria.Passed || status == criteria.Nothing:
		return nil
	}
	return Unmet(report.Criteria)
}

// NothingToVerify is the failure of a spec that lands nothing because verify.require is set and it has no criterion
// and no command.
func NothingToVerify(id string) *journal.Failure {
	return &journal.Failure{
		Kind: spec.ReasonNoCriteria, Next: "chant edit " + id,
		Message: fmt.Sprintf("spec %q has %s, and verify.require is set (add an acceptance criterion)", id, criteria.Nothing),
	}
}

// requireChecks refuses a landing of what has nothing to verify where the settings require it.
func (r *Run) requireChecks(ctx context.Context) error {
	if !r.Settings.Verify.Require {
		return nil
	}
	now, err := r.ownSpec(ctx)
	if err != nil {
		return err
	}
	start, err := r.trusted(ctx)
	if err != nil || criteria.PlanFor(start, now, r.Settings.Verify).Any() {
		return err
	}
	f := NothingToVerify(r.Job.ID)
	f.Next = "chant reset " + r.Job.ID // its criteria are those of the start commit
	return f
}
