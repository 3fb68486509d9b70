package local

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// The formats of what chant keeps. Each is raised by a change that an older chant would misread, and not by one that it may ignore:
// unknown keys and members are ignored. What names no format has format 1.
const (
	StateFormat    = 1 // of what is below "chant" in git's common directory: journals, locks, numbers, the queue of landings
	SettingsFormat = 1 // of .chant, by the key "format" of config.md
)

// FormatError says that a newer chant has written what this one would misread.
type FormatError struct {
	What     string // such as a path
	Has, Max int
}

// Error names the formats.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s has format %d, and this chant reads formats up to %d: use a newer chant", e.What, e.Has, e.Max)
}

// formatFile names the file, below "chant" in git's common directory, that has StateFormat. Format 1 needs none.
const formatFile = "format"

// CheckFormat refuses local state of a newer chant. Errors: *FormatError, *FileError.
func (l Files) CheckFormat() error {
	path := filepath.Join(l.common, "chant", formatFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	has, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	switch {
	case err != nil || has < 1:
		return &FileError{path, "is not the number of a format"}
	case has > StateFormat:
		return &FormatError{fmt.Sprintf("%q", filepath.Dir(path)), has, StateFormat}
	}
	return nil
}
