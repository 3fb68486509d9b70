package exchange

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestReadInput reads files and pipes, refuses what is neither, and ends when it is cancelled.
func TestReadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	assert.NoError(t, os.WriteFile(file, []byte("x"), 0o644))
	got, err := readInput(t.Context(), file)
	assert.NoError(t, err)
	assert.Equal(t, "x", string(got))
	_, err = readInput(t.Context(), dir)
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
	if runtime.GOOS == "windows" {
		t.Skip("pipes and devices have no paths")
	}
	_, err = readInput(t.Context(), "/dev/null")
	assert.Equal(t, engine.Usage, enginetest.CodeOf(t, err))
	blocked, fed := filepath.Join(dir, "blocked"), filepath.Join(dir, "fed")
	assert.NoError(t, exec.CommandContext(t.Context(), "mkfifo", blocked, fed).Run())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = readInput(ctx, blocked)
	assert.True(t, errors.Is(err, context.DeadlineExceeded), "%v", err)
	// Lets the goroutine that was left behind end.
	assert.NoError(t, os.WriteFile(blocked, nil, 0))
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(fed, []byte("from a pipe"), 0) }()
	got, err = readInput(t.Context(), fed)
	assert.NoError(t, err)
	assert.NoError(t, <-written)
	assert.Equal(t, "from a pipe", string(got))
}
