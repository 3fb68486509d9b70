package weakened

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// call is a simple command of a shell: its words, the files from which it gets its input, and the folder in which it runs.
type call struct {
	words, input []string
	dir          string
}

// callsIn splits a line of a shell. Quotes are left out and divide nothing: what is in them may be a command, too.
func callsIn(line string) []call {
	var out []call
	var word strings.Builder
	one := call{dir: "."}
	var around []call // what brackets interrupt
	to := ' '         // < or > if the word is a file
	endWord := func() {
		if word.Len() == 0 {
			return
		}
		switch to {
		case '<':
			one.input = append(one.input, word.String())
		case ' ':
			one.words = append(one.words, word.String())
		}
		to = ' '
		word.Reset()
	}
	endCall := func() {
		endWord()
		dir := one.dir
		if one.words = withoutPrefix(one.words); len(one.words)+len(one.input) > 0 {
			out = append(out, one)
		}
		if len(one.words) > 1 && one.words[0] == "cd" {
			dir = path.Join(dir, one.words[1])
		}
		one, to = call{dir: dir}, ' '
	}
	var last rune
	for _, r := range line {
		switch r {
		case '\'', '"':
		case ' ', '\t':
			endWord()
		case '<', '>':
			endWord()
			to = r
		case '(':
			endWord()
			around = append(around, one)
			one, to = call{dir: one.dir}, ' '
		case ')':
			endCall()
			if len(around) > 0 {
				one, around = around[len(around)-1], around[:len(around)-1]
			}
			// A function begins.
			if last == '(' {
				endCall()
			}
		case '\n', ';', '|', '&', '`':
			endCall()
		default:
			word.WriteRune(r)
		}
		last = r
	}
	endCall()
	for _, c := range slices.Backward(around) {
		one = c
		endCall()
	}
	return out
}

// prefixes matches words in front of a program, with their options.
var prefixes = pattern{text: `^(?:[!{}]|if|then|elif|else|do|while|until|time|timeout|sudo|nice|env|exec|command|\w+=.*|[@+]+|-.*|\d[\d.]*[smhd]?)$`}

// withoutPrefix leaves out the words in front of a program.
func withoutPrefix(words []string) []string {
	for len(words) > 0 && prefixes.get().MatchString(words[0]) {
		words = words[1:]
	}
	return words
}

// looking matches programs that inspect or create files, so that their operands are not checks.
var looking = pattern{text: `^(?:test|\[\[?|ls|stat|find|git|[ef]?grep|rg|head|tail|wc|echo|printf|rm|mkdir|touch|chmod)$`}

// filtering matches programs that print what they read in another form: it may be what the work is about.
var filtering = pattern{text: `^(?:cat|sort|uniq|tr|cut|sed|awk|read)$`}

// comparing matches programs whose operands are what a result must equal.
var comparing = pattern{text: `^(?:cmp|g?diff|comm)$`}

// patternFile matches the options of grep whose value is a file of patterns.
var patternFile = pattern{text: `^(?:-\w*f|--file)$`}

// usedFiles are the files that commands run or read, those with which they compare results, and those that are programs.
type usedFiles struct{ run, expected, programs map[string]bool }

// newUsedFiles returns the files that commands use.
func newUsedFiles(commands []string) usedFiles {
	u := usedFiles{run: map[string]bool{}, expected: map[string]bool{}, programs: map[string]bool{}}
	for _, line := range commands {
		u.addCommand(line)
	}
	return u
}

// addCommand adds the files of a command.
func (u usedFiles) addCommand(line string) {
	for _, c := range callsIn(line) {
		if len(c.words) == 0 {
			continue
		}
		program, args := path.Base(c.words[0]), c.words[1:]
		u.programs[path.Join(c.dir, c.words[0])] = true
		for _, file := range c.input {
			if !looking.get().MatchString(program) && !filtering.get().MatchString(program) {
				u.addExpected(path.Join(c.dir, file))
			}
		}
		switch {
		case program == "cd":
		case comparing.get().MatchString(program):
			for _, arg := range args {
				u.addExpected(path.Join(c.dir, arg))
			}
		case looking.get().MatchString(program):
			for i, arg := range args {
				if name, value, ok := strings.Cut(arg, "="); ok && patternFile.get().MatchString(name) {
					u.addExpected(path.Join(c.dir, value))
				} else if strings.HasSuffix(program, "grep") && patternFile.get().MatchString(arg) && i+1 < len(args) {
					u.addExpected(path.Join(c.dir, args[i+1]))
				}
			}
		default:
			for _, word := range c.words {
				// A runner selects tests of a file behind two colons, and takes values of options behind an equals sign.
				word, _, _ = strings.Cut(word[strings.LastIndexByte(word, '=')+1:], "::")
				u.run[path.Join(c.dir, word)] = true
			}
		}
	}
}

func (u usedFiles) addExpected(file string) { u.run[file], u.expected[file] = true, true }

