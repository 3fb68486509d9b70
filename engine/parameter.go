package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chant/engine/spec/next"
)

// PlainText refuses what no spec can contain: bytes that are not UTF-8, and control
// characters other than tabs and line ends. Error: Invalid.
func PlainText(name, value string) error {
	if !utf8.ValidString(value) {
		return Fail(Invalid, next.Help(), "%s is not UTF-8 text", name)
	}
	// Line ends of Windows are plain text; a single carriage return could hide a line in a terminal.
	value = strings.ReplaceAll(value, "\r\n", "\n")
	for _, r := range value {
		if unicode.IsControl(r) && r != '\t' && r != '\n' {
			return Fail(Invalid, next.Help(), "%s holds the control character %U", name, r)
		}
	}
	return nil
}

// List is a parameter with several values.
type List struct {
	Name  string
	Items *[]string
}

// PlainLists refuses entries that are empty or not plain text, and removes duplicates. Error: Invalid.
func PlainLists(lists ...List) error {
	for _, l := range lists {
		var kept []string
		for i, item := range *l.Items {
			if strings.TrimSpace(item) == "" {
				return Fail(Invalid, next.Help(), "entry %d of %s is empty", i+1, l.Name)
			}
			if err := PlainText(l.Name, item); err != nil {
				return err
			}
			if !slices.Contains(kept, item) {
				kept = append(kept, item)
			}
		}
		// An empty list is not the same as none, so it is left as it is.
		if len(kept) > 0 {
			*l.Items = kept
		}
	}
	return nil
}
