package toon

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scalar is the text of a value that is neither an object nor an array.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		if mustQuote(v) {
			return quote(v)
		}
		return v
	case json.Number:
		return number(string(v))
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}

// Numbers from minDecimal to below minLarge have no exponent.
const (
	minDecimal = 1e-6
	minLarge   = 1e21
)

// number is a number of JSON in the one form that TOON has for it.
func number(text string) string {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		f, err := strconv.ParseFloat(text, 64)
		if size := math.Abs(f); err != nil || size != 0 && (size < minDecimal || size >= minLarge) {
			// It is a number for decoders, too.
			return text
		}
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	// TOON has no negative zero.
	if text == "-0" {
		return "0"
	}
	return text
}

// mustQuote reports whether a string would be read as something else without quotes.
func mustQuote(s string) bool {
	switch s {
	case "", "true", "false", "null":
		return true
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	// A decoder would take the first of these for a list item or a comment, and strip blanks.
	return s[0] == '-' || s[0] == '#' || unicode.IsSpace(first) || unicode.IsSpace(last) ||
		strings.ContainsAny(s, `:,"\[]{}`) || strings.ContainsFunc(s, unicode.IsControl) || looksLikeNumber(s)
}

// looksLikeNumber reports whether a decoder could take a string for a number. It may be wrong for some that are none.
func looksLikeNumber(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "0123456789.eE+-") == ""
}

// quote writes a string in quotes.
func quote(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r == '\t':
			out.WriteString(`\t`)
		case unicode.IsControl(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// keyText is a key, in quotes unless it is a plain name.
func keyText(key string) string {
	for i := range len(key) {
		c := key[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '.' && (c < '0' || c > '9')) {
			return quote(key)
		}
	}
	if key == "" {
		return `""`
	}
	return key
}
