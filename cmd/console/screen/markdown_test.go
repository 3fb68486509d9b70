package screen

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	styled := Canvas{Styled: true}
	for source, want := range map[string]string{
		"":                               "",
		"# A\n#b\n####### c":             "B# A0\n#b\n####### c",
		"a `b` c ``d ` e`` f ` g\r\n":    "a C`b`0 c C``d ` e``0 f ` g\n",
		"```sh\n# x `y`\n``\n```\n# B\n": "D```sh0\nC# x `y`0\nC``0\nD```0\nB# B0\n",
		"~~~\n```\n~~~~\nx\n":            "D~~~0\nC```0\nD~~~~0\nx\n",
		"> q\n|---|:-:|\n- [ ] x\n":      "D> q0\nD|---|:-:|0\n- [ ] x\n",
		"a\x1b[8mb\n":                    "a\\x1b[8mb\n",
	} {
		got := strings.NewReplacer("\x1b[1m", "B", "\x1b[2m", "D", "\x1b[36m", "C", "\x1b[0m", "0").Replace(styled.Markdown(source))
		if got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
		if plain := (Canvas{}).Markdown(source); plain != source {
			t.Errorf("%q in a pipe: %q", source, plain)
		}
	}
}

// FuzzMarkdown: highlighting takes no word away.
func FuzzMarkdown(f *testing.F) {
	f.Add("# A\n```\n`b`\n```\n")
	f.Fuzz(func(t *testing.T, source string) {
		if strings.ContainsAny(source, "\x1b\r") {
			return
		}
		got := (Canvas{Styled: true}).Markdown(source)
		for _, s := range sequences() {
			got = strings.ReplaceAll(got, s, "")
		}
		if want := visibleLines(source); got != want {
			t.Errorf("%q became %q", source, got)
		}
	})
}

func visibleLines(source string) string {
	var out strings.Builder
	w := NewWriter(&out)
	_, _ = w.Write([]byte(source))
	_ = w.Flush()
	return out.String()
}
