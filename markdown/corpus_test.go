package markdown

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Specs that other people wrote, where a folder of them is at hand: CHANT_CORPUS, or one beside the project.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CHANT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus", "chant-specs")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(names) == 0 {
		t.Skipf("no specs in %q", dir)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			checkSpec(t, name, src)
		})
	}
}

func checkSpec(t *testing.T, name string, src []byte) {
	t.Helper()
	d, err := Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(d.Bytes(), src) {
		t.Error("bytes changed")
	}
	if got, want := d.Title(), titleInTree(d); got != want {
		t.Errorf("Title = %q, the tree has %q", got, want)
	}
	checkToggles(t, d, d.Tasks("Acceptance Criteria"))
	status := regexp.MustCompile(`(?m)^(status: *)\S+`)
	if !status.Match(d.FrontMatter()) {
		t.Skip("no status to edit")
	}
	next, err := d.Apply(Set("status", "some_status"))
	if err != nil {
		t.Fatal(err)
	}
	at := status.FindSubmatchIndex(src)
	want := append(append(bytes.Clone(src[:at[3]]), "some_status"...), src[at[1]:]...)
	if !bytes.Equal(next.Bytes(), want) {
		t.Errorf("edit changed more than the status:\n%s", next.FrontMatter())
	}
}
