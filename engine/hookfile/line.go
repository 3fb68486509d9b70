package hookfile

import (
	"strings"
	"unicode"
)

// Line returns what sh runs for the hook, with arguments or without. Arguments are the positional parameters of the shell,
// and follow the command, unless that says itself where they belong. ok is false if what follows the command would be a
// command of its own or a comment: an argument such as "rm" must not be run.
func (h Hook) Line(withArguments bool) (line string, ok bool) {
	command := strings.TrimSpace(h.Command)
	if !withArguments || strings.Contains(command, "$@") || strings.Contains(command, "$*") {
		return command, true
	}
	return command + ` "$@"`, endsInWord(command)
}

// endsInWord reports whether a word that is appended to a command of sh, behind a space, belongs to its last part. It
// knows quotes, escapes and comments, and takes the text of here documents for commands.
func endsInWord(command string) bool {
	var quote, before rune // the open quote, and the character before
	escaped, comment := false, false
	for _, c := range command {
		switch {
		case comment:
			comment = c != '\n'
		case escaped:
			escaped, c = false, 'x'
		case quote == '\'' || quote == '"' && c != '\\':
			if c == quote {
				quote = 0
			}
			c = 'x'
		case c == '\\':
			escaped = true
		case c == '\'' || c == '"':
			quote = c
		case c == '#':
			comment = before == 0 || unicode.IsSpace(before) || strings.ContainsRune(";&|()", before)
		}
		before = c
	}
	return !escaped && !comment && quote == 0 && !strings.ContainsRune(";&|", before)
}
