package text

import "strings"

// IsError reports whether a line begins as errors of tools do: "error: ...", "npm error ...", "npm ERR! ...", "tsc: error: ...".
func IsError(line string) bool {
	words := strings.Fields(line)
	for i, word := range words[:min(2, len(words))] {
		bare := strings.TrimRight(word, ":!")
		// The first word may be the name of the tool, but "no error" and "checking error handling" are no errors.
		if i == 1 && bare == word && words[0] != "npm" {
			return false
		}
		switch strings.ToLower(bare) {
		case "error", "err", "fatal":
			return true
		}
	}
	return false
}
