package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// TestIn: an error says that no space is left however it is wrapped, and names the folder if it has one.
func TestIn(t *testing.T) {
	t.Parallel()
	write := &fs.PathError{Op: "write", Path: "/no/such/folder", Err: syscall.ENOSPC}
	for name, c := range map[string]struct {
		err  error
		path string
		full bool
	}{
		"nothing":    {nil, "", false},
		"another":    {&fs.PathError{Op: "open", Path: "/no/such/folder", Err: syscall.ENOENT}, "", false},
		"a file":     {write, "/", true},
		"wrapped":    {fmt.Errorf("journal: %w", write), "/", true},
		"joined":     {errors.Join(errors.New("first"), write), "/", true},
		"a quota":    {&fs.PathError{Op: "write", Path: "/no/such/folder", Err: syscall.EDQUOT}, "/", true},
		"no path":    {os.NewSyscallError("write", syscall.ENOSPC), "", true},
		"only words": {errors.New("no space left on device"), "", false},
	} {
		if path, full := FullIn(c.err); path != c.path || full != c.full {
			t.Errorf("%s: %q, %t", name, path, full)
		}
	}
}

// TestSaid has what programs print.
func TestSaid(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"": false, "fatal: sha1 file 'x' write error. Out of diskspace": true, "cp: error writing 'x': No space left on device": true,
		"write: Disk quota exceeded": true, "There is not enough space on the disk.": true, "there is no space in this name": false,
	} {
		if SaysFull(said) != want {
			t.Errorf("%q: %t", said, !want)
		}
	}
}

// TestFull: the file system of this test has space; one that is always full is found to be.
func TestFull(t *testing.T) {
	t.Parallel()
	if Full(t.TempDir()) || Full("") || Full("/no/such/folder") {
		t.Error("full")
	}
	if _, err := os.Stat("/sys/kernel"); runtime.GOOS == "linux" && err == nil && Full("/sys/kernel") {
		t.Error("a file system without blocks is not full")
	}
}
