package sandbox

import (
	"fmt"
	"path"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store/config"
	"chant/providers/wall"
)

// State says whether agents and criteria run behind a wall.
type State struct {
	InForce bool               `json:"in_force"`
	Mode    config.SandboxMode `json:"mode"`              // of the settings, or of ModeKey
	By      string             `json:"by,omitempty"`      // what makes the wall: "Landlock ABI 7"
	Why     string             `json:"why,omitempty"`     // why it is not in force
	Open    []string           `json:"open,omitempty"`    // what it does not restrict on this system
	Network string             `json:"network,omitempty"` // what agents may connect to, as in the settings: "all", "models"
}

// String is a line for people: "on (Landlock ABI 7)".
func (s State) String() string {
	if !s.InForce {
		return "off: " + s.Why
	}
	text := fmt.Sprintf("on (%s)", s.By)
	// A system can lack a restriction that others have.
	if len(s.Open) > 0 {
		text += ", except " + strings.Join(s.Open, ", ")
	}
	if s.Network != "all" {
		text += "; network: " + s.Network
	}
	return text
}

// decideState finds the reason why there is no wall.
func decideState(mode config.SandboxMode, system wall.State, reftable bool, branchPrefix string) State {
	s := State{Mode: mode}
	switch {
	case mode == config.SandboxOff:
		s.Why = "turned off by the settings or by " + ModeKey
	case !system.Available:
		s.Why = system.Why
	case reftable:
		s.Why = "this repository keeps all refs in one file (reftable), so an agent could not commit without access to all of them"
	case path.Dir(branchPrefix+"x") == ".":
		s.Why = fmt.Sprintf("the branches of runs have no folder of their own (defaults.branch_prefix is %q)", branchPrefix)
	default:
		s.InForce, s.By, s.Open = true, system.Name, system.Open
	}
	return s
}

// Required returns an error if a wall is required that cannot be built.
func (s State) Required() error {
	if s.InForce || s.Mode != config.SandboxOn {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSetup, Next: next.Guide.On("trust"),
		Message: "a sandbox is required (sandbox: on), but there is none: " + s.Why,
	}
}
