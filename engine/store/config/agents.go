package config

import (
	"fmt"

	"chant/engine/spec"
)

// AddedSpecs says what happens to a spec that an agent adds inside a run.
type AddedSpecs string

// What happens to them.
const (
	AddForReview AddedSpecs = "review" // it waits until a person has approved it
	AddReady     AddedSpecs = "ready"  // it may be worked like any other
)

// AgentsConfig is the section `agents` of the settings.
type AgentsConfig struct {
	Add AddedSpecs `yaml:"add" rule:"added_specs"`
}

// parseAddedSpecs reads review or ready.
func parseAddedSpecs(text string) (AddedSpecs, error) {
	switch how := AddedSpecs(text); how {
	case AddForReview, AddReady:
		return how, nil
	}
	return "", fmt.Errorf("unknown value %q (one of %s, %s)", spec.Echo(text), AddForReview, AddReady)
}
