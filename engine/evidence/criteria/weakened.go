package criteria

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"chant/engine/spec"
	"chant/text"
)

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
	CheckChanged       WeakenedKind = "check_changed"   // a file that a command names is gone, replaced, ends early or expects something else
	NotComparable      WeakenedKind = "not_comparable"  // a check is no text any more, or the change is too large
)

// String names the place, the kind, and what was there before and after.
func (w Weakened) String() string {
	out := fmt.Sprintf("%s:%d %s", w.File, w.Line, w.Kind)
	if w.Before != "" || w.After != "" {
		out += ": " + cmp.Or(w.Before, "nothing") + " -> " + cmp.Or(w.After, "nothing")
	}
	// An agent has written these lines, and a terminal obeys what they contain.
	return string(text.Visible([]byte(out)))
}

// NeedsDecision reports whether work with the finding waits for a person, or does not land at all. By default that is so for
// what touches an existing test, or a file that one of these commands of criteria names.
func (w Weakened) NeedsDecision(set spec.Weakened, commands []string) bool {
	switch set {
	case spec.WeakenedOff, spec.WeakenedReport:
		return false
	case spec.WeakenedAsk, spec.WeakenedRefuse:
		return true
	}
	switch w.Kind {
	case TestRemoved, TestSkipped, TestFocused, AssertionRemoved, AssertionConstant, ExpectationChanged, GoldenRewritten, TestConfigChanged, BuildTagAdded, CheckChanged, NotComparable:
		return true
	}
	return slices.ContainsFunc(commands, w.isRunBy)
}

// isRunBy reports whether a command names the file, or starts a program that reads it.
func (w Weakened) isRunBy(command string) bool {
	base := path.Base(w.File)
	words := strings.FieldsFunc(command, func(r rune) bool {
		return !strings.ContainsRune("._-/@", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return slices.ContainsFunc(words, func(word string) bool {
		switch word = path.Clean(word); word {
		case "make":
			return strings.EqualFold(base, "makefile") || base == "GNUmakefile"
		case "npm", "npx", "yarn", "pnpm", "bun", "jest", "vitest":
			return base == "package.json"
		case "go":
			return base == "go.mod" || base == "go.work" || strings.HasSuffix(base, "_test.go")
		}
		return word == w.File || word == base
	})
}
