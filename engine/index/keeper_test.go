package index

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestKeeper hands on an open index, and opens another one once the file was removed or replaced, or while it is in
// use.
func TestKeeper(t *testing.T) {
	t.Parallel()
	var k Keeper
	defer k.Close()
	folder := t.TempDir()
	open := func(format string) *Index {
		t.Helper()
		x := k.Open(t.Context(), folder, format)
		if x == nil {
			t.Skip("no index can be kept here")
		}
		x.View(t.Context(), func(v *View) {
			if v == nil {
				t.Error("the index has no view")
			}
		})
		return x
	}
	first := open("a")
	if other := open("a"); other == first {
		t.Error("one index is used by two at once")
	} else {
		other.Close()
	}
	first.Close() // another one is kept already
	again := open("a")
	if again == first {
		t.Error("a closed index is handed on")
	}
	again.Close()
	if kept := open("a"); kept != again {
		t.Error("the index is opened anew for each query")
	} else {
		kept.Close()
	}
	if other := open("b"); other == again {
		t.Error("an index of another format is handed on")
	} else {
		other.Close()
	}
	if err := os.Remove(filepath.Join(folder, Name)); err != nil {
		t.Fatal(err)
	}
	last := open("b")
	if _, err := os.Stat(filepath.Join(folder, Name)); err != nil {
		t.Errorf("the removed file was not made anew: %v", err)
	}
	last.Close()

	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				x := k.Open(t.Context(), folder, "b")
				x.View(t.Context(), func(*View) {})
				x.Close()
			}
		})
	}
	all.Wait()
}
