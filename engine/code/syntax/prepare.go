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
		return hide(hide(src, exportMacro()), callMacro())
	case Swift:
		return hide(src, swiftMacro())
	case PHP:
		return constantsAsCases(src)
	default:
		return src
	}
}

// exportMacro finds the macro in "class API_EXPORT Widget : public Base".
var exportMacro = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:class|struct|union)[ \t]+([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)[ \t]+[A-Za-z_]\w*[\w \t:]*[\r\n \t]*(?::|\{)`)
})

// callMacro finds the macro in "typedef void (APIENTRY *Callback)(int)".
var callMacro = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\([ \t]*([A-Z][A-Z0-9_]+)(?:[ \t]+\*?|[ \t]*\*)[ \t]*[A-Za-z_]\w*[ \t]*\)[ \t]*\(`)
})

// swiftMacro finds the mark in "#stringify(x)". Words that the grammar knows are excluded by hide.
var swiftMacro = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^#\w"])(#)[a-zA-Z_]\w*[ \t]*[({<]`)
})

// known are the words behind # that the grammar of Swift knows.
var known = []string{"#if", "#elseif", "#available", "#unavailable", "#selector", "#keyPath", "#sourceLocation", "#colorLiteral",
	"#imageLiteral", "#fileLiteral", "#externalMacro", "#warning", "#error"}

// hide replaces the first groups of all matches by spaces.
func hide(src []byte, what *regexp.Regexp) []byte {
	var out []byte
	for _, m := range what.FindAllSubmatchIndex(src, -1) {
		end := m[2]
		for end < len(src) && (src[end] == '#' || src[end] >= 'a' && src[end] <= 'z' || src[end] >= 'A' && src[end] <= 'Z') {
			end++
		}
		if src[m[2]] == '#' && slices.Contains(known, string(src[m[2]:end])) {
			continue
		}
		if out == nil {
			out = bytes.Clone(src)
		}
		for i := m[2]; i < m[3]; i++ {
			out[i] = ' '
		}
	}
	if out == nil {
		return src
	}
	return out
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
	for _, m := range enumeration().FindAllSubmatchIndex(src, -1) {
		end := len(src)
		closing := append([]byte("\n"), src[m[2]:m[3]]...)
		if at := bytes.Index(src[m[1]:], append(closing, '}')); at >= 0 {
			end = m[1] + at
		}
		for _, c := range constant().FindAllSubmatchIndex(src[m[1]:end], -1) {
			if &out[0] == &src[0] {
				out = bytes.Clone(src)
			}
			word := out[m[1]+c[2] : m[1]+c[3]]
			for i := range word {
				word[i] = ' '
			}
			copy(word[len(word)-len("case"):], "case")
		}
	}
	return out
}
