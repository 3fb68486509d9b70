package markdown

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTitle(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, want string }{
		{"", ""},
		{"# T\n# U\n", "T"},
		{"## No\n# Yes", "Yes"},
		{"#\n#   \n# ##\n# Yes\n", "Yes"},
		{"#No\n   #\tYes `x` *y*  ##  \n", "Yes `x` *y*"},
		{"    # code\n\t# code\n", ""},
		{"# a#\n", "a#"},
		{"# 漢字 #\r\n", "漢字"},
		{"```\n# no\n~~~\n``` x\n````\n# Yes\n", "Yes"},
		{"~~~ a`b\n# no\n```\n# no\n~~~~ \n# Yes\n", "Yes"},
		{"``` a`b\n# Yes\n", "Yes"},
		{"```\n# no\n    ```\n# no\n", ""},
		{"<!--\n# no\n--> x\n# Yes\n", "Yes"},
		{"<!-- x -->\n# Yes\n", "Yes"},
		{"text <!--\n# Yes\n", "Yes"},
		{"- a\n  # no\n\n  # no\n# Yes\n", "Yes"},
		{"1. ```\n   # no\n# Yes\n", "Yes"},
		{"> # no\n# Yes\n", "Yes"},
		{"\uFEFF# Yes\n", "Yes"},
		{"---\n# no\n---\n# Yes\n", "Yes"},
		{"Yes\n===\n", "Yes"},
		{"  Yes *so*\n  and more  \n =\r\n", "Yes *so* and more"},
		{"Two\n---\n# Yes\n", "Yes"},
		{"- item\nno\n===\n\nYes\n=\n", "Yes"},
		{"===\n# Yes\n", "Yes"},
		{"> no\nno\n===\n", ""},
		{"    no\n===\n", ""},
	}
	for _, tt := range tests {
		if got := mustParse(t, tt.src).Title(); got != tt.want {
			t.Errorf("Title(%q) = %q, want %q", tt.src, got, tt.want)
		}
	}
}

// What is read of the first line alone and the syntax tree agree on documents made of what specs are made of.
func TestTitle_agreesWithTree(t *testing.T) {
	t.Parallel()
	block := rapid.SampledFrom([]string{
		"", "text", "two\nlines", "# Title", "# Title ##", "#", "# #", "#none", "## Two", "  # Title  ", "\n    # deep", "\n\t# tab",
		"# `a` #b", "\nSet\n===", "Set\n  =  ", "===", "two\n---", "***", "* * *", "<div>\n===\n", "a\n    b\n=", "> quote", "> # q", "b --> c", "text <!-- c", "<!-- a -->", "<!-- a\n# no\n--> # no",
		"```\n# no\n~~~\n```", "````go\n```\n# no\n    ````\n`````", "~~~ a`b\n# no\n\n~~~~", "   ```\n# no\n  ```  ", "``` a`b",
		"- item\n", "- # in item\n", "* x\n  more\n\n  # in item\n", "\n1. y\n   ```\n   # no\n   ```\n", "\n12) z\n    # in item\n", "\n-\n  # in item\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		blocks := rapid.SliceOfN(block, 0, 8).Draw(t, "blocks")
		if rapid.Bool().Draw(t, "open end") {
			blocks = append(blocks, rapid.SampledFrom([]string{"~~~\n# no", "<!--\n# no", "- x\n  # no"}).Draw(t, "end"))
		}
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		d, err := Parse("p.md", []byte(strings.ReplaceAll("\n"+strings.Join(blocks, "\n"), "\n", eol)))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := d.Title(), titleInTree(d); got != want {
			t.Fatalf("got %q, in the tree %q, of %q", got, want, d.Bytes())
		}
	})
}

// titleInTree returns the first level-1 heading with text.
func titleInTree(d *Document) string {
	for _, h := range d.Headings() {
		if h.Level == 1 && h.Text != "" {
			return h.Text
		}
	}
	return ""
}
