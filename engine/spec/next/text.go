package next

import (
	"slices"
	"strings"
)

// The words with which a text form can begin.
const (
	program = "chant"
	editor  = "vi"
)

// String returns the step as a person would type it on a command line, "" for the zero Step.
func (s Step) String() string {
	switch {
	case s.File != "":
		return editor + " " + s.File
	case s.Op == "" && len(s.Args) == 0:
		return s.Shell + s.ByHand
	case s.ByHand != "":
		return s.ByHand + " (" + s.command() + ")"
	case s.Shell != "":
		return s.Shell + " && " + s.command()
	}
	return s.command()
}

func (s Step) command() string {
	words := []string{program}
	if s.Op != "" {
		words = append(words, string(s.Op))
	}
	for _, a := range s.Args {
		if a.Flag != "" {
			words = append(words, "--"+a.Flag)
		}
		if a.Flag == "" || a.Value != "" {
			words = append(words, quote(a.Value))
		}
	}
	return strings.Join(words, " ")
}

// quote returns a text as one word for a POSIX shell.
func quote(word string) string {
	plain := func(r rune) bool { return r > 127 || strings.ContainsRune("-_./:=@%+,^", r) || isLetter(r) }
	switch {
	case word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }):
		return word
	case !strings.ContainsAny(word, "\"'\\$`!\n"):
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func isLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// Parse reads a text form. Text that it does not recognize becomes a command line of another program, so that every
// text is rendered unchanged.
func Parse(text string) Step {
	for _, s := range []Step{parseFile(text), parseCommand(text)} {
		// A text that would be rendered in another way was not understood.
		if s.String() == text {
			return s
		}
	}
	return Step{Shell: text}
}

func parseFile(text string) Step {
	path, _ := strings.CutPrefix(text, editor+" ")
	return Step{File: path}
}

// parseCommand reads an operation, after a command line of another program or not.
func parseCommand(text string) Step {
	var s Step
	// A command may have to run before the operation.
	if shell, rest, both := strings.Cut(text, " && "+program+" "); both {
		s.Shell, text = shell, program+" "+rest
	}
	words := splitWords(text)
	if len(words) == 0 || words[0] != program {
		return Step{}
	}
	s.Op, words = operation(words[1:])
	if s.Op == "" && !slices.Equal(words, []string{"--help"}) {
		// The text names an operation of another version.
		return Step{}
	}
	form, _ := s.Op.form()
	for i := 0; i < len(words); i++ {
		name, flag := strings.CutPrefix(words[i], "--")
		switch {
		case flag && i+1 < len(words) && slices.Contains(form.Flags, name):
			i++
			s = s.Set(name, words[i])
		case flag:
			s = s.Flag(name)
		default:
			s = s.Arg(words[i])
		}
	}
	return s
}

// operation returns the longest operation with which words begin, and the words after it.
func operation(words []string) (Op, []string) {
	// Some operations have two words, the first of which is another operation.
	for n := min(2, len(words)); n > 0; n-- {
		op := Op(strings.Join(words[:n], " "))
		if _, known := op.form(); known {
			return op, words[n:]
		}
	}
	return "", words
}

// splitWords splits a command line into words, which may be quoted by quote.
func splitWords(line string) []string {
	var (
		out   []string
		word  strings.Builder
		begun bool
		quote rune
		bare  bool // a backslash precedes the next rune
	)
	for _, r := range line {
		switch {
		case bare:
			word.WriteRune(r)
			bare = false
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, begun = r, true
		case r == '\\':
			bare, begun = true, true
		case r == ' ':
			if begun {
				out = append(out, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		out = append(out, word.String())
	}
	return out
}

// MarshalText returns the text form, which JSON and journals contain.
func (s Step) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the text form.
func (s *Step) UnmarshalText(text []byte) error {
	*s = Parse(string(text))
	return nil
}
