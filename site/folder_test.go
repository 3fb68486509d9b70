package site

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/engine"
)

// TestMakeFolders_inTheWay: a file that a person has put into the folder of a site is not replaced.
func TestMakeFolders_inTheWay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := func(names ...string) error {
		out, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		var files []File
		for _, name := range names {
			files = append(files, File{Path: name})
		}
		if err := out.makeFolders(files); err != nil {
			return errors.Join(err, out.close())
		}
		for _, name := range names {
			if _, err := out.write(name, []byte("page")); err != nil {
				t.Fatal(err)
			}
		}
		_, err = out.finish(files)
		return errors.Join(err, out.close())
	}
	if err := build("index.html", "label/a.html"); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(dir, "label", "b.html")
	if err := os.WriteFile(own, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var failure *engine.Error
	if err := build("index.html", "label/b.html"); !errors.As(err, &failure) || failure.Code != engine.Conflict {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(own); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.Remove(own); err != nil {
		t.Fatal(err)
	}
	if err := build("index.html", "label/b.html"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "label", "a.html")); !os.IsNotExist(err) {
		t.Errorf("a page that is no longer needed: %v", err)
	}
}
