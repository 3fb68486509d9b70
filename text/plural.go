package text

import "fmt"

// Plural is a number of things, with an s at the end of the word where there is not one.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
