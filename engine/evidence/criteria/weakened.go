package criteria

import "fmt"

// Weakened is a place of a change that makes checks weaker: tests, what they expect, how they are run.
type Weakened struct {
	Kind   WeakenedKind `json:"kind"`
	File   string       `json:"file"`
	Line   int          `json:"line"` // of the file after the change; before it for what was removed
	Before string       `json:"before,omitempty"`
	After  string       `json:"after,omitempty"`
}

// WeakenedKind says how a check was weakened.
type WeakenedKind string

// The ways to weaken a check.
const (
	TestRemoved        WeakenedKind = "test_removed" // or renamed, so that the runner no longer collects it
	TestSkipped        WeakenedKind = "test_skipped"
	TestFocused        WeakenedKind = "test_focused"       // the runner leaves out all others
	AssertionRemoved   WeakenedKind = "assertion_removed"  // or replaced by one that allows more
	AssertionConstant  WeakenedKind = "assertion_constant" // it holds whatever the code does
	ExpectationChanged WeakenedKind = "expectation_changed"
	GoldenRewritten    WeakenedKind = "golden_rewritten"
	ThresholdLowered   WeakenedKind = "threshold_lowered"
	TestConfigChanged  WeakenedKind = "test_config_changed"
	CIChanged          WeakenedKind = "ci_changed"
	HookChanged        WeakenedKind = "hook_changed"
	FailureIgnored     WeakenedKind = "failure_ignored"
	RetriesRaised      WeakenedKind = "retries_raised"
	TimeoutRaised      WeakenedKind = "timeout_raised"
	BuildTagAdded      WeakenedKind = "build_tag_added" // to a file of tests
)

// String names the place, the kind, and what was there before and after.
func (w Weakened) String() string {
	text := fmt.Sprintf("%s:%d %s", w.File, w.Line, w.Kind)
	switch {
	case w.Before != "" && w.After != "":
		return text + ": " + w.Before + " -> " + w.After
	case w.Before != "":
		return text + ": " + w.Before + " -> nothing"
	case w.After != "":
		return text + ": nothing -> " + w.After
	}
	return text
}
