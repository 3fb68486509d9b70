package disk

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
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
		if got := c.s.Settled(at.Add(c.after)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
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
	if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.md", filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	for _, c := range []struct {
		now   time.Time
		known bool
	}{{later, true}, {time.Now().Add(-time.Hour), false}} {
		text, s, err := ReadFile(path, c.now)
		if err != nil || string(text) != "text" || s.Known() != c.known {
			t.Errorf("%q, %+v, %v", text, s, err)
		}
	}
	_, s, err := ReadFile(path, later)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || FromInfo(info) != s {
		t.Errorf("%+v, %v, want %+v", FromInfo(info), err, s)
	}
	swept, err := Sweep(dir, []string{"a.md", "gone.md", "link.md"})
	if err != nil || len(swept) != 3 || swept[0] != s || swept[1].Known() || swept[2].Known() {
		t.Errorf("%+v, %v, want %+v", swept, err, s)
	}
	before, err := Folder(dir)
	if err != nil || !before.Known() {
		t.Fatalf("%+v, %v", before, err)
	}
	if err := os.Rename(path, filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if after, err := Folder(dir); err != nil || after == before {
		t.Errorf("%+v, %v, as before a file was renamed", after, err)
	}
	if _, err := Folder(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that does not exist has a stamp")
	}
}
