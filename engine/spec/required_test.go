package spec

import (
	"slices"
	"testing"

	"chant/markdown"
)

func TestMissingKeys(t *testing.T) {
	t.Parallel()
	const src = "---\nteam: core\nnull_key: ~\nbare:\nquoted: \"\"\nlist: []\nmap: {}\nzero: 0\nfalse_key: false\nitems: [a]\nbase: &b x\nsame: *b\n---\n# A\n"
	doc, err := markdown.Parse("a.md", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	got := MissingKeys(doc, []string{"team", "owner", "null_key", "bare", "quoted", "list", "map", "zero", "false_key", "items", "same", "owner"})
	if want := []string{"owner", "null_key", "bare", "quoted", "list", "map"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := MissingKeys(doc, nil); got != nil {
		t.Errorf("nothing is required: %q", got)
	}
	plain, err := markdown.Parse("b.md", []byte("# B\n"))
	if err != nil || !slices.Equal(MissingKeys(plain, []string{"a"}), []string{"a"}) {
		t.Errorf("without front matter: %v", err)
	}
}
