package prose

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// idPrefix begins the id of each heading.
const idPrefix = "md-"

// headingIDs makes ids of headings, as GitHub does, with a prefix.
type headingIDs struct{ used map[string]bool }

// Generate implements goldmark's IDs.
func (ids *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	name := idPrefix + slug(string(value))
	id := name
	// Two headings with the same words need two ids.
	for n := 1; ids.used[id]; n++ {
		id = name + "-" + strconv.Itoa(n)
	}
	ids.used[id] = true
	return []byte(id)
}

// Put implements goldmark's IDs.
func (ids *headingIDs) Put(value []byte) { ids.used[string(value)] = true }

// slug returns a text in lower case, its blanks as dashes, without what is neither a letter nor a digit.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, strings.TrimSpace(heading))
}
