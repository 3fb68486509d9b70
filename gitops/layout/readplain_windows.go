package layout

import (
	"errors"
	"io"
	"os"
)

// regular is a regular file that is being read.
type regular struct {
	file *os.File
	size int64
}

// openRegular opens a file. Error: ErrNotFile, if it is not a regular file.
func openRegular(path string) (*regular, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notFile(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &regular{file, info.Size()}, nil
}

func (f *regular) read(into []byte) (int, error) {
	n, err := f.file.Read(into)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f *regular) close() error { return f.file.Close() }
