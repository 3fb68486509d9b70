package task

import (
	"fmt"
	"slices"
	"strings"
)

// fold returns a word as it is compared: in lower case, without spaces, underscores and hyphens.
func fold(word string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_- \t\n\r", r) {
			return -1
		}
		return r
	}, strings.ToLower(word))
}

// MatchEnum returns the configured spelling of a value. Where the list is empty or has "*", any value is allowed and
// returned trimmed, in the spelling of the list if it is in there. A blank value and "*" are never allowed.
func MatchEnum(value string, allowed []string) (canonical string, ok bool) {
	if canonical, ok = matchWord(value, allowed); ok {
		return canonical, true
	}
	value = strings.TrimSpace(value)
	// A list that allows everything still has to get something.
	if !equalWords(value, "") && !equalWords(value, "*") && (len(allowed) == 0 || slices.Contains(allowed, "*")) {
		return value, true
	}
	return "", false
}

// matchWord returns the word of a list that a value means. It takes "*" for no word.
func matchWord(value string, words []string) (string, bool) {
	if equalWords(value, "") || equalWords(value, "*") {
		return "", false
	}
	for _, word := range words {
		if equalWords(word, value) {
			return word, true
		}
	}
	return "", false
}

// equalWords reports whether two words are compared as equal.
func equalWords(a, b string) bool { return fold(a) == fold(b) }

// Suggest returns the allowed values that are nearly the value, nearest first: those with few typing errors, and those
// that one of the two begins.
func Suggest(value string, allowed []string) []string {
	folded := []rune(fold(value))
	// The comparison takes time in proportion to the product of the lengths.
	if len(folded) == 0 || len(folded) > maxWord {
		return nil
	}
	type candidate struct {
		word string
		far  int
	}
	var near []candidate
	for _, word := range allowed {
		other := []rune(fold(word))
		if len(other) == 0 || word == "*" || len(other) > maxWord {
			continue
		}
		far := typingErrors(folded, other)
		begins := strings.HasPrefix(string(other), string(folded)) || strings.HasPrefix(string(folded), string(other))
		// A beginning is a hint only if it has more than one letter.
		if far <= max(1, len(folded)/3) || begins && len(folded) > 1 {
			near = append(near, candidate{word, far})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.far - b.far })
	words := make([]string, 0, len(near))
	for _, c := range near {
		words = append(words, c.word)
	}
	return words
}

// maxWord limits what is compared letter by letter.
const maxWord = 100

// typingErrors counts the letters to insert, remove or replace to turn a into b.
func typingErrors(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// EnumError reports a value that is not in its list.
type EnumError struct {
	Field    string // status, priority, type, or the name of another list
	Provided string
	Allowed  []string
}

// Error names the field, the value, similar values and all that are allowed.
func (e *EnumError) Error() string {
	return fmt.Sprintf("%s%s validation failed: %s", strings.ToUpper(e.Field[:1]), e.Field[1:], e.details())
}

// details is the sentence without the field in front.
func (e *EnumError) details() string {
	text := fmt.Sprintf("%q is not a valid %s", e.Provided, e.Field)
	if near := Suggest(e.Provided, e.Allowed); len(near) > 0 {
		text += fmt.Sprintf(" (did you mean %s?)", near[0])
	}
	if words := e.words(); len(words) > 0 {
		text += ". Valid values: " + strings.Join(words, ", ")
	} else if slices.Contains(e.Allowed, "*") {
		text += ": it has no letter, digit or sign other than _, - and *"
	}
	return text
}

// words lists the values that are allowed, without the "*" that allows any.
func (e *EnumError) words() []string {
	return slices.DeleteFunc(append([]string{}, e.Allowed...), func(word string) bool { return word == "*" })
}

// Fault returns the error as clients of lotar get it.
func (e *EnumError) Fault() *Fault {
	return &Fault{Code: InvalidParams, Message: e.Error(), Data: map[string]any{
		"field": e.Field, "code": "invalid_enum_value", "provided": e.Provided,
		"suggestions": e.words(), "details": e.details(),
	}}
}
