package gitexec

import "strings"

// Records splits NUL-terminated output.
func Records(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

// NewSide returns the mode and the content to which a line of "git diff --raw" leads:
// ":oldmode newmode oldhash newhash status".
func NewSide(info string) (mode, hash string, ok bool) {
	parts := strings.Fields(info)
	if len(parts) != 5 {
		return "", "", false
	}
	return parts[1], parts[3], true
}
