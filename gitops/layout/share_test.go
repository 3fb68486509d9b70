package layout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestShare: what is made in a folder of a group belongs to the group, as far down as it goes; nothing else changes.
func TestShare(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no group there")
	}
	for name, tt := range map[string]struct {
		top, dir, private, plain fs.FileMode
	}{
		"of a group":         {fs.ModeSetgid | 0o775, fs.ModeSetgid | 0o775, 0o660, 0o664},
		"without setgid":     {0o775, 0o755, 0o600, 0o644},
		"of one":             {0o755, 0o755, 0o600, 0o644},
		"setgid, of one":     {fs.ModeSetgid | 0o755, fs.ModeSetgid | 0o755, 0o600, 0o644},
		"of a hidden folder": {fs.ModeSetgid | 0o770, fs.ModeSetgid | 0o775, 0o660, 0o664},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			dir := filepath.Join(top, "a", "b")
			private, plain := filepath.Join(dir, "private"), filepath.Join(dir, "plain")
			err := errors.Join(os.Chmod(top, tt.top), MkdirAll(dir), MkdirAll(dir), os.WriteFile(private, nil, 0o600), os.WriteFile(plain, nil, 0o644), Share(private), Share(plain))
			assert.NoError(t, err)
			for path, want := range map[string]fs.FileMode{filepath.Dir(dir): tt.dir, dir: tt.dir, private: tt.private, plain: tt.plain} {
				info, err := os.Stat(path)
				assert.NoError(t, err)
				assert.Equal(t, want, info.Mode()&(fs.ModeSetgid|fs.ModePerm), "%s", filepath.Base(path))
			}
		})
	}
}
