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

// deadCommands finds commands whose program no one has. One that the spec itself is to
// make is not missed.
func (l *linter) deadCommands() {
	if !l.open() || l.World.Command == nil {
		return
	}
	told := map[string]bool{}
	for _, c := range l.commands() {
		word := program(c.run)
		if word == "" || told[word] || fileset.Overlap([]string{word}, l.s.Fields.TargetFiles) || l.World.Command(word, c.dir) {
			continue
		}
		told[word] = true
		l.find("dead_command", c.line, l.edit(), "%s runs %q, which is not found", c.what, word)
	}
}

// command is a shell line of a spec.
type command struct {
	what, run, dir string
	line           int
}

// commands are those of criteria, then those of the whole spec.
func (l *linter) commands() []command {
	var out []command
	v := l.s.Checks()
	for _, c := range spec.Criteria(l.s.Doc) {
		for _, run := range c.Commands {
			out = append(out, command{fmt.Sprintf("criterion %d", c.Number), run, v.Dir, c.Line})
		}
	}
	for _, c := range v.Commands {
		out = append(out, command{"verify", c.Run, cmp.Or(c.Dir, v.Dir), l.line("verify")})
	}
	return out
}

// program is the first program that a shell line starts, "" when the line begins with
// what the shell does itself or where it cannot be told without a shell.
func program(line string) string {
	for word := range strings.FieldsSeq(line) {
		switch {
		case isAssignment(word), slices.Contains([]string{"!", "exec", "command", "time"}, word):
			continue
		case strings.ContainsAny(word, "$`*?[]{}()<>|&;\"'\\#~="), slices.Contains(builtins(), word):
			return ""
		}
		return word
	}
	return ""
}

// isAssignment reports whether a word sets a variable for the command behind it.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" &&
		!strings.ContainsAny(word, "$`\"'\\(")
}

// builtins are what a POSIX shell does itself.
func builtins() []string {
	return []string{
		".", ":", "alias", "bg", "break", "case", "cd", "continue", "echo", "eval", "exit", "export", "false", "fg", "for",
		"function", "getopts", "hash", "if", "jobs", "kill", "let", "local", "printf", "pwd", "read", "readonly", "return",
		"set", "shift", "source", "test", "times", "trap", "true", "type", "ulimit", "umask", "unalias", "unset", "until",
		"wait", "while",
	}
}

// nearCommand is a code span that looks like the command of a criterion: one with "$ "
// anywhere, and at the end of the line also one with "$" and a word in lower case, which
// is seldom a variable.
var nearCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`( *\\$ [^`]+)`[^`]*$|`( *\\$[a-z./][^`]*)`\\W*$")
})

// nearCommands finds criteria that end in what someone may take for a command and that
// chant does not run: their boxes speak.
func (l *linter) nearCommands() {
	if !l.open() {
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
		l.find("near_command", c.Line, l.edit(), "criterion %d is a box without a command: a command ends the line, as in `$ %s`", c.Number, spec.Echo(run))
	}
}
