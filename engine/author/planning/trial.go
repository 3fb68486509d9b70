package planning

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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

// ahead is what a spec may expect to be there when its criteria run: the files of the base, and what it and those before it create.
type ahead struct {
	files []string // their target files
	texts string   // what they say
	there []string // the files of the base
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
		if folder := strings.TrimSuffix(strings.TrimSuffix(word, "..."), "/"); folder != "" && folder != "." && a.makesIn(folder) {
			return true
		}
	}
	return false
}

// makesIn reports whether a file in a folder is made.
func (a ahead) makesIn(folder string) bool {
	return slices.ContainsFunc(a.files, func(file string) bool { return strings.HasPrefix(path.Clean(file), folder+"/") })
}

// has reports whether one of the target files, or the texts, name a file.
func (a ahead) has(base string) bool {
	return a.names(base) || slices.ContainsFunc(a.files, func(file string) bool { return path.Base(file) == base })
}

// names reports whether the texts have a word.
func (a ahead) names(word string) bool {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	for rest := a.texts; word != ""; {
		before, after, found := strings.Cut(rest, word)
		if !found {
			break
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if !letter(last) && !letter(first) {
			return true
		}
		rest = after
	}
	return false
}

// isThere reports whether the base has a file or folder.
func (a ahead) isThere(name string) bool {
	return slices.ContainsFunc(a.there, func(file string) bool { return file == name || strings.HasPrefix(file, name+"/") })
}

// stateOf judges how one criterion ended, and says why it is not good.
//
// pair says that it runs tests which are still to be written: where they are missing, some runners pass.
func stateOf(v criteria.Verdict, guard, pair bool, of ahead) (State, string) {
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
	case v.Holds && pair && noTests().MatchString(v.Evidence[len(v.Evidence)-1].Tail):
		return Red, ""
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
//
// A wrong "it may be" costs a person a look; the reverse costs a good criterion its command.
func misfire(e criteria.Evidence, of ahead) string {
	said := lastLine(e.Tail)
	line := simples(e.Command)
	switch {
	case e.TimedOut, e.ExitCode == 124 && strings.Contains(e.Command, "timeout"):
		return fmt.Sprintf("it did not end within %.0f s", e.Seconds)
	case e.Refused != "":
		return "the sandbox stops it: " + e.Refused
	case e.ExitCode == 128+9, e.ExitCode == 128+15:
		return "it was ended by a signal"
	case alwaysFails(e.Command):
		return "it fails whatever the work is"
	case misread().MatchString(e.Tail), mistested(line, e.Tail), misused(line, e.Tail), mistyped(line, e.Tail):
		return "the shell or a program cannot read it: " + said
	case isOffline(e.Tail):
		return "it needs a network: " + said
	}
	if program := missingProgram(line, e); program != "" && !of.makes(program) && !(strings.Contains(e.Command, "PATH=") && of.has(path.Base(program))) {
		return fmt.Sprintf("it cannot be started: %s: not found", program)
	}
	if folder := missingFolder(line, e.Tail); folder != "" && !of.makesIn(folder) && !of.names(folder) && !of.names(path.Base(folder)) {
		return "it enters a folder that is not there, and no spec adds it: " + folder
	}
	for _, m := range manifests() {
		found := m.says.FindStringSubmatch(e.Tail)
		if found == nil || slices.ContainsFunc(m.files, of.has) {
			continue
		}
		// A name such as "test" is in every text.
		if name := strings.Join(found[1:], ""); strings.ContainsAny(name, "-_:.") && of.names(name) {
			continue
		}
		return "it runs what is not there, and no spec adds it: " + said
	}
	// A message quotes what the command has asked for, which the work may add.
	if of.makes(e.Command) {
		return ""
	}
	if e.ExitCode == 126 || e.ExitCode == 127 {
		return "it cannot be started: " + said
	}
	if script := scripts().FindStringSubmatch(e.Command); script != nil && absent().MatchString(e.Tail) && strings.Contains(e.Tail, path.Base(script[1])) {
		return "it runs a script that is not there, and no spec adds it: " + said
	}
	if wrong, right := misspelled(line, e.Tail, of); wrong != "" {
		return fmt.Sprintf("it names %s, which is not there: there is %s", wrong, right)
	}
	return ""
}

// mistested reports whether a "test" or "[" of the shell cannot be read. Where it has the output of a command or a variable, that
// may be empty because the work is missing.
func mistested(line []simple, tail string) bool {
	return testFault().MatchString(tail) && !slices.ContainsFunc(line, func(s simple) bool {
		return slices.Contains([]string{"test", "[", "[["}, s.program()) && strings.ContainsAny(strings.Join(s.words, " "), "$`")
	})
}

// misused reports whether a program of the machine says that it does not understand its command line. What the repository's own
// programs say of a command that the work adds is another matter.
func misused(line []simple, tail string) bool {
	for said := range strings.Lines(tail) {
		program, rest, _ := strings.Cut(strings.TrimSpace(said), ": ")
		if misunderstood().MatchString(rest) && slices.ContainsFunc(line, func(s simple) bool { return s.program() == program && isInstalled(program) }) {
			return true
		}
	}
	// Toolchains do not begin with their names what they say. Their own tests may print such a message about another option.
	for _, s := range line {
		if !toolchain().MatchString(strings.Join(s.words, " ")) {
			continue
		}
		for _, found := range unknownOption().FindAllStringSubmatch(tail, -1) {
			option := strings.TrimLeft(found[1], "-")
			if slices.ContainsFunc(s.words[1:], func(word string) bool {
				name, _, _ := strings.Cut(word, "=")
				return strings.TrimLeft(name, "-") == option && (name != option || found[1] == option)
			}) {
				return true
			}
		}
		if toolFault().MatchString(tail) {
			return true
		}
	}
	return false
}

// isInstalled reports whether a program is not one of the repository.
func isInstalled(program string) bool {
	return !strings.Contains(program, "/") || strings.HasPrefix(program, "/")
}

// mistyped reports whether a program that stands in the command itself cannot be read: no file can change that.
func mistyped(line []simple, tail string) bool {
	return slices.ContainsFunc(line, func(s simple) bool {
		for _, language := range inline() {
			if language.programs.MatchString(s.program()) && slices.ContainsFunc(s.words, language.option.MatchString) &&
				language.fault.MatchString(tail) && (language.butNot == nil || !language.butNot.MatchString(tail)) {
				return true
			}
		}
		return false
	})
}

// isOffline reports whether a program has missed a network. That nothing listens on this machine is another matter.
func isOffline(tail string) bool {
	for said := range strings.Lines(tail) {
		if offline().MatchString(said) && !loopback().MatchString(said) {
			return true
		}
	}
	return false
}

// missingProgram returns the program of a line that the shell has not found, "" if that need not be why the line has failed.
func missingProgram(line []simple, e criteria.Evidence) string {
	ended := e.ExitCode == 126 || e.ExitCode == 127
	// Behind these, another command decides.
	if !ended && slices.ContainsFunc(line, func(s simple) bool { return slices.Contains([]string{"||", ";", "&", "("}, s.operator) }) {
		return ""
	}
	for _, found := range notFound().FindAllStringSubmatch(e.Tail, -1) {
		if ended || slices.ContainsFunc(line, func(s simple) bool { return s.program() == found[1] }) {
			return found[1]
		}
	}
	return ""
}

// missingFolder returns the folder that a line cannot enter, "" if it can.
func missingFolder(line []simple, tail string) string {
	if !notEntered().MatchString(tail) {
		return ""
	}
	for _, s := range line {
		if s.program() == "cd" && s.operator != "||" && len(s.words) == 2 && !strings.ContainsAny(s.words[1], "$`~*") {
			folder := path.Clean(s.words[1])
			if strings.Contains(tail, s.words[1]) && !path.IsAbs(folder) {
				return folder
			}
		}
	}
	return ""
}

// misspelled returns a path of a command that is missing, and the one that is there and differs only by a plural or in case.
func misspelled(line []simple, tail string, of ahead) (wrong, right string) {
	if !absent().MatchString(tail) {
		return "", ""
	}
	for _, s := range line {
		for _, word := range s.words[min(1, len(s.words)):] {
			name := strings.TrimSuffix(path.Clean(strings.TrimSuffix(word, "...")), "/")
			if strings.ContainsAny(name, "$`*?[ ") || strings.HasPrefix(name, "-") || path.IsAbs(name) || !strings.Contains(tail, name) || of.isThere(name) {
				continue
			}
			if near := of.near(name); near != "" {
				return name, near
			}
		}
	}
	return "", ""
}

// near returns a path of the base that differs only by a plural or in case.
func (a ahead) near(name string) string {
	alike := func(a, b string) bool {
		stem := func(s string) string {
			extension := path.Ext(s)
			return strings.TrimSuffix(strings.ToLower(strings.TrimSuffix(s, extension)), "s") + extension
		}
		return len(a) > 2 && stem(a) == stem(b)
	}
	parts := strings.Split(name, "/")
	for _, file := range a.there {
		have := strings.Split(file, "/")
		if len(have) < len(parts) {
			continue
		}
		same := 0
		for i := range parts {
			switch {
			case parts[i] == have[i]:
				same++
			case !alike(parts[i], have[i]):
				same = -len(parts)
			}
		}
		if same == len(parts)-1 {
			return strings.Join(have[:len(parts)], "/")
		}
	}
	return ""
}

var (
	// misread finds what a shell says of a line that it cannot read.
	misread = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?mi)^(?:\S*/)?(?:ba|da|z|k)?sh: (?:.*: )?(?:syntax error|unexpected EOF|unterminated quoted|bad substitution|\[: missing .?\])`)
	})
	testFault = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?mi)^(?:\S*/)?(?:ba|da|z|k)?sh: (?:.*: )?(?:test|\[{1,2}): `)
	})
	misunderstood = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:unknown|unrecogni[sz]ed|invalid|illegal|bad|unexpected) (?:option|flag|arguments?|switch|subcommand|operator|regular expression|preceding|predicate|primary)|flag provided but not defined|unmatched (?:\[|\(|\\)|no such (?:sub)?command|is not a \S+ command|missing argument|requires an argument|unterminated|expression #\d+, char|^error: syntax error`)
	})
	// toolchain finds commands of toolchains that read their own flags, and not those of a program that they run.
	toolchain = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:go (?:test|vet|build|list)|cargo (?:test|build|check|clippy)|(?:npx |uv run |poetry run )?(?:pytest|tsc|eslint|ruff|mypy|jest|vitest)|python3? -m (?:pytest|unittest|mypy|ruff))\b`)
	})
	unknownOption = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:(?:unknown|unrecogni[sz]ed|invalid|illegal|bad|unexpected)(?: \w+)? (?:options?|flags?|arguments?|switch)|flag provided but not defined|no such option)[^\w\n-]*(-{0,2}[\w-]+)`)
	})
	// toolFault finds what toolchains say of a pattern for tests that they cannot read.
	toolFault = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^testing: invalid regexp|^ERROR: Wrong expression passed to`)
	})
	// offline finds what programs say without a network.
	offline = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|no such host|ENOTFOUND|EAI_AGAIN|failed to connect to \S+\.|couldn't connect to server|server misbehaving|dial tcp [^\s:]*\.`)
	})
	loopback = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\blocalhost\b|\b127\.\d+\.\d+\.\d+|\[?::1\b|\b0\.0\.0\.0\b`)
	})
	absent = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)no such file|not found|cannot (?:find|open)|could not find|can't open|does not exist|cannot access`)
	})
	// notFound finds the program that a shell has not found, or may not start.
	notFound = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?|env: ['‘]?)([^\s:'’]+)['’]?: (?:not found|command not found|No such file or directory|inaccessible or not found|Permission denied)$`)
	})
	// noTests finds what runners of tests say that pass without having run one.
	noTests = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?im)no tests? (?:to run|found|files)|\b(?:running|ran|collected) 0 (?:tests?|items)|^# tests 0$`)
	})
	notEntered = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:\S*/)?(?:ba|da|z|k)?sh: (?:.*: )?cd: `)
	})
	// scripts finds the file that an interpreter is to run.
	scripts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:sh|bash|dash|zsh|python3?|node|ruby|perl|php|deno run|bun)\s+([^\s;&|'"$-][^\s;&|'"$]*)`)
	})
)

