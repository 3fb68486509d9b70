package planning

import (
	"slices"
	"strings"
)

// simple is one command of a line for a shell, without the operators around it.
type simple struct {
	operator string // in front of it: "" for the first, or one of ; & && || | (
	negated  bool   // by a "!"
	words    []string
}

// program is what it starts, "" if only a shell can find out.
func (s simple) program() string {
	if len(s.words) == 0 || strings.ContainsAny(s.words[0], "$`*?") {
		return ""
	}
	return s.words[0]
}

// simples splits a line at the operators of a shell. Quotes are removed; what a shell puts in the place of "$(…)" is a part of a
// word, with these characters. What stands before a program and starts it, such as "env", is left out.
func simples(line string) []simple {
	var out []simple
	var word strings.Builder
	now, inWord := simple{}, false
	endWord := func() {
		if inWord {
			now.words = append(now.words, word.String())
		}
		word.Reset()
		inWord = false
	}
	end := func(operator string) {
		endWord()
		if now.strip(); len(now.words) > 0 || now.negated {
			out = append(out, now)
			now = simple{operator: operator}
			return
		}
		// Of "( cd x", the operator in front of the bracket counts no more.
		now = simple{operator: operator}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		rest := line[i:]
		switch {
		case c == '\\' && i+1 < len(line):
			i++
			inWord = true
			word.WriteByte(line[i])
		case c == '\'' || c == '"':
			inside, n := quoted(rest)
			inWord = true
			word.WriteString(inside)
			i += n - 1
		case c == '`' || strings.HasPrefix(rest, "$("):
			n := substituted(rest)
			inWord = true
			word.WriteString(rest[:n])
			i += n - 1
		case c == '#' && !inWord:
			end("")
			return out
		case c == ' ' || c == '\t':
			endWord()
		// As in 2>&1 and &>file.
		case c == '&' && (i > 0 && strings.ContainsRune("<>", rune(line[i-1])) || strings.HasPrefix(rest, "&>")):
			inWord = true
			word.WriteByte(c)
		case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
			end(rest[:2])
			i++
		case strings.IndexByte(";&|(", c) >= 0:
			end(string(c))
		case c == '\n' || c == ')':
			end(";")
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	end("")
	return out
}

// quoted returns what is between the quotes at the start of a text, and how long that is with them.
func quoted(text string) (inside string, length int) {
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return out.String(), i + 1
		case text[i] == '\\' && text[0] == '"' && i+1 < len(text) && strings.IndexByte("\"\\$`", text[i+1]) >= 0:
			i++
		case text[0] == '"' && strings.HasPrefix(text[i:], "$("):
			n := substituted(text[i:])
			out.WriteString(text[i : i+n])
			i += n - 1
			continue
		}
		out.WriteByte(text[i])
	}
	return out.String(), len(text)
}

// substituted is how long the "`…`" or "$(…)" at the start of a text is.
func substituted(text string) int {
	if text[0] == '`' {
		if n := strings.IndexByte(text[1:], '`'); n >= 0 {
			return n + 2
		}
		return len(text)
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\'', '"':
			_, n := quoted(text[i:])
			i += n - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// strip removes the words in front of the program.
func (s *simple) strip() {
	for len(s.words) > 0 {
		word := s.words[0]
		name, _, assigns := strings.Cut(word, "=")
		switch {
		case word == "!":
			s.negated = !s.negated
		case slices.Contains([]string{"if", "then", "else", "elif", "do", "while", "until", "{", "time", "exec", "command", "env", "nice", "nohup"}, word):
		case word == "timeout" || word == "xargs":
			s.words = s.words[1:]
			for len(s.words) > 0 && (strings.HasPrefix(s.words[0], "-") || strings.Trim(s.words[0], "0123456789.smhd") == "") {
				s.words = s.words[1:]
			}
			continue
		case assigns && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "":
		default:
			return
		}
		s.words = s.words[1:]
	}
}

// alwaysFails reports whether a line that has failed does so whatever the files are.
func alwaysFails(line string) bool {
	all := simples(line)
	if len(all) == 0 {
		// Such as "!".
		return true
	}
	last := all[len(all)-1]
	words := last.words
	if len(words) == 0 {
		return len(all) == 1
	}
	for _, s := range all[:len(all)-1] {
		// Another end of the line may come first.
		if slices.Contains([]string{"exit", "return", "trap", "exec", "for", "case"}, s.program()) {
			return false
		}
	}
	// In an "if" or a list in braces, the last command need not be reached.
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\n;()", r) }) {
		if slices.Contains([]string{"if", "while", "until", "for", "case", "{", "exec", "trap"}, word) {
			return false
		}
	}
	if last.operator == "||" || strings.ContainsAny(strings.Join(words, " "), "$`*?<>") {
		return false
	}
	// Behind a "&&" it may not have been reached.
	reached := last.operator != "&&"
	switch words[0] {
	case "false":
		return !last.negated
	case "exit", "return":
		return !last.negated && len(words) > 1 && strings.Trim(words[1], "0") != ""
	case "true", ":":
		return last.negated
	case "echo", "printf":
		return last.negated || len(all) == 1
	case "sleep":
		return reached
	case "test", "[", "[[":
		// Its operators with one letter ask for files, but for the two that ask for texts.
		return reached && !slices.ContainsFunc(words[1:], func(word string) bool {
			return len(word) == 2 && word[0] == '-' && word != "-n" && word != "-z"
		})
	}
	return false
}
