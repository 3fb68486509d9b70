package question

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"

	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops/layout"
)

// appendRecord appends a record to the file of a place and waits for the disk. The caller holds the lock.
func (b Box) appendRecord(place Place, r record) error {
	line, err := encode(r)
	if err != nil {
		return err
	}
	path, err := b.files.Local(local.Questions, string(place)+extension)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	// A crash has cut the last line short.
	if lacksNewline(f) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	// Synced, since an answer that a person has given must not be lost.
	if err = errors.Join(err, f.Sync(), f.Close(), layout.Share(path)); err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}

func encode(r record) ([]byte, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("questions: %w", err)
	}
	return append(line, '\n'), nil
}

func lacksNewline(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

// linesOf iterates over the lines of a file that are JSON.
func linesOf(src []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(src) {
			// A line that was cut short by a crash is skipped.
			if json.Valid(line) && !yield(line) {
				return
			}
		}
	}
}

// shorten replaces the file of a place by one without the oldest closed questions, if it has too many. The newest one
// always stays, since the next number follows from it. The caller holds the lock.
func (b Box) shorten(place Place, all []Question) error {
	if len(all) <= maxKept {
		return nil
	}
	// By half, so that the next questions need not shorten it again.
	drop := len(all) - maxKept/2
	var text []byte
	for i, q := range all {
		// The newest one stays, since the next number follows from it.
		if drop > 0 && q.State != Open && !q.Waits() && i < len(all)-1 {
			drop--
			continue
		}
		line, err := encode(record{Event: kept, Number: q.Number, Time: q.Asked, Question: &q})
		if err != nil {
			return err
		}
		text = append(text, line...)
	}
	path, err := b.files.Local(local.Questions, string(place)+extension)
	if err != nil {
		return err
	}
	if err := disk.Write(path, text, disk.Options{Mode: 0o600}); err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}
