package cmd

import (
	"fmt"
	"strings"
	"unicode"
)

// visible is a text of somebody else's, such as the output of a command, as a terminal
// can show it: control characters but line ends and tabs are spelled out.
func visible(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unprintable(r) {
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
