package judge

import (
	"chant/engine/criteria"
	"chant/engine/run/guard"
)

// MayComplete returns nil for a report with which a spec may complete: everything holds, or there is nothing to
// verify and the settings do not require it. Errors: *Failure, whose kind FailsVerification.
func (j *Judge) MayComplete(report criteria.Report) error {
	switch status := criteria.Sum(report.Criteria); {
	case status == criteria.Nothing && j.Settings.Verify.Require:
		return guard.NothingToVerify(j.Job.ID)
	case status == criteria.Passed || status == criteria.Nothing:
		return nil
	}
	return Unmet(report.Criteria)
}
