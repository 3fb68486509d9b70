package launch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/gitops/rootdir"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, tt.want, hasBothSides([]byte(tt.src)), "%s: marked", name)
	}
}

func TestSee_tellsWhatIsGoneFromWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	assert.NoError(t, os.WriteFile(file, []byte("a"), 0o644))
	root, err := rootdir.Open(dir)
	assert.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	gone, err := readConflict(root, "gone")
	assert.NoError(t, err, "what is gone")
	assert.Equal(t, "", gone.state, "what is gone")
	_, err = readConflict(root, "nul\x00byte")
	assert.Error(t, err, "what cannot be read")
	assert.NotIsError(t, err, fs.ErrNotExist, "what cannot be read")
	before, err := readConflict(root, "file")
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(file, []byte("b"), 0o644))
	after, err := readConflict(root, "file")
	assert.NoError(t, err, "a file that was changed looks the same")
	assert.NotEqual(t, before.state, after.state, "a file that was changed looks the same")
}
