package config

import (
	"fmt"

	"chant/engine/spec"
)

// PlanForm says what accepting a plan writes beside its specs.
type PlanForm string

// The forms.
const (
	PlanChant    PlanForm = "chant"    // nothing
	PlanOpenSpec PlanForm = "openspec" // a change, which the specs adopt
	PlanSpecKit  PlanForm = "spec-kit" // a feature, which the specs adopt
)

// parsePlanForm reads chant, openspec or spec-kit.
func parsePlanForm(text string) (PlanForm, error) {
	switch f := PlanForm(text); f {
	case PlanChant, PlanOpenSpec, PlanSpecKit:
		return f, nil
	}
	return "", fmt.Errorf("unknown value %q (one of chant, openspec, spec-kit)", spec.Echo(text))
}