// targetsIn lists what commands ask the Makefile for. They name variables and options as well, which it does not declare.
func targetsIn(commands []string) []string {
	var out []string
	for _, line := range commands {
		for _, c := range callsIn(line) {
			if len(c.words) > 0 && slices.Contains([]string{"make", "gmake"}, path.Base(c.words[0])) && !slices.ContainsFunc(c.words, otherMakefile.get().MatchString) {
				out = append(out, c.words[1:]...)
				if !slices.ContainsFunc(c.words[1:], func(w string) bool {
					return !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") && strings.Trim(w, "0123456789") != ""
				}) {
					out = append(out, "")
				}
			}
		}
	}
	return out
}

// otherMakefile matches options by which make reads another Makefile.
var otherMakefile = pattern{text: `^(?:-[Cf]|--(?:directory|file|makefile))`}

// endings are lines that end a script early, or switch off what follows.
type endings struct {
	always, atTop *regexp.Regexp // wherever they are; outside of all blocks, and before lines that were there
}

// endingsOf returns those of a language, nil for others.
func endingsOf(lang string) *endings {
	switch lang {
	case "bash":
		return &endings{shellEnds.get(), shellExit.get()}
	case "python":
		return &endings{pythonEnds.get(), pythonExit.get()}
	case "javascript", "typescript", "tsx":
		return &endings{scriptEnds.get(), scriptExit.get()}
	}
	return nil
}

var (
	shellEnds  = pattern{text: `^set\s+-[a-z]*n|^set\s+-o\s+noexec|^trap\b.*\bexit\s+0\b.*(?:\bEXIT\b|\s0\s*$)|^if\s+(?:false|!\s*(?:true|:))\s*(?:;|$)|^(?::|true|cat\s*>\s*/dev/null)\s*<<`}
	shellExit  = pattern{text: `^(?:exit(?:\s+0)?|exec\s+(?:true|:|/bin/true))\s*(?:;|$)`}
	pythonEnds = pattern{text: `\bos\._exit\s*\(|^if\s+(?:False|0)\s*:`}
	pythonExit = pattern{text: `^(?:(?:sys\.)?exit|quit)\s*\(|^raise\s+SystemExit\b`}
	scriptEnds = pattern{text: `^if\s*\(\s*(?:false|0)\s*\)|process\.on\(\s*['"](?:exit|beforeExit|uncaughtException)\b.*(?:\bexit\(\s*0?\s*\)|\bexitCode\s*=\s*0)`}
	scriptExit = pattern{text: `^process\.exit\s*\(`}
	// redefines matches a function or an alias of a shell.
	redefines = pattern{text: `^(?:function\s+([\w.-]+)|([\w.-]+)\s*\(\)|alias\s+([\w.-]+)=)`}
	// sources matches a line by which a shell reads another script.
	sources = pattern{text: `^(?:\.|source)\s`}
	// interpreter matches a first line that names a program that runs scripts.
	interpreter = pattern{text: `^#!.*\b(?:[a-z]*sh|python[\d.]*|node|tsx|ts-node|npx|uv|deno|bun|ruby|perl|php|awk|tclsh|lua|Rscript|make)\b`}
)

// earlyEnd returns the first line that a change adds to a script and that ends it early, and where it is; "" for none.
func earlyEnd(lang, before, after string) (text string, at int) {
	ends := endingsOf(lang)
	if ends == nil {
		return "", 0
	}
	if first, _, _ := strings.Cut(after, "\n"); strings.HasPrefix(first, "#!") && interpreter.get().MatchString(before) && !interpreter.get().MatchString(first) {
		return first, 0
	}
	// A function may replace one of a script that is no longer read.
	unsourced := slices.ContainsFunc(changedLines(before, after), func(l line) bool { return sources.get().MatchString(l.text) })
	for _, l := range changedLines(after, before) {
		if ends.always.MatchString(l.text) || lang == "bash" && !unsourced && hidesCommand(l.text, before) {
			return l.text, l.at
		}
	}
	// They are counted, since the same line may end the script where it has always ended.
	if early := ends.early(after, before); len(early) > len(ends.early(before, before)) {
		return early[0].text, early[0].at
	}
	return "", 0
}

// early lists the lines of a script that leave it outside of all blocks, before lines that another version has, too.
func (e *endings) early(script, other string) []line {
	had := map[string]bool{}
	for _, l := range linesOf(other) {
		// A line that only closes something says little.
		had[bareLine(l.text)] = !structural.get().MatchString(l.text) && !e.atTop.MatchString(l.text)
	}
	var out []line
	all := linesOf(script)
	for i, l := range all {
		if e.atTop.MatchString(l.text) && strings.HasPrefix(script[l.at:], l.text) && slices.ContainsFunc(all[i+1:], func(l line) bool { return had[bareLine(l.text)] }) {
			out = append(out, l)
		}
	}
	return out
}

// hidesCommand reports whether a line gives the name of a command that a script uses to a function or an alias.
func hidesCommand(text, before string) bool {
	m := redefines.get().FindStringSubmatch(text)
	if m == nil {
		return false
	}
	name := m[1] + m[2] + m[3]
	defined, used := false, false
	for _, l := range linesOf(before) {
		if d := redefines.get().FindStringSubmatch(l.text); d != nil {
			defined = defined || d[1]+d[2]+d[3] == name
			continue
		}
		used = used || slices.ContainsFunc(callsIn(l.text), func(c call) bool { return len(c.words) > 0 && c.words[0] == name })
	}
	return used && !defined
}
