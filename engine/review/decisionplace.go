package review

import (
	"chant/engine"
	"chant/engine/next"
	"chant/engine/run/attempt"
	"chant/engine/spec"
)

// rulingPlace is the copy of a spec that a ruling is about.
type rulingPlace struct {
	ofWork bool // the run's branch, once the spec is completed there
	branch bool // the run's branch
}

// placeOf finds the copy of a spec that someone's word is about: that in home before
// there is work, and where home's holds the spec back; else the one of the branch.
func placeOf(s *spec.Spec, word string) rulingPlace {
	switch {
	case s.Branch == "":
		return rulingPlace{}
	case s.Status != spec.Completed:
		return rulingPlace{branch: s.Home == nil}
	case word == attempt.ApproveWord && s.Home != nil && s.Home.ApprovalBlock().Exists():
		return rulingPlace{}
	}
	return rulingPlace{ofWork: true, branch: true}
}

// ruled checks that there is something to decide about. What has landed is only approved
// anew, for a further run, where an older approval no longer fits it.
func ruled(s *spec.Spec, word string) error {
	outdated := word == attempt.ApproveWord && s.ApprovalBlock().Exists()
	switch {
	case s.Status == spec.Cancelled:
		return engine.Fail(engine.State, next.Reset.On(s.ID), "spec %q is cancelled", s.ID)
	case s.Status == spec.Completed && (s.Landed || s.Branch == "") && !outdated:
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has landed; there is nothing to decide any more", s.ID)
	}
	return nil
}
