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

// placeOf returns the copy of a spec that a ruling is about: the one in home before the
// spec is completed, and if home's copy lacks approval; else the one on the branch.
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

// checkDecidable checks that there is something to decide. A spec that has landed can only be
// approved again, for a further run, if its earlier approval no longer applies.
func checkDecidable(s *spec.File, word string) error {
	outdated := word == attempt.ApproveWord && s.ApprovalBlock().Exists()
	switch {
	case s.Status == spec.Cancelled:
		return engine.Fail(engine.State, next.Reset.On(s.ID), "spec %q is cancelled", s.ID)
	case s.Status == spec.Completed && (s.Landed || s.Branch == "") && !outdated:
		return engine.Fail(engine.State, next.Show.On(s.ID), "spec %q has landed; there is nothing to decide any more", s.ID)
	}
	return nil
}
