package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/engine/atomicfile"
	"chant/engine/local"
)

// sessionName is the file in the cache that describes a running MCP server.
const sessionName = "mcp.json"

// PutSession replaces the file that describes a running MCP server. Only its owner can
// read it.
func (s *Store) PutSession(ctx context.Context, content []byte) error {
	return s.withWriteLock(ctx, "announce a server", func() error {
		path, err := s.Local(local.Cache, sessionName)
		if err != nil {
			return err
		}
		temp, err := s.Local(local.Cache, "")
		if err != nil {
			return err
		}
		if err := atomicfile.Write(path, content, atomicfile.Options{Temp: temp, Mode: 0o600}); err != nil {
			return fmt.Errorf("write %q: %w", path, err)
		}
		return nil
	})
}

// DropSession removes that file if it has this content. The file of another server
// stays.
func (s *Store) DropSession(ctx context.Context, content []byte) error {
	path := s.LocalPath(local.Cache, sessionName)
	if own, err := hasContent(path, content); !own {
		return err
	}
	return s.withWriteLock(ctx, "withdraw a server", func() error {
		own, err := hasContent(path, content)
		if !own {
			return err
		}
		return os.Remove(path)
	})
}

// hasContent reports whether a file exists with exactly this content.
func hasContent(path string, content []byte) (bool, error) {
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && bytes.Equal(src, content), err
}