// manifest is a file that says what a tool can run.
type manifest struct {
	says  *regexp.Regexp // what the tool says of something else, with its name
	files []string
}

var manifests = sync.OnceValue(func() []manifest {
	return []manifest{
		{regexp.MustCompile(`(?i)(?:missing script:?|no script (?:named|found)|couldn't find a script)\W*([\w:.-]*)|command "([^"]*)" not found`), []string{"package.json"}},
		{regexp.MustCompile(`(?i)could not read package\.json|couldn't find (?:a|any) package\.json|no package\.json|npx canceled due to missing packages()`), []string{"package.json"}},
		// Not what another target needs, which can be any file.
		{regexp.MustCompile("(?i)no rule to make target [`'‘]?([^,'’\n]*)['’]?\\.\\s|no targets specified"), []string{"Makefile", "makefile", "GNUmakefile"}},
		{regexp.MustCompile(`(?i)does not contain recipe\W*([\w-]*)|no justfile found`), []string{"justfile", "Justfile", ".justfile"}},
		{regexp.MustCompile(`(?i)task "([^"]*)" does not exist`), []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml"}},
		{regexp.MustCompile(`(?i)no (?:test|bin|example|bench) target named\W*([\w-]*)|could not find .?Cargo\.toml`), []string{"Cargo.toml"}},
		{regexp.MustCompile(`(?m)^go: (?:go\.mod file not found|cannot find main module)()`), []string{"go.mod", "go.work"}},
		{regexp.MustCompile(`there is no POM in this directory()`), []string{"pom.xml"}},
		{regexp.MustCompile(`Could not locate Gemfile()`), []string{"Gemfile"}},
		{regexp.MustCompile(`(?i)no module named .?(?:pytest|unittest2|nose|mypy|ruff|flake8|black|tox)\b()`), []string{"pyproject.toml", "requirements.txt", "requirements-dev.txt", "setup.py"}},
	}
})

// language is one in which a command can have a program.
type language struct {
	programs, option *regexp.Regexp
	fault            *regexp.Regexp // of that program, and not of a file
	butNot           *regexp.Regexp
}

var inline = sync.OnceValue(func() []language {
	re := regexp.MustCompile
	return []language{
		{re(`^node$`), re(`^-(?:e|p|pe|-eval|-print)`), re(`(?ms)^\[eval\]:\d+$.*^SyntaxError: `), re(`at \[eval\]:`)},
		{re(`^python[\d.]*$`), re(`^-\w*c`), re(`(?m)^ *File "<string>", line \d+\n(?:.*\n)*?(?:Syntax|Indentation|Tab)Error: `), nil},
		{re(`^perl$`), re(`^-\w*[eE]`), re(`(?m)^(?:syntax error|Can't find string terminator .*) (?:at|anywhere before EOF at) -e line`), nil},
		{re(`^ruby$`), re(`^-\w*e`), re(`(?m)^-e:(?: -e:)?\d+: syntax error`), nil},
		{re(`^[gm]?awk$`), re(``), re(`(?m)^(?:g?awk: cmd\. line:|mawk: line )\s*\d+: .*(?:syntax error|unterminated)`), nil},
	}
})

func lastLine(tail string) string {
	lines := strings.Split(strings.TrimSpace(tail), "\n")
	const most = 200 // characters of a reason
	return text.Clip(spec.OneLine(lines[len(lines)-1]), most)
}
