package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"chant/gitops/layout"
)

// Append adds one record to a spec's journal and syncs it to the disk before it
// returns, so that the journal never claims what did not happen. It returns the added bytes.
func (l Files) Append(id string, record any) ([]byte, error) {
	return l.append(id, record, (*os.File).Sync)
}

// AppendUnsynced is Append that does not wait for the disk: for a record that Append follows before anything else is
// done. A crash of the system in between may lose it, the end of the process does not.
func (l Files) AppendUnsynced(id string, record any) ([]byte, error) {
	return l.append(id, record, func(*os.File) error { return nil })
}

func (l Files) append(id string, record any, sync func(*os.File) error) ([]byte, error) {
	line, err := json.Marshal(record)
	if err != nil {
		return nil, fmt.Errorf("journal of %q: %w", id, err)
	}
	path, err := l.Local(Runs, id+".jsonl")
	// Records are appended to the whole journal, so one at the former path moves first: reading only looks there if this one
	// is missing.
	if err == nil {
		err = l.moveFormerJournal(id, path)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("journal of %q: %w", id, err)
	}
	// A crash left the last line incomplete; without a newline this record would be lost with it.
	if lacksNewline(f) {
		line = append([]byte{'\n'}, line...)
	}
	line = append(line, '\n')
	// One write in append mode keeps records of several processes apart.
	_, err = f.Write(line)
	if err = errors.Join(err, sync(f), f.Close(), layout.Share(path)); err != nil {
		return nil, fmt.Errorf("journal of %q: %w", id, err)
	}
	return line, nil
}

// lacksNewline reports whether a crash left the last line incomplete.
func lacksNewline(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// Records returns the lines of a spec's journal, oldest first, without lines that a
// crash cut short. A missing journal is not an error.
func (l Files) Records(id string) ([][]byte, error) {
	src, err := l.Journal(id)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for line := range bytes.Lines(src) {
		// A line that a crash cut short never happened.
		if json.Valid(line) {
			out = append(out, line)
		}
	}
	return out, nil
}

// Journal returns the bytes of a spec's journal, nil without one.
func (l Files) Journal(id string) ([]byte, error) {
	src, err := readJournal(l.JournalPath(id))
	// A journal at its former path counts until the next record moves it.
	if src == nil && err == nil {
		src, err = readJournal(l.formerPath(Runs, id+".jsonl"))
	}
	if err != nil {
		return nil, fmt.Errorf("journal of %q: %w", id, err)
	}
	return src, nil
}

func readJournal(path string) ([]byte, error) {
	// Opening a pipe in its place would block forever.
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}

// Journals returns the sizes in bytes of the journals that were written to at or after a time, by the id of their
// specs.
func (l Files) Journals(since time.Time) (map[string]int64, error) {
	files, err := l.JournalFiles()
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for id, info := range files {
		if !info.ModTime().Before(since) {
			out[id] = info.Size()
		}
	}
	return out, nil
}

// JournalFiles returns what the system knows of the files of all journals, by the id of their specs.
func (l Files) JournalFiles() (map[string]fs.FileInfo, error) {
	out := map[string]fs.FileInfo{}
	// The former folder comes first, so that a journal at both paths is the newer one.
	for _, dir := range []string{l.formerPath(Runs, ""), l.LocalPath(Runs, "")} {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("journals: %w", err)
		}
		for _, entry := range entries {
			id, isJournal := strings.CutSuffix(entry.Name(), ".jsonl")
			info, err := entry.Info()
			if err != nil || !isJournal {
				// It was removed in the meantime, or is something else.
				continue
			}
			out[id] = info
		}
	}
	return out, nil
}
