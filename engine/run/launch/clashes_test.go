package launch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/gitops/rootdir"
)

func TestMarked(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100_000)
	for name, tt := range map[string]struct {
		src  string
		want bool
	}{
		"both sides":         {"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n", true},
		"no newline at end":  {"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main", true},
		"carriage returns":   {"<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> main\r\n", true},
		"behind a long line": {long + "\n<<<<<<< HEAD\n" + long + "\n>>>>>>> main\n", true},
		"end before begin":   {">>>>>>> main\n<<<<<<< HEAD\n", false},
		"a heading":          {"Title\n=======\n", false},
		"inside a line":      {"a <<<<<<< HEAD\nb >>>>>>> main\n", false},
		"nothing":            {"", false},
	} {
		if got := hasBothSides([]byte(tt.src)); got != tt.want {
			t.Errorf("%s: marked is %t", name, got)
		}
	}
}

func TestSee_tellsWhatIsGoneFromWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := rootdir.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	if gone, err := readConflict(root, "gone"); err != nil || gone.state != "" {
		t.Errorf("what is gone: %+v, %v", gone, err)
	}
	if _, err := readConflict(root, "nul\x00byte"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what cannot be read: %v", err)
	}
	before, err := readConflict(root, "file")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after, err := readConflict(root, "file"); err != nil || after.state == before.state {
		t.Errorf("a file that was changed looks the same: %+v, %v", after, err)
	}
}
