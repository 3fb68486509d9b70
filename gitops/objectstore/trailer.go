package objectstore

import "strings"

// Trailers reads the last paragraph of a message, if it is not the first and consists of
// "Key: value" lines alone; an indented line continues the value above.
func Trailers(message string) map[string]string {
	message = strings.TrimRight(message, "\n")
	cut := strings.LastIndex(message, "\n\n")
	if cut < 0 {
		return nil
	}
	found, last := map[string]string{}, ""
	for line := range strings.SplitSeq(message[cut+2:], "\n") {
		if last != "" && strings.HasPrefix(line, " ") {
			found[last] += " " + strings.TrimSpace(line)
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(key) {
			return nil
		}
		last = key
		found[key] = strings.TrimSpace(value)
	}
	return found
}

// isToken reports whether key can name a trailer: letters, digits and dashes.
func isToken(key string) bool {
	for _, c := range key {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return key != ""
}
