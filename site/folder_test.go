package site

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/engine"

	"github.com/alecthomas/assert/v2"
)

// TestMakeFolders_inTheWay: a file that a person has put into the folder of a site is not replaced.
func TestMakeFolders_inTheWay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := func(names ...string) error {
		out, err := openFolder(dir)
		assert.NoError(t, err)
		var files []File
		for _, name := range names {
			files = append(files, File{Path: name})
		}
		if err := out.makeFolders(files); err != nil {
			return errors.Join(err, out.close())
		}
		for _, name := range names {
			_, err := out.write(name, []byte("page"))
			assert.NoError(t, err)
		}
		_, err = out.finish(files)
		return errors.Join(err, out.close())
	}
	assert.NoError(t, build("index.html", "label/a.html"))
	own := filepath.Join(dir, "label", "b.html")
	assert.NoError(t, os.WriteFile(own, []byte("mine"), 0o600))
	var failure *engine.Error
	err := build("index.html", "label/b.html")
	assert.True(t, errors.As(err, &failure), "%v", err)
	assert.Equal(t, engine.Conflict, failure.Code)
	text, err := os.ReadFile(own)
	assert.NoError(t, err)
	assert.Equal(t, "mine", string(text))
	assert.NoError(t, os.Remove(own))
	assert.NoError(t, build("index.html", "label/b.html"))
	_, err = os.Stat(filepath.Join(dir, "label", "a.html"))
	assert.True(t, os.IsNotExist(err), "a page that is no longer needed: %v", err)
}
