package criteria

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// TestSnapshot changes a folder in every way that matters, and in ways that do not.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	const good, evil = "good", "evil"
	for name, tc := range map[string]struct {
		act  func(t *testing.T, dir string)
		want Difference
	}{
		"nothing":            {func(*testing.T, string) {}, Difference{}},
		"touched":            {func(t *testing.T, dir string) { age(t, filepath.Join(dir, "a"), time.Hour) }, Difference{}},
		"written again":      {func(t *testing.T, dir string) { write(t, dir, "a", good) }, Difference{}},
		"same size and time": {func(t *testing.T, dir string) { write(t, dir, "a", evil); age(t, filepath.Join(dir, "a"), 0) }, Difference{Changed: []string{"a"}}},
		"replaced":           {func(t *testing.T, dir string) { write(t, dir, "b", evil); rename(t, dir, "b", "a") }, Difference{Changed: []string{"a"}}},
		"executable":         {func(t *testing.T, dir string) { must(t, os.Chmod(filepath.Join(dir, "a"), 0o755)) }, Difference{Changed: []string{"a"}}},
		"a link in its place": {func(t *testing.T, dir string) {
			rename(t, dir, "a", "b")
			must(t, os.Symlink("b", filepath.Join(dir, "a")))
		}, Difference{Changed: []string{"a"}, Added: []string{"b"}}},
		"removed":         {func(t *testing.T, dir string) { must(t, os.RemoveAll(filepath.Join(dir, "d"))) }, Difference{Removed: []string{"d", "d/e"}}},
		"a folder is new": {func(t *testing.T, dir string) { write(t, dir, "n/m/x", evil); write(t, dir, "d/y", evil) }, Difference{Added: []string{"d/y", "n"}}},
		"a path longer than the system takes": {func(t *testing.T, dir string) {
			name := strings.Repeat("n", 200)
			at, err := os.OpenRoot(dir)
			for range 40 {
				must(t, err)
				must(t, at.Mkdir(name, 0o755))
				var below *os.Root
				below, err = at.OpenRoot(name)
				must(t, at.Close())
				at = below
			}
			must(t, err)
			must(t, at.WriteFile("x", []byte(evil), 0o644))
			must(t, at.Close())
		}, Difference{Added: []string{strings.Repeat("n", 200)}}},
		"git's own": {func(t *testing.T, dir string) { write(t, dir, ".git/HEAD", evil) }, Difference{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "a", good)
			age(t, filepath.Join(dir, "a"), 0)
			write(t, dir, "d/e", good)
			before, err := TakeSnapshot(t.Context(), dir, nil)
			must(t, err)
			tc.act(t, dir)
			now, got, err := before.Retake(t.Context())
			must(t, err)
			assert.Equal(t, tc.want.Changed, got.Changed)
			assert.Equal(t, tc.want.Removed, got.Removed)
			assert.Equal(t, tc.want.Added, got.Added)
			changed := now.Sum() != before.Sum()
			assert.Equal(t, len(got.Changed)+len(got.Removed)+len(got.Added) > 0, changed, "the sum changed")
		})
	}
}

// TestSnapshot_ofOurs: with the time of the file system, no write directly after a snapshot is missed, and nothing is left
// in the folder.
func TestSnapshot_ofOurs(t *testing.T) {
	t.Parallel()
	t.Run("read", func(t *testing.T) { missesNothing(t, nil) })
	t.Run("not read", func(t *testing.T) {
		missesNothing(t, map[string]string{"a": goodBlob, "d/b": goodBlob, "gone": goodBlob})
	})
}

// goodBlob is git's name of "good".
const goodBlob = "476e93d5714117cb50143dbe653f4b2b5a1d4b18"

