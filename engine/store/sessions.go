package store

import (
	"fmt"
	"os"
)

// SessionsDir returns the folder for what agents keep of their conversations beside the
// logs, and as long. Others on the machine cannot read it.
func (l Locals) SessionsDir() (string, error) {
	path, err := l.Local(Logs, "sessions")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", fmt.Errorf("make folder %q: %w", path, err)
	}
	return path, nil
}
