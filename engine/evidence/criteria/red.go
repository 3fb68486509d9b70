package criteria

import "fmt"

// turnRed makes the verdict on commands that must fail from what they gave: they hold if the last one has run, and has said
// that something else than itself fails.
func (v *Verdict) turnRed() {
	passed, why := v.Holds, v.Why
	v.Holds, v.Proof = false, RedTests
	if passed {
		v.Why = "its commands pass, and must fail until the work is done that they test"
		return
	}
	if len(v.Evidence) == 0 {
		return
	}
	last := v.Evidence[len(v.Evidence)-1]
	switch {
	case v.Flaky:
		v.Why = "it must fail, and has passed on the same tree"
	case last.TimedOut, last.ExitCode == killed, last.ExitCode == terminated, last.ExitCode == outOfTime:
		v.Why = "it must fail, but was ended from outside: " + why
	case last.Refused != "":
		v.Why = "it must fail because of what it tests, and not because of the sandbox: " + last.Refused
	case last.ExitCode == notExecutable, last.ExitCode == notFound:
		v.Why = "it must fail, but could not be started: " + why
	case last.lacksNamed():
		v.Why = fmt.Sprintf("it must fail, but what `%s` names is not there", last.Command)
	default:
		v.Holds, v.Why = true, ""
	}
}

// compareRed takes back that tests fail as they must if they failed in the same way before they were written.
func (v *Verdict) compareRed(base Verdict) {
	if !v.Holds || base.Holds || len(v.Evidence) == 0 || len(base.Evidence) == 0 {
		return
	}
	now, then := v.Evidence[len(v.Evidence)-1], base.Evidence[len(base.Evidence)-1]
	if now.Command == then.Command && now.ExitCode == then.ExitCode && isSimilar(now.Tail, then.Tail) {
		v.Holds, v.Why = false, "it must fail because of the new tests, and failed in the same way without them"
	}
}
