package loop

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// file opens what is at a place: a plain file, and the one that was looked at.
func (p place) file(asked string, flag int) (_ *os.File, err error) {
	switch {
	case p.info == nil:
		return nil, fmt.Errorf("%q does not exist; use list_files to list files", asked)
	case p.info.IsDir():
		return nil, fmt.Errorf("%q is a folder; use list_files to list its content", asked)
	case !p.info.Mode().IsRegular():
		return nil, &deniedError{asked, "it is not a regular file"}
	}
	f, err := p.dir.OpenFile(p.name, flag, 0)
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	return f, p.keep(asked, f, now, err)
}

// use opens the file that a path leads to, to read it or to write it, for do. One that is
// missing is made when it is to be written. It returns the path from the top.
func (t *tree) use(name string, flag int, do func(*os.File) error) (at string, err error) {
	p, err := t.at(name, flag != os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	var f *os.File
	if p.info == nil && flag != os.O_RDONLY { // a link put there since is not followed by O_EXCL
		f, err = p.dir.OpenFile(p.name, flag|os.O_CREATE|os.O_EXCL, 0o666)
	} else {
		f, err = p.file(name, flag)
	}
	if err != nil {
		return "", err
	}
	return p.path, errors.Join(do(f), f.Close())
}

// largestFile bounds what is read as one text, in bytes.
const largestFile = 8 << 20

// read returns a file and its path from the top.
func (t *tree) read(name string) (src []byte, at string, err error) {
	at, err = t.use(name, os.O_RDONLY, func(f *os.File) error {
		src, err = io.ReadAll(io.LimitReader(f, largestFile+1))
		if err == nil && len(src) > largestFile {
			err = fmt.Errorf("%q is larger than 8 MiB; use run_command with head, tail or grep", name)
		}
		return err
	})
	return src, at, err
}

// write makes a file have a content, in place, so that its mode and links to it stay.
func (t *tree) write(name string, content []byte) (at string, err error) {
	return t.use(name, os.O_WRONLY, func(f *os.File) error {
		if err := f.Truncate(0); err != nil {
			return err
		}
		_, err := f.Write(content)
		return err
	})
}
