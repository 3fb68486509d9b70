package config

import (
	"fmt"
	"time"

	"chant/engine/spec"
)

// LandingConfig is the section `landing`: the queue of completed branches before their target.
type LandingConfig struct {
	Width   int           `yaml:"width" rule:"count"`         // branches that are checked at the same time, 0 = what their criteria leave room for
	Order   LandingOrder  `yaml:"order" rule:"landing_order"` // priority
	MaxWait time.Duration `yaml:"max_wait" rule:"duration"`   // how long a branch waits for its turn, 0 = for ever

	Conflicts Conflicts `yaml:"conflicts" rule:"conflicts"` // between branches under way, tell
}

// Conflicts says what happens when branches under way will conflict with each other.
type Conflicts string

// What happens then.
const (
	ConflictsTell Conflicts = "tell" // a warning, once
	ConflictsOff  Conflicts = "off"  // nothing: nobody looks for them
)

// parseConflicts reads tell or off.
func parseConflicts(text string) (Conflicts, error) {
	switch c := Conflicts(text); c {
	case ConflictsTell, ConflictsOff:
		return c, nil
	}
	return "", fmt.Errorf("unknown value %q (one of tell, off)", spec.Echo(text))
}

// LandingOrder says which of the branches that wait lands first.
type LandingOrder string

// The orders.
const (
	LandByPriority LandingOrder = "priority" // of the spec, then as they came
	LandByArrival  LandingOrder = "arrival"  // as they came
)

// parseLandingOrder reads priority or arrival.
func parseLandingOrder(text string) (LandingOrder, error) {
	switch o := LandingOrder(text); o {
	case LandByPriority, LandByArrival:
		return o, nil
	}
	return "", fmt.Errorf("unknown value %q (one of priority, arrival)", spec.Echo(text))
}
