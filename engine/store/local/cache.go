package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CacheDir returns the folder for the files of one run: prompt, script and the agent's MCP config.
func (l Files) CacheDir(id string) (string, error) {
	path, err := l.Local(Cache, id)
	if err != nil {
		return "", err
	}
	// Prompts and configurations may contain secrets, so other users of the machine cannot read them.
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", fmt.Errorf("make folder %q: %w", path, err)
	}
	return path, nil
}

// WriteCache writes one file of a run, which only its owner can read, and returns
// its absolute path.
func (l Files) WriteCache(id, name string, content []byte) (string, error) {
	dir, err := l.CacheDir(id)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return "", fmt.Errorf("write %q: %w", path, err)
	}
	return path, nil
}

// ReadCache reads a run's files, by absolute path.
func (l Files) ReadCache(id string) (map[string][]byte, error) {
	dir := l.LocalPath(Cache, id)
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %q: %w", dir, err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		// A run writes files only: anything else was put there, and a pipe would block.
		if !entry.Type().IsRegular() {
			continue
		}
		if files[path], err = os.ReadFile(path); err != nil {
			return nil, fmt.Errorf("read %q: %w", path, err)
		}
	}
	return files, nil
}

// Temp returns the folder for temporary files that are moved to their place in home.
func (l Files) Temp() (string, error) {
	path, err := l.Local(Cache, tempFolder)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(path, 0o700)
}

// tempFolder is in the cache; no spec can have this name.
const tempFolder = ".temp"

// AnswerFolders returns the folders of the cache that a command may use that acts for the agent of a run: those of the run
// itself, of questions that it puts to other agents, and of what is not of any run. It creates them.
func (l Files) AnswerFolders(id string) ([]string, error) {
	var out []string
	for _, name := range []string{id, AskCache + id, EvidenceFolder, tempFolder} {
		path, err := l.CacheDir(name)
		if err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}

// AskCache begins the name of a question's folder in the cache; no spec has such an id.
const AskCache = ".ask-"

// ClearCache removes a run's files.
func (l Files) ClearCache(id string) error { return os.RemoveAll(l.LocalPath(Cache, id)) }
