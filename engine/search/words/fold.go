package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s in the form in which words are compared: in lower case, without accents on Latin, Greek and Cyrillic
// letters, and with compatibility forms (ligatures, letters of full width) replaced by ordinary letters.
func Fold(s string) string {
	ascii, lower := true, true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
		lower = lower && (s[i] < 'A' || s[i] > 'Z')
	}
	// Most words need no change and no memory.
	if ascii && lower {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		foldRune(&b, r)
	}
	return b.String()
}

func foldRune(b *strings.Builder, r rune) {
	switch {
	case r < utf8.RuneSelf:
		b.WriteByte(lowerASCII(byte(r)))
	case isAccent(r):
	case isPlainIdeograph(r):
		b.WriteRune(r)
	default:
		if plain := spelledOut(r); plain != "" {
			b.WriteString(plain)
			return
		}
		foldDecomposed(b, r)
	}
}

func foldDecomposed(b *strings.Builder, r rune) {
	parts := norm.NFKD.String(string(r))
	first, _ := utf8.DecodeRuneInString(parts)
	if first >= utf8.RuneSelf && !unicode.In(first, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		// Accents of other scripts are vowels and consonants, and syllables are not taken apart.
		parts = norm.NFKC.String(string(r))
	}
	for _, p := range parts {
		if isAccent(p) {
			continue
		}
		p = unicode.ToLower(p)
		if plain := spelledOut(p); plain != "" {
			b.WriteString(plain)
			continue
		}
		b.WriteRune(p)
	}
}

// spelledOut returns what is commonly written for a letter that has no decomposition, or "".
func spelledOut(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'ø', 'Ø':
		return "o"
	case 'ł', 'Ł':
		return "l"
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d"
	case 'þ', 'Þ':
		return "th"
	case 'ı':
		return "i"
	case 'ς':
		return "σ"
	}
	return ""
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isAccent(r rune) bool { return 0x0300 <= r && r <= 0x036F }

// isPlainIdeograph reports whether r is in one of the large blocks whose characters have only one form: ideographs,
// Hangul and Kana without its middle dot.
func isPlainIdeograph(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3 || 0x3041 <= r && r <= 0x30FE && r != '・' && r != '゠'
}
