package syntax

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

// prepare returns a file as its grammar is given it: what the grammar does not know is replaced by something of the same
// length that means the same to the walker.
func prepare(lang Language, src []byte) []byte {
	switch lang {
	case C, CPP:
		return hide(hide(src, exportMacro(), "class ", "struct ", "union "), callMacro(), "(")
	case Swift:
		return hide(src, swiftMacro(), "#")
	case PHP:
		return constantsAsCases(src)
	default:
		return src
	}
}

// exportMacro is the macro in "class API_EXPORT Widget : public Base".
var exportMacro = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\w+[ \t]+([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)[ \t]+[A-Za-z_]\w*[\w \t:]*[\r\n \t]*(?::|\{)`)
})

// callMacro is the macro in "typedef void (APIENTRY *Callback)(int)".
var callMacro = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\(([A-Z][A-Z0-9_]+)(?:[ \t]+\*?|[ \t]*\*)[ \t]*[A-Za-z_]\w*[ \t]*\)[ \t]*\(`)
})

// swiftMacro is the mark in "#stringify(x)", with the word behind it.
var swiftMacro = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(#)([a-zA-Z_]\w*)[ \t]*[({<]`)
})

// known are the words behind # that the grammar of Swift knows.
var known = []string{"if", "elseif", "available", "unavailable", "selector", "keyPath", "sourceLocation", "colorLiteral", "imageLiteral",
	"fileLiteral", "externalMacro", "warning", "error"}

// maxHidden limits the length of a text with something to hide, including the mark before it.
const maxHidden = 300

// hide replaces by spaces the first groups of all matches that begin with one of some marks at the start of a word.
func hide(src []byte, what *regexp.Regexp, marks ...string) []byte {
	out := src
	for _, mark := range marks {
		for at := 0; ; at += len(mark) {
			next := bytes.Index(src[at:], []byte(mark))
			if next < 0 {
				break
			}
			at += next
			// A mark within a word, a string or a directive is not one.
			if at > 0 && (isWord(src[at-1]) && mark != "(" || src[at-1] == '#' || src[at-1] == '"') {
				continue
			}
			// The search is bounded, because an expression on the rest of the file would be tried at each mark.
			m := what.FindSubmatchIndex(src[at:min(at+maxHidden, len(src))])
			if m == nil || len(m) > 4 && slices.Contains(known, string(src[at+m[4]:at+m[5]])) {
				continue
			}
			// Most files have nothing to hide and are not copied.
			if &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			for i := at + m[2]; i < at+m[3]; i++ {
				out[i] = ' '
			}
		}
	}
	return out
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// enumeration finds where an enumeration of PHP starts, and constant a constant in it.
var (
	enumeration = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^([ \t]*)enum[ \t]+\w+[^;{}]*\{`) })
	constant    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*((?:final |public |protected |private )*const)[ \t]+(?:[?\w|\\]+[ \t]+)??\w+[ \t]*=`)
	})
)

// constantsAsCases replaces the constants in enumerations of PHP by cases.
func constantsAsCases(src []byte) []byte {
	if !bytes.Contains(src, []byte("enum ")) || !bytes.Contains(src, []byte("const ")) {
		return src
	}
	out := src
	all := enumeration().FindAllSubmatchIndex(src, -1)
	for i, m := range all {
		end := len(src)
		// Each byte is looked at once.
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		closing := append([]byte("\n"), src[m[2]:m[3]]...)
		if at := bytes.Index(src[m[1]:end], append(closing, '}')); at >= 0 {
			end = m[1] + at
		}
		for _, c := range constant().FindAllSubmatchIndex(src[m[1]:end], -1) {
			if &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			// The length must stay the same, since chunks are places in the original file.
			word := out[m[1]+c[2] : m[1]+c[3]]
			for i := range word {
				word[i] = ' '
			}
			copy(word[len(word)-len("case"):], "case")
		}
	}
	return out
}
