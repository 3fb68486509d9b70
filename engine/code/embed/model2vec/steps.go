package model2vec

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// step is a normalizer or a pre-tokenizer, with what is read of its settings.
type step struct {
	Type          string `json:"type"`
	Normalizers   []step `json:"normalizers"`
	PreTokenizers []step `json:"pretokenizers"`
	Lowercase     bool   `json:"lowercase"`
	StripAccents  *bool  `json:"strip_accents"`
	Chinese       bool   `json:"handle_chinese_chars"`
	Replacement   string `json:"replacement"`
	PrependScheme string `json:"prepend_scheme"`
	Prepend       string `json:"prepend"`
	Content       string `json:"content"`
	Pattern       struct {
		String string `json:"String"`
	} `json:"pattern"`
}

func plain(s string) string { return s }

func normalizer(s *step) (func(string) string, error) {
	if s == nil {
		return plain, nil
	}
	switch s.Type {
	case "Sequence":
		return allOf(s.Normalizers, normalizer)
	case "BertNormalizer":
		return s.bert, nil
	case "Lowercase":
		return strings.ToLower, nil
	case "StripAccents":
		return withoutMarks, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC", "Precompiled": // the tables of SentencePiece are NFKC with few exceptions
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "Strip":
		return strings.TrimSpace, nil
	case "Prepend":
		return func(text string) string { return s.Prepend + text }, nil
	case "Replace":
		if s.Pattern.String != "" {
			return func(text string) string { return strings.ReplaceAll(text, s.Pattern.String, s.Content) }, nil
		}
	}
	return nil, fmt.Errorf("the normalizer %q is not known", s.Type)
}

func allOf(steps []step, read func(*step) (func(string) string, error)) (func(string) string, error) {
	var list []func(string) string
	for i := range steps {
		f, err := read(&steps[i])
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return func(text string) string {
		for _, f := range list {
			text = f(text)
		}
		return text
	}, nil
}

// bert does what the normalizer of BERT does: control characters go, ideographs become words, and small letters lose
// their accents unless the settings say otherwise.
func (s *step) bert(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == 0, r == 0xfffd, unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	if s.Chinese {
		var b strings.Builder
		for _, r := range text {
			if unicode.Is(unicode.Han, r) {
				b.WriteString(" " + string(r) + " ")
			} else {
				b.WriteRune(r)
			}
		}
		text = b.String()
	}
	if s.StripAccents == nil && s.Lowercase || s.StripAccents != nil && *s.StripAccents {
		text = withoutMarks(norm.NFD.String(text))
	}
	if s.Lowercase {
		text = strings.ToLower(text)
	}
	return text
}

func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, text)
}

func splitter(s *step) (func(string) []string, error) {
	if s == nil {
		return func(text string) []string { return []string{text} }, nil
	}
	switch s.Type {
	case "BertPreTokenizer":
		return splitBert, nil
	case "WhitespaceSplit":
		return strings.Fields, nil
	case "Whitespace":
		return splitWords, nil
	case "Metaspace":
		return s.metaspace, nil
	case "Sequence":
		var list []func(string) []string
		for i := range s.PreTokenizers {
			f, err := splitter(&s.PreTokenizers[i])
			if err != nil {
				return nil, err
			}
			list = append(list, f)
		}
		return func(text string) []string {
			words := []string{text}
			for _, f := range list {
				var next []string
				for _, w := range words {
					next = append(next, f(w)...)
				}
				words = next
			}
			return words
		}, nil
	}
	return nil, fmt.Errorf("the pre-tokenizer %q is not known", s.Type)
}

// splitBert divides a text at spaces, and makes each punctuation mark a word.
func splitBert(text string) []string {
	return splitRuns(text, func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return space
		case unicode.IsPunct(r), r < 128 && unicode.IsSymbol(r):
			return single
		}
		return 1
	})
}

// splitWords divides a text into runs of letters, digits and "_", and runs of other characters.
func splitWords(text string) []string {
	return splitRuns(text, func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return space
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '_':
			return 1
		}
		return 2
	})
}

// Kinds of characters that do not form runs.
const (
	space  = -1
	single = -2
)

// splitRuns divides a text into runs of characters of one kind.
func splitRuns(text string, kindOf func(rune) int) []string {
	var words []string
	start, before := 0, space
	for i, r := range text {
		kind := kindOf(r)
		if kind != before || kind == single {
			if before != space {
				words = append(words, text[start:i])
			}
			start, before = i, kind
		}
	}
	if before != space {
		words = append(words, text[start:])
	}
	return words
}

// metaspace divides a text before spaces, which become visible.
func (s *step) metaspace(text string) []string {
	mark := s.Replacement
	if mark == "" {
		mark = "▁"
	}
	text = strings.ReplaceAll(text, " ", mark)
	if s.PrependScheme != "never" && text != "" && !strings.HasPrefix(text, mark) {
		text = mark + text
	}
	var words []string
	for text != "" {
		next := strings.Index(text[min(len(text), len(mark)):], mark)
		if next < 0 {
			break
		}
		words, text = append(words, text[:next+len(mark)]), text[next+len(mark):]
	}
	if text != "" {
		words = append(words, text)
	}
	return words
}
