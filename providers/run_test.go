package providers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/assert/v2"
)

func TestRun(t *testing.T) {
	t.Parallel()
	var r recording
	l := agent(t, "echo one; echo two >&2; printf three")
	o, err := Run(context.Background(), l, Limits{}, r.watch())
	assert.NoError(t, err)
	assert.True(t, o.OK, "outcome %+v", o)
	assert.Equal(t, "", o.Reason)
	assert.True(t, o.Output, "outcome %+v", o)
	assert.Zero(t, o.Exit.Code)
	assert.NotZero(t, o.Exit.Busy)
	assert.Equal(t, "one\nthree", r.texts(Output))
	assert.Equal(t, "two", r.texts(Stderr))
	assert.Equal(t, "two\n", o.StderrTail)
	assert.NotEqual(t, 0, r.process.PID)
	assert.NotEqual(t, "", r.process.Started)
	assert.Equal(t, Variable(l.Env, RunIDKey), r.process.RunID)
	assert.False(t, Alive(r.process), "alive after its run")
}

func TestRun_failure(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, reason string }{
		"stderr only":    {"echo out; echo why >&2; exit 3", "exit code 3: why"},
		"stdout only":    {"echo why; exit 3", "exit code 3: why"},
		"nothing at all": {"exit 1", "exit code 1 (no output at all)"},
		"signal":         {"echo x; kill -9 $$", `ended by signal "killed": x`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, err := Run(context.Background(), agent(t, tt.script), Limits{}, Watch{})
			assert.NoError(t, err)
			assert.False(t, o.OK, "got %v %q, %v; want %q", o.OK, o.Reason, err, tt.reason)
			assert.Equal(t, tt.reason, o.Reason)
		})
	}
}

func TestRun_stdin(t *testing.T) {
	t.Parallel()
	prompt := filepath.Join(t.TempDir(), "prompt.md")
	assert.NoError(t, os.WriteFile(prompt, []byte("do it\n"), 0o600))
	for stdin, want := range map[string]string{"": "end", prompt: "do it\nend"} {
		var r recording
		l := agent(t, "cat; echo end")
		l.Stdin = stdin
		_, err := Run(context.Background(), l, Limits{}, r.watch())
		assert.NoError(t, err)
		assert.Equal(t, want, r.texts(Output), "stdin %q", stdin)
	}
}

// TestRun_stdinNull proves that the default is the null device itself.
func TestRun_stdinNull(t *testing.T) {
	t.Parallel()
	onlyLinux(t)
	var r recording
	_, err := Run(context.Background(), agent(t, "readlink /proc/self/fd/0"), Limits{}, r.watch())
	assert.NoError(t, err)
	assert.Equal(t, "/dev/null", r.texts(Output))
}

// TestRun_noTerminal proves that a question on the terminal fails at once.
func TestRun_noTerminal(t *testing.T) {
	t.Parallel()
	o, err := Run(context.Background(), agent(t, "exec 2>/dev/null; read x </dev/tty"), Limits{}, Watch{})
	assert.NoError(t, err)
	assert.False(t, o.OK, "outcome %+v, %v", o, err)
}

// TestRun_flood would hang if one pipe were read after the other.
func TestRun_flood(t *testing.T) {
	t.Parallel()
	var r recording
	o, err := Run(context.Background(), agent(t, `
head -c 1000000 /dev/zero | tr '\0' e >&2
head -c 1000000 /dev/zero | tr '\0' o
head -c 400000 /dev/zero | tr '\0' '\n' >&2
`), Limits{}, r.watch())
	assert.NoError(t, err, "outcome %q", o.Reason)
	assert.True(t, o.OK, "outcome %v %q, %v", o.OK, o.Reason, err)
	assert.Equal(t, 1000000, len(r.texts(Output)))
	assert.Equal(t, 1400000-1, len(r.texts(Stderr)))
	assert.True(t, len(o.StderrTail) <= tailSize, "tail of %d bytes", len(o.StderrTail))
	assert.True(t, utf8.ValidString(o.StderrTail), "tail of %d bytes", len(o.StderrTail))
}

// TestRun_slowConsumer proves that the last lines survive a consumer that is
// still busy when the process is long gone.
func TestRun_slowConsumer(t *testing.T) {
	t.Parallel()
	var r recording
	r.on = func(e Event) {
		if e.Text == "1" {
			for isAlive(r.process.PID) {
				runtime.Gosched()
			}
		}
	}
	_, err := Run(context.Background(), agent(t, "seq 1 3000"), Limits{}, r.watch())
	assert.NoError(t, err)
	got := r.texts(Output)
	assert.HasSuffix(t, got, "\n2999\n3000", "%d bytes of output", len(got))
	assert.Equal(t, 2999, strings.Count(got, "\n"), "%d bytes of output", len(got))
}

func TestRun_cannotStart(t *testing.T) {
	t.Parallel()
	l := agent(t, "")
	missing := l
	missing.Path = filepath.Join(l.Dir, "none")
	var e *MissingError
	_, err := Run(context.Background(), missing, Limits{}, Watch{})
	assert.True(t, errors.As(err, &e), "missing program: %v", err)
	assert.Equal(t, missing.Path, e.Binary)
	if runtime.GOOS != "windows" {
		text := l
		text.Path = filepath.Join(l.Dir, "text")
		assert.NoError(t, os.WriteFile(text.Path, []byte("no program"), 0o755))
		_, err = Run(context.Background(), text, Limits{}, Watch{})
		_, ok := errors.AsType[*FormatError](err)
		assert.True(t, ok, "no program: %v", err)
	}
	nowhere := l
	nowhere.Dir = filepath.Join(l.Dir, "none")
	_, err = Run(context.Background(), nowhere, Limits{}, Watch{})
	assert.Error(t, err)
	assert.False(t, errors.As(err, &e), "missing folder: %v", err)
	nothing := l
	nothing.Stdin = filepath.Join(l.Dir, "none")
	_, err = Run(context.Background(), nothing, Limits{}, Watch{})
	assert.IsError(t, err, os.ErrNotExist)
}

func TestRun_canceledBefore(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var r recording
	o, err := Run(ctx, agent(t, "echo x"), Limits{}, r.watch())
	assert.NoError(t, err)
	assert.True(t, o.Canceled, "outcome %+v, %v", o, err)
	assert.False(t, o.OK, "outcome %+v, %v", o, err)
	assert.Equal(t, "stopped", o.Reason)
	assert.Equal(t, 0, r.process.PID)
}
