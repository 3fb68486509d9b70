package run

import (
	"context"
	"fmt"

	"chant/engine/spec"
	"chant/engine/verify"
)

// MayComplete returns nil for a report with which a spec may complete: everything holds, or there is nothing to
// verify and the settings do not require it. Errors: *Failure, whose kind FailsVerification.
func (r *Run) MayComplete(report verify.Report) error {
	switch status := verify.Sum(report.Criteria); {
	case status == verify.Nothing && r.Settings.Verify.Require:
		return NothingToVerify(r.Job.ID)
	case status == verify.Passed || status == verify.Nothing:
		return nil
	}
	return Unmet(report.Criteria)
}

// NothingToVerify is the failure of a spec that lands nothing because verify.require is set and it has no criterion
// and no command.
func NothingToVerify(id string) *Failure {
	return &Failure{
		Kind: spec.ReasonNoCriteria, Next: "chant edit " + id,
		Message: fmt.Sprintf("spec %q has %s, and verify.require is set (add an acceptance criterion)", id, verify.Nothing),
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
	if err != nil || verify.PlanFor(start, now, r.Settings.Verify).Any() {
		return err
	}
	f := NothingToVerify(r.Job.ID)
	f.Next = "chant reset " + r.Job.ID // its criteria are those of the start commit
	return f
}
