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
)

func TestRun(t *testing.T) {
	t.Parallel()
	var r recording
	l := agent(t, "echo one; echo two >&2; printf three")
	o, err := Run(context.Background(), l, Limits{}, r.watch())
	if err != nil {
		t.Fatal(err)
	}
	if !o.OK || o.Reason != "" || !o.Output || o.Exit != (Exit{}) {
		t.Errorf("outcome %+v", o)
	}
	if got := r.texts(Output); got != "one\nthree" {
		t.Errorf("stdout %q", got)
	}
	if got := r.texts(Stderr); got != "two" || o.StderrTail != "two\n" {
		t.Errorf("stderr %q, tail %q", got, o.StderrTail)
	}
	if r.process.PID == 0 || r.process.Started == "" || r.process.RunID != Variable(l.Env, RunIDKey) {
		t.Errorf("process %+v", r.process)
	}
	if Alive(r.process) {
		t.Error("alive after its run")
	}
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
			if err != nil || o.OK || o.Reason != tt.reason {
				t.Errorf("got %v %q, %v; want %q", o.OK, o.Reason, err, tt.reason)
			}
		})
	}
}

func TestRun_stdin(t *testing.T) {
	t.Parallel()
	prompt := filepath.Join(t.TempDir(), "prompt.md")
	if err := os.WriteFile(prompt, []byte("do it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for stdin, want := range map[string]string{"": "end", prompt: "do it\nend"} {
		var r recording
		l := agent(t, "cat; echo end")
		l.Stdin = stdin
		if _, err := Run(context.Background(), l, Limits{}, r.watch()); err != nil {
			t.Fatal(err)
		}
		if got := r.texts(Output); got != want {
			t.Errorf("stdin %q: %q, want %q", stdin, got, want)
		}
	}
}

// TestRun_stdinNull proves that the default is the null device itself.
func TestRun_stdinNull(t *testing.T) {
	t.Parallel()
	onlyLinux(t)
	var r recording
	if _, err := Run(context.Background(), agent(t, "readlink /proc/self/fd/0"), Limits{}, r.watch()); err != nil {
		t.Fatal(err)
	}
	if got := r.texts(Output); got != "/dev/null" {
		t.Errorf("stdin is %q", got)
	}
}

// TestRun_noTerminal proves that a question on the terminal fails at once.
func TestRun_noTerminal(t *testing.T) {
	t.Parallel()
	o, err := Run(context.Background(), agent(t, "exec 2>/dev/null; read x </dev/tty"), Limits{}, Watch{})
	if err != nil || o.OK {
		t.Errorf("outcome %+v, %v", o, err)
	}
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
	if err != nil || !o.OK {
		t.Fatalf("outcome %v %q, %v", o.OK, o.Reason, err)
	}
	if got := len(r.texts(Output)); got != 1000000 {
		t.Errorf("%d bytes on stdout", got)
	}
	if got := len(r.texts(Stderr)); got != 1400000-1 {
		t.Errorf("%d bytes on stderr", got)
	}
	if len(o.StderrTail) > tailSize || !utf8.ValidString(o.StderrTail) {
		t.Errorf("tail of %d bytes", len(o.StderrTail))
	}
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
	if _, err := Run(context.Background(), agent(t, "seq 1 3000"), Limits{}, r.watch()); err != nil {
		t.Fatal(err)
	}
	if got := r.texts(Output); !strings.HasSuffix(got, "\n2999\n3000") || strings.Count(got, "\n") != 2999 {
		t.Errorf("%d bytes of output", len(got))
	}
}

func TestRun_cannotStart(t *testing.T) {
	t.Parallel()
	l := agent(t, "")
	missing := l
	missing.Path = filepath.Join(l.Dir, "none")
	var e *MissingError
	if _, err := Run(context.Background(), missing, Limits{}, Watch{}); !errors.As(err, &e) || e.Binary != missing.Path {
		t.Errorf("missing program: %v", err)
	}
	nowhere := l
	nowhere.Dir = filepath.Join(l.Dir, "none")
	if _, err := Run(context.Background(), nowhere, Limits{}, Watch{}); err == nil || errors.As(err, &e) {
		t.Errorf("missing folder: %v", err)
	}
	nothing := l
	nothing.Stdin = filepath.Join(l.Dir, "none")
	if _, err := Run(context.Background(), nothing, Limits{}, Watch{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing stdin: %v", err)
	}
}

func TestRun_canceledBefore(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var r recording
	o, err := Run(ctx, agent(t, "echo x"), Limits{}, r.watch())
	if err != nil || !o.Canceled || o.OK || o.Reason != "stopped" || r.process.PID != 0 {
		t.Errorf("outcome %+v, %v", o, err)
	}
}
