package criteria

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
)

// Proof says what the verdict of a criterion proves about the work. Names are those of SWE-bench and of mutation testing.
type Proof string

// The proofs.
const (
	FailToPass   Proof = "fail_to_pass" // its commands failed where the work began, and pass with it
	PassToPass   Proof = "pass_to_pass" // they passed before and after: a guard against regressions
	RedTests     Proof = "red"          // they fail as they must: tests of what another spec is to do
	BrokenBase   Proof = "broken_base"  // they could not be run there, for a reason that the work has nothing to do with
	UnknownProof Proof = "unknown"      // they were not run there, or do not pass with the work
)

// Conclusion sums up what a report proves.
type Conclusion string

// The conclusions.
const (
	Verified        Conclusion = "verified"          // everything holds, and at least one criterion is fail-to-pass
	RegressionOnly  Conclusion = "regression_only"   // everything holds, but nothing is known to have failed without the work
	NothingToVerify Conclusion = "nothing_to_verify" // no criterion was checked by anything but its box
	FailedVerdict   Conclusion = "failed"            // something does not hold
	FlakyVerdict    Conclusion = "flaky"             // everything holds, but something failed on the same tree before it passed
)

// Words is the conclusion as people read it.
func (c Conclusion) Words() string {
	switch c {
	case RegressionOnly:
		return "regression only: nothing is known to have failed before the work"
	case NothingToVerify:
		return "nothing to verify: no command was run, boxes are claims"
	}
	return strings.ReplaceAll(string(c), "_", " ")
}

// Conclude sums up verdicts. based reports whether the commands were meant to run on the base, too: without that, what holds
// is verified.
func Conclude(verdicts []Verdict, based bool) Conclusion {
	checked := slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.How != ByBox })
	switch {
	case Sum(verdicts) == Failed || Sum(verdicts) == Partial:
		return FailedVerdict
	case !checked:
		return NothingToVerify
	case slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Flaky }):
		return FlakyVerdict
	case !based || slices.ContainsFunc(verdicts, Verdict.isRed):
		return Verified
	}
	return RegressionOnly
}

// Conclusion returns what the report proves, also if it is of a version that did not record that.
func (r Report) Conclusion() Conclusion {
	if r.Verdict != "" {
		return r.Verdict
	}
	return Conclude(r.Criteria, false)
}

// Prove sets the proof of each verdict that was found by running commands, by the verdicts on the base. changed are the
// paths that the work has changed, slash-separated.
func Prove(verdicts, base []Verdict, changed []string) {
	for i := range verdicts {
		v := &verdicts[i]
		if v.How != ByRunning {
			continue
		}
		at := slices.IndexFunc(base, func(b Verdict) bool { return b.ID == v.ID })
		if v.Proof == RedTests {
			if at >= 0 {
				v.compareRed(base[at])
			}
			continue
		}
		v.Proof = UnknownProof
		if at >= 0 {
			v.Proof = proofOf(*v, base[at], changed)
		}
	}
}

// proofOf compares one verdict with that on the base.
func proofOf(v, base Verdict, changed []string) Proof {
	switch {
	case base.How != ByRunning, base.Holds && !v.Holds:
		return UnknownProof
	case base.Holds:
		return PassToPass
	case len(base.Evidence) == 0:
		// Its folder is missing there, as that of a package that the work adds; nothing has run.
		if v.Holds && isAdded(v, changed) {
			return FailToPass
		}
		return BrokenBase
	}
	last := base.Evidence[len(base.Evidence)-1]
	cannotRun := last.ExitCode == notExecutable || last.ExitCode == notFound
	switch {
	// What was stopped from outside has not said that it fails.
	case last.TimedOut, base.Flaky, last.ExitCode == killed, last.ExitCode == terminated, last.ExitCode == outOfTime && strings.Contains(last.Command, "timeout"):
		return UnknownProof
	case cannotRun && !IsNamed(last.Command, changed):
		return BrokenBase
	case v.Holds:
		return FailToPass
	case sameFailure(v, base) && LacksParts(base):
		return BrokenBase
	}
	return UnknownProof
}

// isAdded reports whether the work has changed something in the folder of a verdict's commands.
func isAdded(v Verdict, changed []string) bool {
	return slices.ContainsFunc(v.Evidence, func(ev Evidence) bool {
		return ev.Dir != "" && slices.ContainsFunc(changed, func(p string) bool { return strings.HasPrefix(p, path.Clean(ev.Dir)+"/") })
	})
}

// IsNamed reports whether a command names one of the files that have changed: if a program was missing, then because the
// work was.
func IsNamed(command string, changed []string) bool {
	for _, word := range words().FindAllString(command, -1) {
		word = path.Clean(word)
		if slices.ContainsFunc(changed, func(p string) bool { return p == word || strings.HasSuffix(p, "/"+word) }) {
			return true
		}
	}
	return false
}

// words finds the words of a shell command: what is between spaces, quotes and operators.
var words = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[^\\s'\"`;&|()<>$=]+") })

// isGuard reports whether a criterion says of itself that it held before the work: by `keeps:` in its text, or by its
// number, or "all", in the key `guards` of the spec.
func isGuard(c spec.Criterion, s *spec.File) bool {
	return s.Fields.Guards.Covers(c.Number) || keeps().MatchString(c.Text)
}

var keeps = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(^|[^\pL\pN_])keeps:`) })

// LacksRed reports whether no command has failed without the work, although not all criteria of the spec are guards. What no
// command says, such as a box, shows nothing.
func LacksRed(verdicts []Verdict) bool {
	own, guards := 0, 0
	for _, v := range verdicts {
		if v.isRed() {
			return false
		}
		if v.How != ByRunning || v.Added {
			continue
		}
		if v.Source != FromProject {
			own++
		}
		if v.Guard {
			guards++
		}
	}
	return own == 0 || guards < own
}

// isRed reports whether a verdict shows that the work made a difference. A criterion that was added during the run does not:
// its agent could have written any.
func (v Verdict) isRed() bool {
	return (v.Proof == FailToPass || v.Proof == RedTests && v.Holds) && !v.Added
}

// ProofText is the proof of a verdict in words, "" for one that was not found by running commands or without a base.
func (v Verdict) ProofText() string {
	switch v.Proof {
	case FailToPass:
		if v.Added {
			return "fail-to-pass, but added during the run"
		}
		return "fail-to-pass"
	case PassToPass:
		if v.Guard {
			return "pass-to-pass, a guard"
		}
		return "pass-to-pass"
	case RedTests:
		if v.Holds {
			return "red, as its tests must be"
		}
	case BrokenBase:
		return "could not run without the work"
	}
	return ""
}
