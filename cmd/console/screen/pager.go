package screen

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Pager is a writer that shows short text at once, and starts a pager for text that is longer than the screen. Close ends
// the text and waits for the pager, which a Ctrl-C does not end for it.
type Pager struct {
	Words         []string // the command line
	Environ       []string // K=V
	Out, Err      io.Writer
	Width, Height int             // of the screen
	Until         context.Context // ends the pager, nil for never

	first   bytes.Buffer // what came before it is known whether the text fits
	rows    int          // of the screen, that complete lines in it take
	counted int          // bytes of it
	direct  bool         // there is no pager: it could not be started
	process *exec.Cmd
	in      io.WriteCloser
	left    bool // the reader has ended the pager
}

// killDelay is how long a pager may take to end when the process is asked to.
const killDelay = 2 * time.Second

// PagerWords returns the command line of the pager in an environment: CHANT_PAGER, else PAGER, else less, if there is such
// a program. It returns nil for no pager, which an empty value and "cat" ask for.
func PagerWords(environ []string) []string {
	line, set := lookUpSet(environ, "CHANT_PAGER")
	if !set {
		line, set = lookUpSet(environ, "PAGER")
	}
	switch line = strings.TrimSpace(line); {
	case set && (line == "" || line == "cat"):
		return nil
	// Such a line needs a shell, which other lines do not pay for.
	case set && runtime.GOOS != "windows" && strings.ContainsAny(line, "|&;<>()$`\\\"'*?[#~=%"):
		return []string{"sh", "-c", line}
	case set:
		return strings.Fields(line)
	}
	if _, err := exec.LookPath("less"); err != nil {
		return nil
	}
	return []string{"less", "-FRX"}
}

// Write takes text.
func (p *Pager) Write(text []byte) (int, error) {
	switch {
	// The reader has seen enough, which is no error.
	case p.left:
		return len(text), nil
	case p.process != nil:
		return len(text), p.send(text)
	case p.direct:
		return p.Out.Write(text)
	}
	p.first.Write(text)
	p.count()
	// The last row is for what the shell prints next.
	if p.rows < p.Height {
		return len(text), nil
	}
	return len(text), p.begin()
}

// count adds the rows of lines that became complete.
func (p *Pager) count() {
	for rest := p.first.Bytes()[p.counted:]; ; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			return
		}
		// A long line is wrapped by the terminal.
		p.rows += max(1, (ansi.StringWidth(string(rest[:end]))+p.Width-1)/max(1, p.Width))
		p.counted, rest = p.counted+end+1, rest[end+1:]
	}
}

// begin starts the pager with what there is. If that fails, the text goes to the screen.
func (p *Pager) begin() error {
	ctx := p.Until
	if ctx == nil {
		ctx = context.Background()
	}
	c := exec.CommandContext(ctx, p.Words[0], p.Words[1:]...)
	c.Env = p.Environ
	if _, set := lookUpSet(p.Environ, "LESS"); !set {
		// Otherwise less spells out styles.
		c.Env = append(append([]string{}, p.Environ...), "LESS=FRX")
	}
	c.Stdout, c.Stderr = p.Out, p.Err
	c.WaitDelay = killDelay
	// A pager that is killed leaves the terminal without echo.
	c.Cancel = func() error {
		if runtime.GOOS == "windows" {
			return c.Process.Kill()
		}
		return c.Process.Signal(syscall.SIGTERM)
	}
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	// The result matters more than the pager.
	if err != nil {
		p.direct = true
		if p.Err != nil {
			fmt.Fprintf(p.Err, "the pager %q cannot be started: %s\n", p.Words[0], cmp.Or(errors.Unwrap(err), err))
		}
		return p.flush(p.Out)
	}
	p.process, p.in = c, in
	text := bytes.Clone(p.first.Bytes())
	p.first.Reset()
	return p.send(text)
}

// send passes text to the pager. One that has ended wants no more.
func (p *Pager) send(text []byte) error {
	_, err := p.in.Write(text)
	// Windows has several errors for a pipe whose reader has ended.
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || err != nil && runtime.GOOS == "windows" {
		p.left = true
		return nil
	}
	return err
}

func (p *Pager) flush(to io.Writer) error {
	_, err := p.first.WriteTo(to)
	return err
}

// Close ends the text and waits until the pager has ended.
func (p *Pager) Close() error {
	if p.process == nil {
		return p.flush(p.Out)
	}
	// It may have ended already.
	_ = p.in.Close()
	// How the pager ended is of no interest: the exit code is that of the command.
	_ = p.process.Wait()
	return nil
}
