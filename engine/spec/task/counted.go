package task

import "strconv"

// Counted returns a number with its noun, in the plural unless there is one: "1 task", "2 tasks".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
