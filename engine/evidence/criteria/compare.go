package criteria

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
)

// Base is how the commands of an item end where the work on it began.
type Base struct {
	Holds bool `json:"holds"`
	// Same reports that they fail there in the same way: the work is not the reason.
	Same bool `json:"same"`
}

// Compare adds to the verdicts of items that do not hold what those on the base say. where names the base, such as a branch.
func Compare(verdicts, base []Verdict, where string) {
	for i := range verdicts {
		v := &verdicts[i]
		at := slices.IndexFunc(base, func(b Verdict) bool { return b.ID == v.ID })
		if at < 0 || v.Holds || v.How != ByRunning {
			continue
		}
		v.Base = &Base{Holds: base[at].Holds, Same: !base[at].Holds && sameFailure(*v, base[at])}
		if v.Base.Same {
			v.Why += "; also fails on " + where
		}
	}
}

// sameFailure reports whether two failures are the same: the same command of a project, or one that could not be run, or one
// that printed nearly the same. A criterion that only says that something is missing fails before the work is done, of course.
func sameFailure(v, base Verdict) bool {
	if len(v.Evidence) == 0 || len(v.Evidence) != len(base.Evidence) {
		return false
	}
	now, then := v.Evidence[len(v.Evidence)-1], base.Evidence[len(base.Evidence)-1]
	if now.Command != then.Command || now.TimedOut != then.TimedOut || now.ExitCode != then.ExitCode {
		return false
	}
	// The project's commands ask for nothing new, so the same exit code is enough.
	if v.Source == FromProject || now.ExitCode == notExecutable || now.ExitCode == notFound {
		return true
	}
	return isSimilar(now.Tail, then.Tail)
}

// The exit codes of a shell for a program that cannot be run, that is missing, and that was ended by a signal.
const (
	notExecutable = 126
	notFound      = 127
	killed        = 128 + 9
	terminated    = 128 + 15
	outOfTime     = 124 // of the program timeout
)

// isSimilar reports whether two outputs have most lines in common, apart from numbers such as times.
func isSimilar(now, then string) bool {
	have := map[string]bool{}
	for line := range strings.Lines(now) {
		have[plainLine(line)] = true
	}
	same, all := 0, 0
	for line := range strings.Lines(then) {
		if line = plainLine(line); line != "" {
			all++
			if have[line] {
				same++
			}
		}
	}
	// Four of five lines: times and paths differ even between two equal runs.
	return all > 0 && same*5 >= all*4
}

// plainLine is a line without what differs from one run of a command to the next: numbers and temporary paths.
func plainLine(line string) string {
	return spec.OneLine(numbers().ReplaceAllString(paths().ReplaceAllString(line, "/"), "0"))
}

var (
	numbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+`) })
	paths   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/[^\s:'"()]*/`) })
)

// OnlyBase reports whether every verdict that does not hold fails in the same way without the work.
func OnlyBase(verdicts []Verdict) bool {
	return len(Failures(verdicts)) > 0 && !slices.ContainsFunc(verdicts, func(v Verdict) bool { return !v.Holds && (v.Base == nil || !v.Base.Same) })
}

// LacksParts reports whether a verdict does not hold because programs or packages are missing where it runs.
func LacksParts(v Verdict) bool {
	return !v.Holds && slices.ContainsFunc(v.Evidence, func(e Evidence) bool {
		return e.ExitCode == notFound || e.ExitCode != 0 && missing().MatchString(e.Tail)
	})
}

var missing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)cannot find (module|package)|ModuleNotFoundError|No module named|Could not (find|locate) (gem|Gemfile)|vendor/autoload\.php|command not found|: not found|node_modules missing|Could not resolve|bundler: command`)
})
