package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestSettled: a stamp settles once the clock of its file system has moved on. Whole milliseconds may be rounded.
func TestSettled(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_000_000, 123_456_789)
	fine, coarse := at.UnixNano(), at.Truncate(time.Second).UnixNano()
	for name, c := range map[string]struct {
		s     Stamp
		after time.Duration
		want  bool
	}{
		"at once":                   {Stamp{fine, fine, 1, 1}, 0, false},
		"within a tick":             {Stamp{fine, fine, 1, 1}, 49 * time.Millisecond, false},
		"after a tick":              {Stamp{fine, fine, 1, 1}, 51 * time.Millisecond, true},
		"whole seconds, soon":       {Stamp{coarse, coarse, 1, 1}, time.Second, false},
		"whole seconds, later":      {Stamp{coarse, coarse, 1, 1}, 2 * time.Second, true},
		"an old time was set":       {Stamp{coarse - 1e18, fine, 1, 1}, 51 * time.Millisecond, true},
		"an old time was just set":  {Stamp{coarse - 1e18, fine, 1, 1}, 0, false},
		"from the future":           {Stamp{fine + int64(time.Hour), fine, 1, 1}, time.Minute, false},
		"changed in the future":     {Stamp{fine, fine + int64(time.Hour), 1, 1}, time.Minute, false},
		"unknown":                   {Stamp{}, time.Hour, false},
		"unknown change":            {Stamp{fine, 0, 1, 1}, time.Hour, false},
		"without an inode":          {Stamp{fine, fine, 1, 0}, time.Hour, false},
		"the clock was set back":    {Stamp{fine, fine, 1, 1}, -time.Hour, false},
		"the clock was set forward": {Stamp{fine, fine, 1, 1}, 24 * time.Hour, true},
	} {
		assert.Equal(t, c.want, c.s.Settled(at.Add(c.after)), "%s", name)
	}
}

// TestReadFile returns a stamp only for a file whose next write will leave another one; Sweep and Of see the same.
func TestReadFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system does not record when a file was last changed")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	assert.NoError(t, os.WriteFile(path, []byte("text"), 0o644))
	assert.NoError(t, os.Symlink("a.md", filepath.Join(dir, "link.md")))
	later := time.Now().Add(time.Hour)
	for _, c := range []struct {
		now   time.Time
		known bool
	}{{later, true}, {time.Now().Add(-time.Hour), false}} {
		text, s, err := ReadFile(path, c.now)
		assert.NoError(t, err)
		assert.Equal(t, "text", string(text))
		assert.Equal(t, c.known, s.Known())
	}
	_, s, err := ReadFile(path, later)
	assert.NoError(t, err)
	info, err := os.Lstat(path)
	if err != nil || FromInfo(info) != s {
		t.Errorf("%+v, %v, want %+v", FromInfo(info), err, s)
	}
	swept, err := Sweep(dir, []string{"a.md", "gone.md", "link.md"})
	assert.NoError(t, err)
	assert.Equal(t, 3, len(swept))
	assert.Equal(t, s, swept[0])
	assert.False(t, swept[1].Known(), "%+v, %v, want %+v", swept, err, s)
	assert.False(t, swept[2].Known(), "%+v, %v, want %+v", swept, err, s)
	before, err := Folder(dir)
	assert.NoError(t, err)
	assert.True(t, before.Known(), "%+v, %v", before, err)
	assert.NoError(t, os.Rename(path, filepath.Join(dir, "b.md")))
	after, err := Folder(dir)
	assert.NoError(t, err)
	assert.NotEqual(t, before, after)
	_, err = Folder(filepath.Join(dir, "none"))
	assert.Error(t, err, "a folder that does not exist has a stamp")
}
