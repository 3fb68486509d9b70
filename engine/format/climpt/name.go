package climpt

import (
	"fmt"
	"strings"
)

// Name is how a command is found: by its domain, action and target.
type Name struct {
	C1 string `json:"c1"` // the domain, such as git
	C2 string `json:"c2"` // the action, such as group-commit
	C3 string `json:"c3"` // the target, such as unstaged-changes
}

// maxWord limits the bytes of a word.
const maxWord = 64

// CheckWord refuses what cannot be a word of a command, an edition, an adaptation or an agent. The key is for the
// message.
func CheckWord(key, text string) error {
	switch {
	case text == "":
		return fmt.Errorf("%s is empty", key)
	case len(text) > maxWord || !isWord(text):
		return fmt.Errorf("invalid %s %q (use letters, digits, - and _, at most %d)", key, clip(text), maxWord)
	}
	return nil
}

// isWord reports whether a text has only the characters of words, and begins with a letter or digit.
func isWord(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case i > 0 && (c == '-' || c == '_'):
		default:
			return false
		}
	}
	return true
}

// Check refuses a name with a word that is missing or cannot be one.
func (n Name) Check() error {
	for _, w := range [...]struct{ key, text string }{{"c1", n.C1}, {"c2", n.C2}, {"c3", n.C3}} {
		if err := CheckWord(w.key, w.text); err != nil {
			return err
		}
	}
	return nil
}

// ParseName reads a name such as git/group-commit/unstaged-changes.
func ParseName(text string) (Name, error) {
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return Name{}, fmt.Errorf("invalid command %q (use three words such as git/group-commit/unstaged-changes)", clip(text))
	}
	n := Name{parts[0], parts[1], parts[2]}
	return n, n.Check()
}

// IsName reports whether a text is meant as the name of a command rather than of a prompt.
func IsName(text string) bool { return strings.Contains(text, "/") }

// String is the name as ParseName reads it.
func (n Name) String() string { return n.C1 + "/" + n.C2 + "/" + n.C3 }

// Compare orders names by domain, action and target.
func Compare(a, b Name) int {
	if order := strings.Compare(a.C1, b.C1); order != 0 {
		return order
	}
	if order := strings.Compare(a.C2, b.C2); order != 0 {
		return order
	}
	return strings.Compare(a.C3, b.C3)
}

// clip shortens a text of a caller for a message.
func clip(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
