// Package redo keeps records of changes of several files while these are written, so that what a killed process has
// begun is finished later. It reads and writes records only; its callers write files and commit.
//
// # Decisions
//
// 2026-11-23: a change is finished by the next change. Rejected: undoing it, because entries of the index that a killed
// commit has set would have to be taken back as well; writing the files after the commit, because what a process has
// not written then looks like an edit that takes the commit back; and finishing it when something is read, since
// reading must not write.
package redo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Change is a change of files that becomes one commit.
type Change struct {
	Message string `json:"message"`
	Files   []File `json:"files"`
}

// File is the change of one file from Old, nil if it did not exist, to Next, nil to remove it.
type File struct {
	Path string `json:"path"`
	Old  []byte `json:"old"`
	Next []byte `json:"next"`
}

// Note records, in a folder that it makes, a change that is about to be written. The caller calls done when the change
// is committed or undone.
func Note(dir string, c Change) (done func() error, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "*.json")
	if err != nil {
		return nil, err
	}
	done = func() error { return os.Remove(f.Name()) }
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(err, done())
	}
	return done, nil
}

// Pending reports whether a folder has records. Those of processes that are alive count.
func Pending(dir string) (bool, error) {
	names, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return len(names) > 0, err
}

// Tree is the folder whose files are changed. Functions that read return fs.ErrNotExist for a file that does not exist.
type Tree struct {
	Read      func(path string) ([]byte, error)
	Committed func(path string) ([]byte, error) // reads from the commit that is checked out
	Write     func(f File) error
	Commit    func(files []File, message string) error
}

// Finish finishes the change of each record in a folder, and then removes the record. A change of which no file is
// written, and one that is committed, is left as it is. The caller makes sure that no live process has a record.
func Finish(dir string, t Tree) error {
	names, err := os.ReadDir(dir)
	for _, name := range names {
		err = errors.Join(err, t.finishRecord(filepath.Join(dir, name.Name())))
	}
	return err
}

func (t Tree) finishRecord(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var c Change
	if json.Unmarshal(text, &c) == nil { // else the process was killed before it wrote a file
		if err := t.finish(c); err != nil {
			return err
		}
	}
	return os.Remove(path)
}

func (t Tree) finish(c Change) error {
	written, missing := c.split(t.Read)
	committed, err := c.isIn(t.Committed)
	if err != nil || committed || len(written) == 0 {
		return err
	}
	for _, f := range missing {
		if err := t.Write(f); err != nil {
			return err
		}
	}
	return t.Commit(append(written, missing...), c.Message)
}

// split lists the files that are written, and those that are as they were before the change. Files that were edited
// since are in neither list.
func (c Change) split(read func(path string) ([]byte, error)) (written, missing []File) {
	for _, f := range c.Files {
		have, err := read(f.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		switch {
		case same(f.Next, have, err):
			written = append(written, f)
		case same(f.Old, have, err):
			missing = append(missing, f)
		}
	}
	return written, missing
}

// same reports whether a file that was read with err has a content, nil for a missing file.
func same(content, have []byte, err error) bool {
	return (content == nil) == (err != nil) && bytes.Equal(content, have)
}

// isIn reports whether a commit has one of the files as it is after the change.
func (c Change) isIn(read func(path string) ([]byte, error)) (bool, error) {
	for _, f := range c.Files {
		have, err := read(f.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if same(f.Next, have, err) {
			return true, nil
		}
	}
	return false, nil
}
