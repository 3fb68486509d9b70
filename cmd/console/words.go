package console

import (
	"fmt"

	"chant/text"
)

// Plural is a number of things, with an s at the end of the word where there is not one.
func Plural(n int, what string) string { return text.Plural(n, what) }

// Age spells seconds by their greatest unit.
func Age(seconds int64) string {
	switch {
	case seconds >= 86400:
		return fmt.Sprintf("%dd", seconds/86400)
	case seconds >= 3600:
		return fmt.Sprintf("%dh", seconds/3600)
	case seconds >= 60:
		return fmt.Sprintf("%dm", seconds/60)
	}
	return fmt.Sprintf("%ds", max(0, seconds))
}
