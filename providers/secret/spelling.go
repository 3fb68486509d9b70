package secret

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"chant/text"
)

// spellings are the forms of a value in texts: unchanged, with its white space folded, in
// JSON, in JSON within a string of JSON, as in answers of tools, and in URLs.
// Each is there once.
func spellings(value string) []string {
	all := []string{value, text.OneLine(value)}
	for _, plain := range slices.Clone(all) {
		all = append(all, urlSpellings(plain)...)
		for _, once := range jsonSpellings(plain) {
			all = append(append(all, once), jsonSpellings(once)...)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == "" })
}

// jsonSpellings spells a text as encoders do: with everything that need not be escaped as it is,
// with < > and & escaped for HTML, with slashes escaped, and each of these in ASCII alone.
func jsonSpellings(text string) []string {
	src, err := json.Marshal(text)
	if err != nil { // a string always encodes
		return nil
	}
	html := string(src[1 : len(src)-1])
	// The first pair leaves escaped backslashes alone, so that what follows one is not taken for an escape.
	plain := strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(html)
	var all []string
	for _, s := range []string{plain, html, strings.ReplaceAll(plain, "/", `\/`)} {
		all = append(all, s, upperEscapes(s), escapeNonASCII(s), upperEscapes(escapeNonASCII(s)))
	}
	return all
}

// escapeNonASCII escapes what is not ASCII.
func escapeNonASCII(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c < 0x80 {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// upperEscapes writes the digits of escapes in JSON in capitals.
func upperEscapes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '\\' || i+1 == len(text):
			b.WriteByte(text[i])
		case text[i+1] == 'u' && i+6 <= len(text):
			b.WriteString(`\u` + strings.ToUpper(text[i+2:i+6]))
			i += 5
		default:
			b.WriteString(text[i : i+2])
			i++
		}
	}
	return b.String()
}

// urlSpellings returns the spellings of a text in URLs, which differs in what need not be escaped
// and in the digits of the escapes.
func urlSpellings(text string) []string {
	inComponent := strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(url.QueryEscape(text))
	var all []string
	for _, s := range []string{
		text, url.QueryEscape(text), url.PathEscape(text), inComponent,
		strings.ReplaceAll(url.QueryEscape(text), "+", "%20"), strings.ReplaceAll(inComponent, "%2F", "/"),
		url.UserPassword("", text).String()[1:],
	} {
		all = append(all, s, hexDigits(s, strings.ToLower), hexDigits(s, strings.ToUpper))
	}
	return all
}

// hexDigits changes the digits of the escapes in a URL.
func hexDigits(text string, change func(string) string) string {
	parts := strings.Split(text, "%")
	for i, part := range parts[1:] {
		if len(part) >= 2 && isHex(part[0]) && isHex(part[1]) {
			parts[i+1] = change(part[:2]) + part[2:]
		}
	}
	return strings.Join(parts, "%")
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }
