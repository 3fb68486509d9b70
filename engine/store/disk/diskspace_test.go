package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		path, full := FullIn(c.err)
		assert.Equal(t, c.path, path, "%s", name)
		assert.Equal(t, c.full, full, "%s", name)
	}
}

// TestSaid has what programs print.
func TestSaid(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"": false, "fatal: sha1 file 'x' write error. Out of diskspace": true, "cp: error writing 'x': No space left on device": true,
		"write: Disk quota exceeded": true, "There is not enough space on the disk.": true, "there is no space in this name": false,
	} {
		assert.Equal(t, want, SaysFull(said), "%t", !want)
	}
}
