package layout

import (
	"os"
	"path/filepath"
	"testing"
)

func FuzzReadFormat(f *testing.F) {
	f.Add([]byte("[core]\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"))
	f.Add([]byte("[core\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "config"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if form, err := readFormat(dir); err != nil || form.HashSize < 20 {
			t.Fatalf("%+v, %v", form, err)
		}
	})
}
