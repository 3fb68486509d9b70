package lint

import (
	"slices"
	"strings"

	"chant/engine/spec"
)

// deadCommands finds commands whose program nobody has. One that the spec itself is to
// make is not missed.
func (l *linter) deadCommands() {
	if !l.open() || l.World.Command == nil {
		return
	}
	told := map[string]bool{}
	for _, c := range spec.Criteria(l.s.Doc) {
		for _, line := range c.Commands {
			word := program(line)
			if word == "" || told[word] || spec.Overlap([]string{word}, l.s.Fields.TargetFiles) || l.World.Command(word) {
				continue
			}
			told[word] = true
			l.find("dead_command", c.Line, l.edit(), "criterion %d runs %q, which is not found", c.Number, word)
		}
	}
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
