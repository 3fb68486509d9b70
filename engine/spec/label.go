package spec

import (
	"fmt"
	"strings"

	"chant/text"
)

// maxLabel limits the length of a label, in bytes.
const maxLabel = 64

// CheckLabel refuses a text that cannot be the label of a machine. A label has letters, digits and "-", "_", ".", "/"
// and ":", so that it can be given in a list with commas and in a shell without quotes.
func CheckLabel(label string) error {
	bad := strings.IndexFunc(label, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-_./:", c))
	})
	switch {
	case label == "":
		return fmt.Errorf("a label is empty")
	case len(label) > maxLabel:
		return fmt.Errorf("label %q has more than %d characters", text.Clip(label, maxLabel), maxLabel)
	case bad >= 0:
		return fmt.Errorf("invalid label %q (use letters, digits and - _ . / :)", label)
	}
	return nil
}
