package judge

import (
	"context"
	"errors"

	"chant/engine/evidence/criteria"
	"chant/engine/evidence/heldout"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
)

// heldOut are the held-out criteria of specs, as this process has read them first, and what they were found to be last.
type heldOut struct {
	sections map[string]*heldout.Section // by spec
	plan     criteria.Plan
	verdicts []criteria.Verdict // with texts and output, which go nowhere
}

// readHeldOut returns the held-out criteria of a spec, nil without any. They are read once: before the agent starts, in a
// run that starts one.
func (j *Judge) readHeldOut(id string) (*heldout.Section, error) {
	if section, known := j.held.sections[id]; known {
		return section, nil
	}
	section, err := heldout.Read(j.Store, j.Environ, id)
	if sealed, ok := errors.AsType[*heldout.SealedError](err); ok {
		if j.WithoutSealed {
			return nil, nil
		}
		return nil, &journal.Failure{Kind: spec.ReasonUnverified, Message: sealed.Error(), Next: next.Guide.On("proof")}
	}
	if err != nil {
		return nil, err
	}
	if j.held.sections == nil {
		j.held.sections = map[string]*heldout.Section{}
	}
	j.held.sections[id] = section
	return section, nil
}

// hasHeldOut reports whether a spec has held-out criteria that can be run here. What keeps them from being read is reported
// where they run.
func (j *Judge) hasHeldOut(id string) bool {
	section, err := j.readHeldOut(id)
	return err != nil || section != nil
}

// addHeldOut runs the held-out criteria of a spec in a place, and adds their verdicts to a report, which gets neither their
// texts nor what they print.
func (j *Judge) addHeldOut(ctx context.Context, at tree.Place, start *spec.File, report *criteria.Report) error {
	section, err := j.readHeldOut(start.ID)
	j.held.plan, j.held.verdicts = criteria.Plan{}, nil
	if section == nil || err != nil {
		return err
	}
	j.Announce(journal.Verify, "step", "running %s", criteria.CountHeldOut(len(section.Criteria)))
	plan := criteria.HeldOutPlan(section.Criteria, start, j.Settings.Verify)
	found, err := j.JudgePlan(ctx, at, plan, start.ID, nil)
	if err != nil {
		return err
	}
	j.held.plan, j.held.verdicts = plan, found.Criteria
	report.HeldOut, report.Criteria = section.Digest, append(report.Criteria, criteria.Mask(found.Criteria, len(report.Criteria))...)
	if report.Readable, err = store.ReadableHeldOut(ctx, j.Store, start.ID); err != nil {
		return err
	}
	if report.Readable != "" {
		j.Announce(journal.Verify, "warning", "the held-out criteria were never hidden: readable: commit %s", attempt.Short(report.Readable))
	}
	report.Verified = criteria.Holds(report.Criteria)
	report.Verdict = criteria.Conclude(report.Criteria, j.Settings.Verify.RedFirst != spec.RedOff)
	return nil
}

// proveHeldOut adds to a report what its held-out criteria prove. They run on the base only now, since an agent that works
// could see their commands among the processes of the machine.
func (j *Judge) proveHeldOut(ctx context.Context, base string, changed []string, report *criteria.Report) error {
	if !j.held.plan.Any() {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, baseLimit)
	defer cancel()
	found, err := j.baseJudge().judgeBase(limited, base, j.held.plan)
	if err != nil {
		return j.warnBase(ctx, base, err)
	}
	criteria.Compare(j.held.verdicts, found, j.Job.Target)
	criteria.Prove(j.held.verdicts, found, changed)
	open := len(report.Criteria) - len(j.held.verdicts)
	report.Criteria = append(report.Criteria[:open:open], criteria.Mask(j.held.verdicts, open)...)
	return nil
}
