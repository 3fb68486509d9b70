package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainText refuses what no spec can hold: bytes that are no text, and control
// characters other than tabs and line ends. Error: Invalid.
func plainText(name, value string) error {
	if !utf8.ValidString(value) {
		return fail(Invalid, "chant --help", "%s is no UTF-8 text", name)
	}
	value = strings.ReplaceAll(value, "\r\n", "\n")
	for _, r := range value {
		if unicode.IsControl(r) && r != '\t' && r != '\n' {
			return fail(Invalid, "chant --help", "%s holds the control character %U", name, r)
		}
	}
	return nil
}

// list is a parameter with several values.
type list struct {
	name  string
	items *[]string
}

// plainLists refuses entries that are empty or no plain text, and drops those
// that stand there twice. Error: Invalid.
func plainLists(lists ...list) error {
	for _, l := range lists {
		var kept []string
		for i, item := range *l.items {
			if strings.TrimSpace(item) == "" {
				return fail(Invalid, "chant --help", "entry %d of %s is empty", i+1, l.name)
			}
			if err := plainText(l.name, item); err != nil {
				return err
			}
			if !slices.Contains(kept, item) {
				kept = append(kept, item)
			}
		}
		if len(kept) > 0 { // an empty list is another thing than none
			*l.items = kept
		}
	}
	return nil
}
