package task

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// maxPrefix limits the characters of a prefix.
const maxPrefix = 20

// CheckPrefix returns an error if text cannot be the prefix of a project.
func CheckPrefix(text string) error {
	switch {
	case text == "":
		return fmt.Errorf("a project prefix cannot be empty")
	case len(text) > maxPrefix:
		return fmt.Errorf("invalid project prefix %q (at most %d characters)", text, maxPrefix)
	case strings.HasPrefix(text, "@"):
		return fmt.Errorf("invalid project prefix %q (names with @ are reserved)", text)
	case !hasPrefixForm(text):
		return fmt.Errorf("invalid project prefix %q (use letters, digits, - and _, with a letter first)", text)
	// An id of a spec would be read as the key of a task.
	case isDated(text):
		return fmt.Errorf("invalid project prefix %q (ids of specs begin with dates)", text)
	}
	return nil
}

// hasPrefixForm reports whether a text begins with a letter and has only letters, digits, hyphens and underscores, and
// no hyphen at its end.
func hasPrefixForm(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && i == 0 || !letter && !isDigit(c) && c != '_' && c != '-' {
			return false
		}
	}
	return text[len(text)-1] != '-'
}

// isDated reports whether a year and a month are parts of a text, as of the ids of specs.
func isDated(text string) bool {
	parts := strings.Split(text, "-")
	for i := 1; i < len(parts); i++ {
		if len(parts[i-1]) == 4 && len(parts[i]) == 2 && strings.Trim(parts[i-1]+parts[i], "0123456789") == "" {
			return true
		}
	}
	return false
}

// ParseKey divides the key of a task, such as AUTH-12, at its last hyphen. The prefix keeps its case. Ids of specs are
// not keys.
func ParseKey(text string) (prefix string, n int, ok bool) {
	at := strings.LastIndexByte(text, '-')
	if at < 1 {
		return "", 0, false
	}
	prefix, digits := text[:at], text[at+1:]
	// Ids of specs have the same form and are no keys.
	if digits == "" || digits[0] < '1' || digits[0] > '9' || len(digits) > 9 || CheckPrefix(prefix) != nil {
		return "", 0, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return "", 0, false
	}
	return prefix, n, true
}

// Key returns the key of a task.
func Key(prefix string, n int) string { return prefix + "-" + strconv.Itoa(n) }

// CompareKeys orders keys as people count: X-2 before X-10. Other texts are ordered in the same way, by their runs of
// digits and of other characters.
func CompareKeys(a, b string) int {
	restA, restB := a, b
	for restA != "" && restB != "" {
		var runA, runB string
		runA, restA = cutRun(restA)
		runB, restB = cutRun(restB)
		if c := compareRuns(runA, runB); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(len(restA), len(restB)); c != 0 {
		return c
	}
	// Keys that differ only in zeros or case still need an order.
	return strings.Compare(a, b)
}

// cutRun cuts the run of digits, or of other characters, at the start of a text.
func cutRun(text string) (run, rest string) {
	digits := isDigit(text[0])
	for i := range len(text) {
		if isDigit(text[i]) != digits {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func compareRuns(a, b string) int {
	if !isDigit(a[0]) || !isDigit(b[0]) {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	}
	// Without zeros in front, the longer number is the larger one.
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// maxInitials limits the letters of a prefix that is made from a name.
const maxInitials = 4

// Prefix returns the prefix of a project with this name, by lotar's rule: a name of at most four characters in upper
// case, else the initials of its words, else its first four letters. It begins with a letter: digits in front are left
// out, and a name without letters gives TASK.
func Prefix(name string) string {
	prefix := strings.TrimLeft(shortForm(name), "0123456789")
	// A prefix begins with a letter.
	if prefix == "" {
		return "TASK"
	}
	return prefix
}

func shortForm(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	joined := strings.Join(words, "")
	switch {
	case len(words) == 0:
		return ""
	case len(words) == 1:
		return strings.ToUpper(joined[:min(len(joined), maxInitials)])
	case len(joined) < len(name) && len(name) <= maxInitials:
		return strings.ToUpper(joined)
	}
	var initials strings.Builder
	for _, word := range words[:min(len(words), maxInitials)] {
		initials.WriteByte(word[0])
	}
	return strings.ToUpper(initials.String())
}
