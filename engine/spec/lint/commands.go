package lint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/spec"
	"chant/engine/spec/fileset"
)

// checkDeadCommands reports commands whose program does not exist, unless the spec itself is to create it.
func (l *linter) checkDeadCommands() {
	if !l.isOpen() || l.World.Command == nil {
		return
	}
	reported := map[string]bool{}
	for _, c := range l.commands() {
		word := programOf(c.run)
		// A command that the spec is to create does not exist yet.
		if word == "" || reported[word] || fileset.Overlap([]string{word}, l.s.Fields.TargetFiles) || l.World.Command(word, c.dir) {
			continue
		}
		reported[word] = true
		l.report("dead_command", c.line, l.editStep(), "%s runs %q, which is not found", c.what, word)
	}
}

// checkInputs reports inputs that match no file, unless the spec itself is to create it: a change of what was meant would not
// count.
func (l *linter) checkInputs() {
	if !l.isOpen() || l.World.Matches == nil {
		return
	}
	checks := l.s.Checks()
	globs := slices.Clone(checks.Inputs)
	for _, c := range checks.Commands {
		globs = append(globs, c.Inputs...)
	}
	slices.Sort(globs)
	for _, glob := range slices.Compact(globs) {
		if glob != spec.InputsAuto && !fileset.Overlap([]string{glob}, l.s.Fields.TargetFiles) && !l.World.Matches(glob) {
			l.report("unmatched_input", l.keyLine("verify"), l.editStep(), "verify.inputs: %q matches no file", glob)
		}
	}
}

// command is a shell line of a spec.
type command struct {
	what, run, dir string
	line           int
}

// commands lists the commands of criteria, then those under verify.
func (l *linter) commands() []command {
	var out []command
	v := l.s.Checks()
	for _, c := range spec.Criteria(l.s.Doc) {
		for _, run := range c.Commands {
			out = append(out, command{fmt.Sprintf("criterion %d", c.Number), run, v.Dir, c.Line})
		}
	}
	for _, c := range v.Commands {
		out = append(out, command{"verify", c.Run, cmp.Or(c.Dir, v.Dir), l.keyLine("verify")})
	}
	return out
}

// programOf returns the first program that a shell line starts. It returns "" if the line begins with a builtin of the
// shell, or if only a shell can find out.
func programOf(line string) string {
	for word := range strings.FieldsSeq(line) {
		switch {
		case isAssignment(word), slices.Contains([]string{"!", "exec", "command", "time"}, word):
			continue
		// Only a shell can find out which program this starts.
		case strings.ContainsAny(word, "$`*?[]{}()<>|&;\"'\\#~="), slices.Contains(shellBuiltins(), word):
			return ""
		}
		return word
	}
	return ""
}

// isAssignment reports whether a word sets a variable for the command that follows.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" &&
		!strings.ContainsAny(word, "$`\"'\\(")
}

// shellBuiltins lists the builtins and keywords of a POSIX shell.
func shellBuiltins() []string {
	return []string{
		".", ":", "alias", "bg", "break", "case", "cd", "continue", "echo", "eval", "exit", "export", "false", "fg", "for",
		"function", "getopts", "hash", "if", "jobs", "kill", "let", "local", "printf", "pwd", "read", "readonly", "return",
		"set", "shift", "source", "test", "times", "trap", "true", "type", "ulimit", "umask", "unalias", "unset", "until",
		"wait", "while",
	}
}

// nearCommand matches a code span that looks like the command of a criterion: one that begins with " $ ", or, at the
// end of the line, one that begins with "$" and a word in lower case, which is rarely a variable.
var nearCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`( *\\$ [^`]+)`[^`]*$|`( *\\$[a-z./][^`]*)`\\W*$")
})

// checkNearCommands reports criteria that seem to have a command but have none, so that only their boxes count.
func (l *linter) checkNearCommands() {
	if !l.isOpen() {
		return
	}
	for _, c := range spec.Criteria(l.s.Doc) {
		if c.Runs() {
			continue
		}
		m := nearCommand().FindStringSubmatch(c.Text)
		if m == nil {
			continue
		}
		run := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(m[1]+m[2]), "$"))
		l.report("near_command", c.Line, l.editStep(), "criterion %d is a box without a command: a command ends the line, as in `$ %s`", c.Number, spec.Echo(run))
	}
}
