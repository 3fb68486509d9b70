package lockfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func FuzzReadHolder(f *testing.F) {
	f.Add([]byte("\x00{\"pid\":1}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "lock")
		assert.NoError(t, os.WriteFile(path, text, 0o600))
		want := Holder{PID: 7, Host: "h", What: "w", Role: Brief, About: "x"}
		readHolder(path)
		if err := writeHolder(path, want); err != nil || readHolder(path) != want {
			t.Fatalf("%+v, %v", readHolder(path), err)
		}
	})
}
