package verify

import (
	"errors"
	"io/fs"

	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/heldout"
	"chant/engine/store"
)

// addHeldOut says what became of the held-out criteria of a completed spec since its evidence was recorded. Where they cannot
// be opened, the recorded verdicts count, as long as the file is the one that they are about.
func (r *VerifyResult) addHeldOut(p *engine.Project, recorded *RecordedEvidence) error {
	if recorded == nil || recorded.Edited || p.Store.RunOf() != "" {
		return nil
	}
	was := criteria.HeldOut(recorded.Criteria)
	if len(was) == 0 {
		return nil
	}
	file, err := p.Store.ReadHeldOut(r.SpecID)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return err
	}
	count := criteria.CountHeldOut(len(was))
	switch sealed := recorded.HeldOut; {
	case sealed != "" && gone:
		r.HeldOut = count + ": removed since they were verified"
		return nil
	case sealed != "" && (!store.IsSealed(file) || heldout.Digest(file) != sealed):
		r.HeldOut = count + ": changed since they were verified"
		return nil
	case len(criteria.HeldOut(r.Verdicts)) > 0:
		return nil
	case gone:
		r.HeldOut = count + ": not in this clone, recorded as "
	default:
		r.HeldOut = count + ": sealed, recorded as "
	}
	if len(criteria.Failures(was)) > 0 {
		r.HeldOut += string(criteria.Failed)
	} else {
		r.HeldOut += string(criteria.Passed)
	}
	for _, v := range was {
		v.Number = len(r.Verdicts) + 1
		r.Verdicts = append(r.Verdicts, v)
		r.count(v.Holds, v.Text)
	}
	if r.Status == criteria.Passed || r.Status == criteria.Nothing {
		*r = r.conclude()
		r.Status, r.Verdict = criteria.Sum(r.Verdicts), criteria.Conclude(r.Verdicts, true)
	}
	return nil
}