func missesNothing(t *testing.T, blobs map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for i := range 300 {
		write(t, dir, "a", "good")
		write(t, dir, "d/b", "good")
		before, err := TakeSnapshotOfOurs(t.Context(), dir, blobs)
		must(t, err)
		write(t, dir, "a", "evil")
		now, got, err := before.Retake(t.Context())
		must(t, err)
		assert.Equal(t, []string{"a"}, got.Changed, "round %d", i)
		assert.True(t, len(got.Added)+len(got.Removed) <= 0, "round %d: %+v", i, got)
		write(t, dir, "d/b", "evil")
		write(t, dir, "c", "new")
		_, got, err = now.Retake(t.Context())
		assert.NoError(t, err, "round %d", i)
		assert.Equal(t, []string{"d/b"}, got.Changed, "round %d", i)
		assert.Equal(t, []string{"c"}, got.Added, "round %d", i)
		write(t, dir, "a", "good")
		write(t, dir, "d/b", "good")
		must(t, os.Remove(filepath.Join(dir, "c")))
		_, got, err = before.Retake(t.Context())
		assert.NoError(t, err, "round %d: as it was, %+v", i, got)
		assert.True(t, len(got.Changed)+len(got.Added)+len(got.Removed) <= 0, "round %d: as it was, %+v, %v", i, got, err)
	}
	_, err := TakeSnapshotOfOurs(t.Context(), filepath.Join(dir, "none"), nil)
	assert.Error(t, err, "a folder that does not exist")
}

// TestSnapshot_sums: a hash for each path at the top of a folder, without scratch folders.
func TestSnapshot_sums(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a/.cache/x", "1")
	write(t, dir, "b", "1")
	before, err := TakeSnapshot(t.Context(), dir, nil)
	must(t, err)
	write(t, dir, "a/.cache/x", "2")
	write(t, dir, "b", "2")
	now, err := TakeSnapshot(t.Context(), dir, before)
	must(t, err)
	was, is := before.Sums(".cache"), now.Sums(".cache")
	assert.Equal(t, is["a"], was["a"])
	assert.NotEqual(t, is["b"], was["b"])
	assert.Equal(t, 2, len(is))
	left := now.Without([]string{"a"}).FileSums()
	assert.Equal(t, 1, len(left))
	assert.NotEqual(t, "", left["b"])
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// age sets the time of a file's last modification, which any program can do.
func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	at := time.Unix(1_700_000_000, 0).Add(-by)
	must(t, os.Chtimes(path, at, at))
}

func rename(t *testing.T, dir, from, to string) {
	t.Helper()
	must(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
}

func must(t *testing.T, err error) {
	t.Helper()
	assert.NoError(t, err)
}

// TestSnapshot_reset: permissions and times of files, folders and the top are those of the snapshot again.
func TestSnapshot_reset(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made := time.Date(2026, 11, 28, 12, 0, 0, 123456789, time.UTC)
	write := func(name string, mode os.FileMode) {
		path := filepath.Join(dir, name)
		assert.NoError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), mode), os.Chtimes(path, made, made)))
	}
	write("file", 0o644)
	write("deep/er/program", 0o755)
	root, err := os.OpenRoot(dir)
	assert.NoError(t, err)
	defer root.Close()
	if err := errors.Join(root.Symlink("er/program", "deep/link"), setLinkTime(root, "deep/link", made)); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	for _, folder := range []string{"deep/er", "deep", "."} {
		assert.NoError(t, os.Chtimes(filepath.Join(dir, folder), made, made))
	}
	before, err := TakeSnapshot(t.Context(), dir, nil)
	assert.NoError(t, err)
	looks := func() string {
		var out strings.Builder
		for _, name := range []string{".", "file", "deep", "deep/er", "deep/er/program", "deep/link"} {
			info, err := os.Lstat(filepath.Join(dir, name))
			assert.NoError(t, err)
			fmt.Fprintln(&out, name, info.Mode(), info.ModTime().UTC())
		}
		return out.String()
	}
	want := looks()
	late := made.Add(time.Hour)
	for name, mode := range map[string]os.FileMode{"file": 0o606, "deep/er/program": 0o700, "deep/er": 0o700, "deep": 0o777, ".": 0o777} {
		path := filepath.Join(dir, name)
		assert.NoError(t, errors.Join(os.Chmod(path, mode), os.Chtimes(path, late, late)))
	}
	assert.NoError(t, setLinkTime(root, "deep/link", late))
	write("added", 0o644)
	now, _, err := before.Retake(t.Context())
	if err == nil {
		err = errors.Join(os.Remove(filepath.Join(dir, "added")), before.Reset(now.Without([]string{"added"})))
	}
	assert.NoError(t, err)
	assert.Equal(t, want, looks())
}
