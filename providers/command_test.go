package providers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

// command returns a line to run in a folder of its own.
func command(t *testing.T, line string) Command {
	t.Helper()
	l := agent(t, "")
	return Command{Line: line, Dir: l.Dir, Env: l.Env}
}

func TestRunCommand(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line   string
		exit   int
		output string
	}{
		"passes":            {"true", 0, ""},
		"fails":             {"echo no; exit 3", 3, "no\n"},
		"merged, in order":  {"echo 1; echo 2 >&2; echo 3", 0, "1\n2\n3\n"},
		"no such program":   {"exec 2>/dev/null; no-such-program", 127, ""},
		"signal":            {"kill -9 $$", 137, ""},
		"stdin is empty":    {"cat; echo end", 0, "end\n"},
		"quotes":            {`printf '%s\n' "a  b"`, 0, "a  b\n"},
		"every line counts": {"false\ntrue", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var copied bytes.Buffer
			c := command(t, tt.line)
			c.Output = &copied
			r, err := RunCommand(context.Background(), c)
			assert.NoError(t, err)
			sum := sha256.Sum256([]byte(tt.output))
			assert.Equal(t, tt.exit, r.ExitCode)
			assert.False(t, r.TimedOut, "result %+v", r)
			assert.Equal(t, hex.EncodeToString(sum[:]), r.SHA256)
			assert.Equal(t, tt.output, r.Tail)
			assert.Equal(t, tt.output, copied.String())
			assert.Equal(t, int64(len(tt.output)), r.Bytes)
		})
	}
}

func TestRunCommand_longOutput(t *testing.T) {
	t.Parallel()
	r, err := RunCommand(context.Background(), command(t, "yes 'ä line that is longer than one' | head -n 30000"))
	assert.NoError(t, err)
	line := "ä line that is longer than one\n"
	whole := strings.Repeat(line, 30000)
	sum := sha256.Sum256([]byte(whole))
	assert.Equal(t, int64(len(whole)), r.Bytes)
	assert.Equal(t, hex.EncodeToString(sum[:]), r.SHA256)
	assert.True(t, len(r.Tail) <= tailSize, "tail of %d bytes begins %q", len(r.Tail), r.Tail[:40])
	assert.Equal(t, 0, len(r.Tail)%len(line), "tail of %q", r.Tail[:40])
	assert.HasPrefix(t, r.Tail, line, "tail of %q", r.Tail[:40])
}

func TestRunCommand_limit(t *testing.T) {
	t.Parallel()
	c := command(t, "echo $$ >a.pid; sleep 1000 & echo $! >b.pid; wait")
	c.Timeout = 60 * time.Millisecond
	r, err := RunCommand(context.Background(), c)
	assert.NoError(t, err)
	assert.True(t, r.TimedOut, "result %+v, %v", r, err)
	assert.NotEqual(t, 0, r.ExitCode)
	files, _ := filepath.Glob(filepath.Join(c.Dir, "*.pid"))
	noneAlive(t, c.Dir, len(files)) // a slow machine may not come so far
}

func TestRunCommand_leavesNothing(t *testing.T) {
	t.Parallel()
	c := command(t, "sleep 1000 & echo $! >a.pid; echo up")
	r, err := RunCommand(context.Background(), c)
	assert.NoError(t, err)
	assert.Equal(t, 0, r.ExitCode)
	assert.Equal(t, "up\n", r.Tail)
	noneAlive(t, c.Dir, 1)
}

// calling is a Writer that calls back once.
type calling func()

func (c calling) Write(p []byte) (int, error) {
	c()
	return len(p), nil
}

func TestRunCommand_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := command(t, "echo $$ >a.pid; echo up; sleep 1000")
	c.Output = calling(cancel)
	r, err := RunCommand(ctx, c)
	assert.IsError(t, err, context.Canceled)
	assert.Contains(t, err.Error(), "sleep 1000")
	assert.Equal(t, "up\n", r.Tail)
	noneAlive(t, c.Dir, 1)
	_, err = RunCommand(ctx, c)
	assert.IsError(t, err, context.Canceled, "started after the end of ctx")
}

