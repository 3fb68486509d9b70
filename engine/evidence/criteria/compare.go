package criteria

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

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

// sameFailure reports whether two failures are the same, and the work is not the reason. A criterion of the spec fails before
// the work is done, of course, and with the same words after work that did nothing for it. So there the same output counts
// only for what was meant to hold before: a guard, or a run of tests.
func sameFailure(v, base Verdict) bool {
	if len(v.Evidence) == 0 || len(v.Evidence) != len(base.Evidence) {
		return false
	}
	now, then := v.Evidence[len(v.Evidence)-1], base.Evidence[len(base.Evidence)-1]
	if now.Command != then.Command || now.TimedOut != then.TimedOut || now.ExitCode != then.ExitCode {
		return false
	}
	switch {
	case v.Source == FromProject:
		// The project's commands ask for nothing new, so the same exit code is enough.
		return true
	case now.lacksProgram():
		return true
	case v.Guard:
		return isSimilar(now.Tail, then.Tail)
	}
	return suites().MatchString(now.Command) && !now.lacksNamed() && isSimilar(now.Tail, then.Tail)
}

// suites finds commands that run tests, a linter or a build: those of common tools, and scripts that are named so.
var suites = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s;&|(/])(` +
		`go (test|vet|build)|cargo (test|nextest|clippy|build|check)|(npm|pnpm|yarn|bun)( run)? (t|test|lint|build|check|typecheck)|deno (test|lint|check)|npx (jest|vitest|mocha|tsc|eslint)|` +
		`jest|vitest|mocha|tsc|eslint|pytest|python3? -m (pytest|unittest)|tox|nox|ruff|mypy|make|just|task|ninja|ctest|bazel test|mvn|mvnw|gradle|gradlew|` +
		`rake|rspec|phpunit|composer test|dotnet (test|build)|swift (test|build)|mix test|zig build|staticcheck|golangci-lint` +
		`)([\s;&|):]|$)` +
		// The words alone are commands of the shell, and arguments of any program.
		`|(^|[;&|(])\s*((sh|bash|python3?|node) )?([\w.-]*/)*(run[-_]?)?(tests?|checks?|lint|ci|build)\.(sh|bash|py|js|ts|rb|pl)([\s;&|)]|$)` +
		`|(^|[;&|(])\s*((sh|bash) )?([\w.-]*/)+(run[-_]?)?(tests?|checks?|lint|ci|build)([\s;&|)]|$)`)
})

// lacksProgram reports whether a command could not be run because a program of the machine is missing. One that is named
// by a path is a file of the repository, which the work may have to add.
func (e Evidence) lacksProgram() bool {
	if e.ExitCode != notExecutable && e.ExitCode != notFound {
		return false
	}
	// A shell that does not find its script says that it is no file.
	return !strings.Contains(e.Tail, "No such file") && !slices.ContainsFunc(strings.FieldsFunc(e.Command, endsWord), func(word string) bool {
		return strings.Contains(word, "/") && !strings.HasPrefix(word, "/") && (e.Tail == "" || strings.Contains(e.Tail, word))
	})
}

// endsWord reports whether a character ends a word of a command.
func endsWord(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(";&|()<>'\"", r) }

// lacksNamed reports whether a command says that something is missing which it names itself, such as a file that the work
// has to add.
func (e Evidence) lacksNamed() bool {
	if nothingRan().MatchString(e.Tail) {
		return true
	}
	var named []string
	// What the program itself is called says nothing.
	for _, word := range words().FindAllString(suites().ReplaceAllString(e.Command, " "), -1) {
		if word = strings.TrimPrefix(word, "./"); len(word) > 2 && !strings.HasPrefix(word, "-") {
			named = append(named, word)
		}
	}
	for line := range strings.Lines(e.Tail) {
		said := strings.FieldsFunc(line, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./-", r)
		})
		if absent().MatchString(line) && slices.ContainsFunc(said, func(word string) bool {
			return slices.Contains(named, strings.TrimPrefix(strings.TrimRight(word, "."), "./"))
		}) {
			return true
		}
	}
	return false
}

var absent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)no such file|not found|cannot (find|open)|can't open|does not exist|no module named|missing|no rule to make`)
})

// nothingRan finds what runners of tests say where there is none of those that were asked for.
var nothingRan = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)no test target named|no tests ran|(^|[^,] )\d+ deselected in|does not contain recipe`)
})

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

// BaseIsBroken reports whether every verdict that does not hold fails in the same way without the work, and what is broken
// there is not what the work was to repair: something else was asked for, and done.
func BaseIsBroken(verdicts []Verdict) bool {
	return OnlyBase(verdicts) && slices.ContainsFunc(verdicts, func(v Verdict) bool {
		if v.Holds {
			// What held before the work says nothing about it.
			return v.isRed() && v.Source != FromProject && !v.Guard
		}
		return v.Source == FromProject || v.Guard || len(v.Evidence) > 0 && v.Evidence[len(v.Evidence)-1].lacksProgram()
	})
}
