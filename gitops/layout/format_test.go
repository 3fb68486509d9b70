package layout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func FuzzReadFormat(f *testing.F) {
	f.Add([]byte("[core]\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"))
	f.Add([]byte("[core\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "config"), text, 0o600))
		form, err := readFormat(dir)
		assert.NoError(t, err)
		assert.True(t, form.HashSize >= 20, "%+v, %v", form, err)
	})
}
