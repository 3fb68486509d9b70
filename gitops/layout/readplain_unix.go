//go:build unix

package layout

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// regular is a regular file that is being read. A run reads thousands of them, with a few bytes each, so os.File, which
// asks the system three times as often, is not used.
type regular struct {
	path string
	fd   int
	size int64
}

// openRegular opens a file without waiting for a pipe's other end. Error: ErrNotFile, if it is not a regular file.
func openRegular(path string) (*regular, error) {
	fd, err := again(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
			return nil, notFile(path) // a socket cannot be opened
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := &regular{path: path, fd: fd}
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return nil, errors.Join(&fs.PathError{Op: "stat", Path: path, Err: err}, f.close())
	}
	if info.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, errors.Join(notFile(path), f.close())
	}
	f.size = info.Size
	return f, nil
}

func (f *regular) read(into []byte) (int, error) {
	n, err := again(func() (int, error) { return syscall.Read(f.fd, into) })
	if err != nil {
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: err}
	}
	return n, nil
}

func (f *regular) close() error {
	if err := syscall.Close(f.fd); err != nil {
		return &fs.PathError{Op: "close", Path: f.path, Err: err}
	}
	return nil
}

// again repeats a call that a signal has interrupted.
func again(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
