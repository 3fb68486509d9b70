package planning

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/evidence/criteria"
	"chant/engine/spec"
	"chant/text"
)

// State is how a criterion ended on the target, before any work.
type State string

// The states.
const (
	Red       State = "red"        // its command fails because the work is missing
	Guard     State = "guard"      // it holds, and is meant to hold before and after the work
	Green     State = "green"      // it holds already, and would prove nothing
	CannotRun State = "cannot_run" // its command did not run as it was meant to
	ByHand    State = "by_hand"    // a person ticks it
)

// Tried is a criterion of a planned spec, and how it ended.
type Tried struct {
	Text    string `json:"text" yaml:"text"` // without its command
	Command string `json:"command,omitempty" yaml:"command,omitempty"`
	State   State  `json:"state" yaml:"state"`
	Why     string `json:"why,omitempty" yaml:"why,omitempty"` // it is green or could not be run
}

// isGood reports whether a criterion need not be corrected.
func (t Tried) isGood() bool { return t.State != Green && t.State != CannotRun }

// ahead is what a spec may expect to be there when its criteria run: what it and those before it create.
type ahead struct {
	files []string // their target files
	texts string   // what they say
}

// makes reports whether a file that a command names is made by these specs.
func (a ahead) makes(command string) bool {
	if criteria.IsNamed(command, a.files) {
		return true
	}
	for word := range strings.FieldsFuncSeq(command, func(r rune) bool { return strings.ContainsRune(" \t'\"`;&|()<>$=", r) }) {
		word = strings.TrimPrefix(path.Clean(word), "./")
		// A word such as "test" is in every text.
		if strings.ContainsAny(word, "./") && len(word) > 2 && strings.Contains(a.texts, path.Base(word)) {
			return true
		}
		// A package of tests, such as ./shop or shop/..., is made by a file in it.
		folder := strings.TrimSuffix(strings.TrimSuffix(word, "..."), "/")
		if folder != "" && folder != "." && slices.ContainsFunc(a.files, func(file string) bool { return strings.HasPrefix(file, folder+"/") }) {
			return true
		}
	}
	return false
}

// has reports whether one of the target files, or the texts, name a file.
func (a ahead) has(base string) bool {
	return strings.Contains(a.texts, base) || slices.ContainsFunc(a.files, func(file string) bool { return path.Base(file) == base })
}

// stateOf judges how one criterion ended, and says why it is not good.
func stateOf(v criteria.Verdict, guard bool, of ahead) (State, string) {
	if v.How != criteria.ByRunning {
		return ByHand, ""
	}
	for _, e := range v.Evidence {
		if v.Holds && e.Offline != nil {
			return CannotRun, "it needs a network: without one it ends with exit " + fmt.Sprint(e.Offline.ExitCode)
		}
	}
	switch {
	case v.Flaky:
		return CannotRun, "it fails and holds on the same tree"
	case v.Holds && guard:
		return Guard, ""
	case v.Holds:
		return Green, "it holds already, so it would prove nothing"
	case guard:
		return CannotRun, "it is a guard and does not hold: " + v.WhyBeside()
	case len(v.Evidence) == 0:
		return CannotRun, v.WhyBeside()
	}
	last := v.Evidence[len(v.Evidence)-1]
	if why := misfire(last, of); why != "" {
		return CannotRun, why
	}
	return Red, ""
}

// misfire says why a command has failed for another reason than that work is missing, "" if it may be that.
func misfire(e criteria.Evidence, of ahead) string {
	said := lastLine(e.Tail)
	switch {
	case e.TimedOut, e.ExitCode == 124 && strings.Contains(e.Command, "timeout"):
		return fmt.Sprintf("it did not end within %.0f s", e.Seconds)
	case e.ExitCode == 128+9, e.ExitCode == 128+15:
		return "it was ended by a signal"
	case isConstant(e.Command):
		return "it fails whatever the work is"
	case misread().MatchString(e.Tail), misused(e):
		return "the shell or a program cannot read it: " + said
	case offline().MatchString(e.Tail):
		return "it needs a network: " + said
	}
	// A message quotes what the command has asked for, which the work may add.
	if of.makes(e.Command) {
		return ""
	}
	if e.ExitCode == 126 || e.ExitCode == 127 {
		return "it cannot be started: " + said
	}
	for _, m := range manifests() {
		if m.says.MatchString(e.Tail) && !slices.ContainsFunc(m.files, of.has) {
			return "it runs what is not there, and no spec adds it: " + said
		}
	}
	if script := scripts().FindStringSubmatch(e.Command); script != nil && absent().MatchString(e.Tail) && strings.Contains(e.Tail, path.Base(script[1])) {
		return "it runs a script that is not there, and no spec adds it: " + said
	}
	return ""
}