// TestRunCommand_sameRun proves that a command that ends leaves another one of
// the same run alone.
func TestRunCommand_sameRun(t *testing.T) {
	t.Parallel()
	c := command(t, "mkfifo go; echo up; read word <go; echo $word")
	c.RunID = "one-run"
	up := make(chan struct{}, 16)
	c.Output = calling(func() { up <- struct{}{} })
	waiting := make(chan CommandResult)
	go func() {
		r, err := RunCommand(context.Background(), c)
		if err != nil {
			t.Error(err)
		}
		waiting <- r
	}()
	<-up
	for _, line := range []string{"true", "echo done >go"} {
		other := c
		other.Line, other.Output = line, nil
		r, err := RunCommand(context.Background(), other)
		assert.NoError(t, err, "%q", line)
		assert.Equal(t, 0, r.ExitCode, "%q", line)
	}
	r := <-waiting
	assert.Equal(t, 0, r.ExitCode, "the waiting command")
	assert.Equal(t, "up\ndone\n", r.Tail, "the waiting command")
}

func TestRunCommand_environment(t *testing.T) {
	t.Parallel()
	t.Run("run id", func(t *testing.T) {
		t.Parallel()
		c := command(t, "echo $CHANT_RUN_ID")
		c.RunID = "r1"
		r, err := RunCommand(context.Background(), c)
		assert.NoError(t, err)
		assert.Equal(t, "r1\n", r.Tail)
	})
	t.Run("nothing of ours", func(t *testing.T) {
		t.Parallel()
		c := command(t, "echo ${HOME:-none}")
		r, err := RunCommand(context.Background(), c)
		assert.NoError(t, err)
		assert.Equal(t, "none\n", r.Tail)
	})
	t.Run("no shell", func(t *testing.T) {
		t.Parallel()
		c := command(t, "true")
		c.Env = []string{"PATH=" + c.Dir}
		var missing *MissingError
		_, err := RunCommand(context.Background(), c)
		assert.True(t, errors.As(err, &missing), "error %v", err)
		assert.Equal(t, "sh", missing.Binary)
	})
}

func TestRunCommand_brokenCopy(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	r.Close()
	c := command(t, "echo one; echo two")
	c.Output = w
	if r, err := RunCommand(context.Background(), c); err != nil || r.Tail != "one\ntwo\n" {
		t.Errorf("%q, %v", r.Tail, err)
	}
}

func TestRunCommand_missingFolder(t *testing.T) {
	t.Parallel()
	c := command(t, "true")
	c.Dir = filepath.Join(c.Dir, "none")
	_, err := RunCommand(context.Background(), c)
	assert.IsError(t, err, os.ErrNotExist)
}

func TestTail(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ output, want string }{
		"short":     {"a\nb", "a\nb"},
		"exactly":   {strings.Repeat("x", tailSize), strings.Repeat("x", tailSize)},
		"invalid":   {"a\xffb", "a?b"},
		"at a line": {strings.Repeat("x", 100) + "\n" + strings.Repeat("y", tailSize-10), strings.Repeat("y", tailSize-10)},
		"late line": {strings.Repeat("x", 2*tailSize) + "\nend", strings.Repeat("x", tailSize-4) + "\nend"},
		"at a rune": {strings.Repeat("ä", tailSize) + "x", strings.Repeat("ä", tailSize/2-1) + "x"},
	} {
		var whole, pieces tail
		whole.write([]byte(tt.output))
		for i := range len(tt.output) {
			pieces.write([]byte(tt.output[i : i+1]))
		}
		if whole.text() != tt.want || pieces.text() != tt.want {
			t.Errorf("%s: got %.20q and %.20q, want %.20q", name, whole.text(), pieces.text(), tt.want)
		}
	}
}

// FuzzTail holds that the text is short, valid, and an end of valid output.
func FuzzTail(f *testing.F) {
	f.Add("äöü\n", 2000)
	f.Add("日本", 3000)
	f.Fuzz(func(t *testing.T, part string, times int) {
		times = min(max(times, 0), 5000)
		if len(part) > 100 {
			part = part[:100]
		}
		var kept tail
		for range times {
			kept.write([]byte(part))
		}
		text := kept.text()
		if len(text) > tailSize || !utf8.ValidString(text) {
			t.Errorf("%d bytes, valid %v", len(text), utf8.ValidString(text))
		}
		assert.False(t, utf8.ValidString(part) && !strings.HasSuffix(strings.Repeat(part, times), text), "%.40q is not the end of the output", text)
	})
}
