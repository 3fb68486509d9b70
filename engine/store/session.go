package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/engine/atomicfile"
)

// sessionName is the file, among the derived data, that tells of a running server.
const sessionName = "mcp.json"

// PutSession replaces the file that tells of a running server. Its owner alone can
// read it.
func (s *Store) PutSession(ctx context.Context, content []byte) error {
	return s.inTurn(ctx, "announce a server", func() error {
		path, err := s.Local(Cache, sessionName)
		if err != nil {
			return err
		}
		temp, err := s.Local(Cache, "")
		if err != nil {
			return err
		}
		if err := atomicfile.Write(path, content, atomicfile.Options{Temp: temp, Mode: 0o600}); err != nil {
			return fmt.Errorf("write %q: %w", path, err)
		}
		return nil
	})
}

// DropSession removes that file while it holds content. A file of another server
// stays, and where there is none nothing is made.
func (s *Store) DropSession(ctx context.Context, content []byte) error {
	path := s.LocalPath(Cache, sessionName)
	if own, err := holds(path, content); !own {
		return err
	}
	return s.inTurn(ctx, "withdraw a server", func() error {
		own, err := holds(path, content)
		if !own {
			return err
		}
		return os.Remove(path)
	})
}

// holds reports whether a file is there with exactly this content.
func holds(path string, content []byte) (bool, error) {
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && bytes.Equal(src, content), err
}
