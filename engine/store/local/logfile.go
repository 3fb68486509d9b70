package local

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// logCap limits what one attempt may write to its log, in bytes including the times.
const logCap = 64 << 20

// logStamp is the format of the time before each line, UTC.
const logStamp = "2006-01-02T15:04:05.000Z"

// LogHeader begins the part of one attempt in a log.
const LogHeader = "=== attempt "

// Log is the log of one attempt: lines with their time, UTC.
type Log struct {
	mu   sync.Mutex
	file *os.File
	buf  *bufio.Writer
	now  func() time.Time
	size int
	full bool
}

// OpenLog appends a header for the attempt to the spec's log.
func (l Files) OpenLog(id string, attempt int, about string, now func() time.Time) (*Log, error) {
	path, err := l.Local(Logs, id+".log")
	if err != nil {
		return nil, err
	}
	// Attempts append to one log, which other users of the machine cannot read.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log of %q: %w", id, err)
	}
	log := &Log{file: f, buf: bufio.NewWriter(f), now: now}
	return log, log.Line(fmt.Sprintf("%s%d: %s ===", LogHeader, attempt, about))
}

// NoteInLog adds a text to the log of a spec, with the time before each line, beside the process that writes the log of
// the attempt.
func (l Files) NoteInLog(id, text string, now func() time.Time) error {
	path, err := l.Local(Logs, id+".log")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("log of %q: %w", id, err)
	}
	log := &Log{file: f, buf: bufio.NewWriter(f), now: now}
	return errors.Join(log.Line(text), log.Close())
}

// Line writes text, with the time before each line, and passes it to
// the operating system at once, so that readers see it.
func (l *Log) Line(text string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.full {
		return nil
	}
	stamp := l.now().UTC().Format(logStamp)
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		// Readers expect text: bytes that are no UTF-8 would break JSON and terminals.
		line = strings.ToValidUTF8(strings.TrimRight(line, "\r"), "\uFFFD")
		// An agent with endless output must not fill the disk.
		if l.size += len(stamp) + len(line) + 2; l.size > logCap {
			l.full = true
			line = fmt.Sprintf(LogCut+"%d MiB; the agent's further output is dropped)", logCap>>20)
		}
		if _, err := fmt.Fprintf(l.buf, "%s %s\n", stamp, line); err != nil {
			return err
		}
		if l.full {
			break
		}
	}
	// Readers follow the log while the agent works, so nothing stays in the buffer.
	return l.buf.Flush()
}

// Full reports whether the log has reached its limit.
func (l *Log) Full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full
}

// Close closes the log.
func (l *Log) Close() error { return l.file.Close() }

// SessionsDir returns the folder of agents' conversations. It is kept as long as the logs.
func (l Files) SessionsDir() (string, error) {
	path, err := l.Local(Logs, "sessions")
	if err != nil {
		return "", err
	}
	// Other users of the machine must not read conversations.
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", fmt.Errorf("make folder %q: %w", path, err)
	}
	return path, nil
}