// misused reports whether a program of the machine says that it does not understand its command line. What the repository's own
// programs say of a command that the work adds is another matter.
func misused(e criteria.Evidence) bool {
	words := strings.FieldsFunc(e.Command, func(r rune) bool { return strings.ContainsRune(" \t'\"`;&|()", r) })
	for line := range strings.Lines(e.Tail) {
		program, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if slices.Contains(words, program) && misunderstood().MatchString(rest) {
			return true
		}
	}
	return toolchain().MatchString(e.Command) && misunderstood().MatchString(e.Tail)
}

var (
	// misread finds what a shell says of a line that it cannot read.
	misread = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?mi)^(?:\S*/)?(?:ba|da|z|k)?sh: (?:.*: )?(?:syntax error|unexpected EOF|unterminated quoted|bad substitution|(?:\S+ )*unexpected operator|\S*\[: .*|(?:unary|binary) operator expected|missing \])`)
	})
	misunderstood = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:unknown|unrecogni[sz]ed|invalid|illegal|bad|unexpected) (?:option|flag|arguments?|switch|subcommand|operator|regular expression|preceding)|flag provided but not defined|unmatched (?:\[|\(|\\)|no such (?:sub)?command|missing argument|requires an argument|unterminated`)
	})
	// toolchain finds commands of toolchains that read their own flags, and not those of a program that they run.
	toolchain = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:go (?:test|vet|build|list)|cargo (?:test|build|check|clippy)|pytest|python3? -m (?:pytest|unittest)|tsc|eslint|ruff|mypy|jest|vitest)\b`)
	})
	// offline finds what programs say without a network.
	offline = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|no such host|ENOTFOUND|EAI_AGAIN|failed to connect to \S+\.|couldn't connect to server|server misbehaving|dial tcp [^\s:]*\.`)
	})
	absent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)no such file|not found|cannot (?:find|open)|can't open|does not exist|cannot access`)
	})
	// scripts finds the file that an interpreter is to run.
	scripts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:sh|bash|dash|zsh|python3?|node|ruby|perl|php|deno run|bun)\s+([^\s;&|'"$-][^\s;&|'"$]*)`)
	})
)

// manifest is a file that says what a tool can run.
type manifest struct {
	says  *regexp.Regexp // what the tool says of something else
	files []string
}

var manifests = sync.OnceValue(func() []manifest {
	return []manifest{
		{regexp.MustCompile(`(?i)missing script|no script (?:named|found)|couldn't find a script|command "[^"]*" not found`), []string{"package.json"}},
		{regexp.MustCompile(`(?i)no rule to make target|no targets specified`), []string{"Makefile", "makefile", "GNUmakefile"}},
		{regexp.MustCompile(`(?i)does not contain recipe|no justfile found`), []string{"justfile", "Justfile", ".justfile"}},
		{regexp.MustCompile(`(?i)task "[^"]*" does not exist`), []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml"}},
		{regexp.MustCompile(`(?i)no (?:test|bin|example|bench) target named|could not find .?Cargo\.toml`), []string{"Cargo.toml"}},
		{regexp.MustCompile(`(?i)no module named .?(?:pytest|unittest2|nose|mypy|ruff|flake8|black|tox)\b`), []string{"pyproject.toml", "requirements.txt", "requirements-dev.txt", "setup.py"}},
	}
})

// isConstant reports whether a command ends the same way whatever the files are.
func isConstant(command string) bool {
	words := strings.Fields(command)
	if len(words) == 0 || strings.ContainsAny(command, "$`<>;&|") {
		return false
	}
	if words[0] == "!" {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return true
	case slices.Contains([]string{"true", "false", "exit", "return", ":", "echo", "printf", "sleep"}, words[0]):
		return true
	case !slices.Contains([]string{"test", "[", "[["}, words[0]):
		return false
	}
	// Its operators with one letter ask for files, but for the two that ask for texts.
	return !slices.ContainsFunc(words[1:], func(word string) bool {
		return len(word) == 2 && word[0] == '-' && word != "-n" && word != "-z"
	})
}

func lastLine(tail string) string {
	lines := strings.Split(strings.TrimSpace(tail), "\n")
	const most = 200 // characters of a reason
	return text.Clip(spec.OneLine(lines[len(lines)-1]), most)
}
