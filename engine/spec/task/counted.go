package task

import "strconv"

// WithNoun returns a number with its noun, in the plural unless there is one: "1 task", "2 tasks".
func WithNoun(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
