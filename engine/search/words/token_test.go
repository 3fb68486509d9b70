package words

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestAppendTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"getUserId":                "get user id getuserid",
		"get_user-id":              "get user id getuserid",
		"HTTPServer":               "http server httpserver",
		"URLs IDs":                 "urls ids",
		"parseURLFast":             "parse url fast parseurlfast",
		"sha256 utf8 v2":           "sha 256 sha256 utf utf8 v2",
		"get_userId-x2":            "get user id userid x2 getuseridx2",
		"e2e":                      "e2e",
		"3f9a2bc1d":                "3f9a2bc1d",
		"2026-11-23-001-q7e":       "2026 11 23 001 q7e 20261123001q7e",
		"the-end to_string":        "end theend string tostring",
		"don't user's we'll o'k":   "user o k",
		"--json -v a--b":           "json v b",
		"Über Straße Ǆ ﬁx ＡＢＣ":     "uber strasse dz fix abc",
		"naïve cafe\u0301":         "naive cafe",
		"Ёлка ΣΊΣΥΦΟΣ":             "елка σισυφοσ",
		"日本語":                      "日本 本語 語",
		"Go言語":                     "go 言語 語",
		"トム・クルーズ":                  "トム ム クル ルー ーズ ズ",
		"한국어":                      "한국 국어 어",
		"कि":                       "कि",
		strings.Repeat("x", 70):    strings.Repeat("x", 64),
		strings.Repeat("xY", 40):   strings.Repeat("xy", 32),
		"😀 … — ``` * [x] (a/b.go)": "x b go",
	} {
		var read []string
		for from := 0; ; {
			start, end, ok := NextChain(text, from)
			if !ok {
				break
			}
			for _, k := range AppendTokens(nil, text[start:end]) {
				read = append(read, k.Word)
			}
			from = end
		}
		assert.Equal(t, want, strings.Join(read, " "), "%q", text)
	}
}

// FuzzAppendTokens checks that words are ranges of the text, and that they are folded.
func FuzzAppendTokens(f *testing.F) {
	for _, text := range []string{
		"getUserId HTTPServer URLs sha256 needs_attention three-way a-- --b", "don't we'll user’s", "Über ǅ ß ﬁ ＡＢＣ U\u0308",
		"日本語テスト ｶﾞ 한국어 ไทย", "\xff\xfe", "e2e 3f9a2bc1d v2 2026-11-23-001-abc", strings.Repeat("x", 200), "i\u0307\u0300",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tokens []Token
		last := 0
		for {
			start, end, ok := NextChain(text, last)
			if !ok {
				break
			}
			assert.True(t, start >= last, "chain %d:%d after %d", start, end, last)
			assert.True(t, end > start, "chain %d:%d after %d", start, end, last)
			assert.True(t, end <= len(text), "chain %d:%d after %d", start, end, last)
			chain := text[start:end]
			tokens = AppendTokens(tokens[:0], chain)
			for _, k := range tokens {
				assert.True(t, k.From >= 0, "token %+v of %q", k, chain)
				assert.True(t, k.To > k.From, "token %+v of %q", k, chain)
				assert.True(t, k.To <= len(chain), "token %+v of %q", k, chain)
				assert.True(t, utf8.ValidString(chain[k.From:k.To]), "token %+v of %q", k, chain)
				assert.NotEqual(t, "", k.Word, "word %q", chain)
				assert.True(t, len(k.Word) <= MaxBytes, "word %q of %q", k.Word, chain)
				assert.True(t, utf8.ValidString(k.Word), "word %q of %q", k.Word, chain)
				if again := Fold(k.Word); Fold(again) != again {
					t.Fatalf("%q folds to %q and that to %q", k.Word, again, Fold(again))
				}
			}
			last = end
		}
	})
}
