package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A redo log keeps records of changes of several files while these are written, so that what a killed process has
// begun is finished later. It reads and writes records only; its callers write files and commit.
//
// Decisions:
//
// 2026-11-23: a change is finished by the next change. Rejected: undoing it, because entries of the index that a killed
// commit has set would have to be taken back as well; writing the files after the commit, because what a process has
// not written then looks like an edit that takes the commit back; and finishing it when something is read, since
// reading must not write.

// RedoLog is a change of files that becomes one commit.
type RedoLog struct {
	Message string     `json:"message"`
	Files   []RedoFile `json:"files"`
}

// RedoFile is the change of one file from Old, nil if it did not exist, to Next, nil to remove it.
type RedoFile struct {
	Path string `json:"path"`
	Old  []byte `json:"old"`
	Next []byte `json:"next"`
}

// NoteRedo records, in a folder that it makes, a change that is about to be written. The caller calls done when the change
// is committed or undone.
func NoteRedo(dir string, c RedoLog) (done func() error, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	// Each record is a file of its own, so that live processes and leftovers never overwrite each other.
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

// pendingRedo reports whether a folder has records. Those of processes that are alive count.
func pendingRedo(dir string) (bool, error) {
	names, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return len(names) > 0, err
}

// redoTree is the folder whose files are changed. Functions that read return fs.ErrNotExist for a file that does not exist.
type redoTree struct {
	Read      func(path string) ([]byte, error)
	Committed func(path string) ([]byte, error) // reads from the commit that is checked out
	Write     func(f RedoFile) error
	Commit    func(files []RedoFile, message string) error
}

// finishRedo finishes the change of each record in a folder, and then removes the record. A change of which no file is
// written, and one that is committed, is left as it is. The caller makes sure that no live process has a record.
func finishRedo(dir string, t redoTree) error {
	names, err := os.ReadDir(dir)
	for _, name := range names {
		err = errors.Join(err, t.finishRecord(filepath.Join(dir, name.Name())))
	}
	return err
}

func (t redoTree) finishRecord(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var c RedoLog
	// A record that is not whole is of a process that was killed before it wrote any file.
	if json.Unmarshal(text, &c) == nil {
		if err := t.finish(c); err != nil {
			return err
		}
	}
	return os.Remove(path)
}

func (t redoTree) finish(c RedoLog) error {
	written, missing := c.split(t.Read)
	committed, err := c.isCommitted(t.Committed)
	// If no file is written, the change never began; if the commit has it, only the record was left over.
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
func (c RedoLog) split(read func(path string) ([]byte, error)) (written, missing []RedoFile) {
	for _, f := range c.Files {
		have, err := read(f.Path)
		// A file that cannot be read is neither written nor missing, so the change leaves it alone.
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		switch {
		case hasContent(f.Next, have, err):
			written = append(written, f)
		case hasContent(f.Old, have, err):
			missing = append(missing, f)
		}
	}
	return written, missing
}

// hasContent reports whether a file that was read with err has a content, nil for a missing file.
func hasContent(content, have []byte, err error) bool {
	return (content == nil) == (err != nil) && bytes.Equal(content, have)
}

// isCommitted reports whether a commit has one of the files as it is after the change.
func (c RedoLog) isCommitted(read func(path string) ([]byte, error)) (bool, error) {
	for _, f := range c.Files {
		have, err := read(f.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if hasContent(f.Next, have, err) {
			return true, nil
		}
	}
	return false, nil
}
