package hub

import (
	"fmt"
	"io"
	"sync"
)

// logger writes what the server logs, one line for each message.
type logger struct {
	mu   sync.Mutex
	to   io.Writer
	last string // of a message after which the server cannot run
}

func (l *logger) write(level, format string, args []any) string {
	text := fmt.Sprintf(format, args...)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintf(l.to, "%s: %s\n", level, text) // a log that cannot be written must not stop the server
	return text
}

// Noticef logs what is worth knowing.
func (l *logger) Noticef(format string, args ...any) { l.write("note", format, args) }

// Warnf logs what may become a fault.
func (l *logger) Warnf(format string, args ...any) { l.write("warning", format, args) }

// Errorf logs a fault.
func (l *logger) Errorf(format string, args ...any) { l.write("error", format, args) }

// Debugf and Tracef are switched off.
func (l *logger) Debugf(string, ...any) {}

// Tracef is switched off.
func (l *logger) Tracef(string, ...any) {}

// Fatalf keeps the reason for which the server cannot run. The program goes on.
func (l *logger) Fatalf(format string, args ...any) {
	text := l.write("fatal", format, args)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = text
}

// fatal returns the reason for which the server cannot run.
func (l *logger) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}
