package spec

import "strings"

// Fenced quotes a text as a code block in a language, "" for none, behind a fence that
// nothing in the text can close.
func Fenced(lang, text string) string {
	fence := strings.Repeat("`", longestTicks(text)+3)
	return fence + lang + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// longestTicks is the length of the longest run of backticks.
func longestTicks(text string) int {
	longest, run := 0, 0
	for _, c := range text {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
