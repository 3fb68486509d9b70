package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"chant/text"
)

// session is the transcript: a message a line, for its user's eyes alone. It is only
// added to, so that a process that is killed leaves all turns but the last.
type session struct {
	file *os.File
	hide func([]byte) []byte // nil = nothing
}

// openSession starts a transcript, or continues one and returns its messages.
func openSession(c Config, hide func([]byte) []byte) (*session, []message, error) {
	var past []message
	flag := os.O_CREATE | os.O_WRONLY | os.O_APPEND | os.O_TRUNC
	if c.Resume {
		flag &^= os.O_TRUNC
		var err error
		if past, err = pastSession(c.Session); err != nil {
			return nil, nil, err
		}
	}
	file, err := os.OpenFile(c.Session, flag, 0o600)
	if err != nil {
		return nil, nil, err
	}
	s := &session{file, hide}
	// The APIs refuse a conversation in which a call has no result.
	if open := interruptedAnswers(past); open != nil {
		past = append(past, *open)
		if err := s.write(*open); err != nil {
			return nil, nil, errors.Join(err, s.close())
		}
	}
	return s, past, nil
}

// pastSession reads a transcript and cuts off the line that was being written last.
func pastSession(path string) ([]message, error) {
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no session to resume: %w", err)
	}
	if err != nil {
		return nil, err
	}
	// The line without an end was being written when the process died, and was never part of the conversation.
	whole := src[:bytes.LastIndexByte(src, '\n')+1]
	past, err := parseSession(path, whole)
	if err != nil {
		return nil, err
	}
	// It is cut off, or the next line would be joined to it.
	return past, os.Truncate(path, int64(len(whole)))
}

// parseSession reads whole lines. What has no line end was being written when its
// process died, and was never part of the conversation.
func parseSession(path string, src []byte) ([]message, error) {
	var past []message
	for i, line := range bytes.Split(bytes.TrimSuffix(src, []byte("\n")), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		past = append(past, m)
	}
	return past, nil
}

// interruptedAnswers answers calls whose answers were never written.
func interruptedAnswers(past []message) *message {
	if len(past) == 0 || len(past[len(past)-1].Calls) == 0 {
		return nil
	}
	m := &message{Role: fromTools}
	for _, c := range past[len(past)-1].Calls {
		m.Results = append(m.Results, result{
			ID: c.ID, Tool: c.Tool, Error: true,
			Text: "interrupted: this may or may not have been carried out. Look before you call it again.",
		})
	}
	return m
}

func (s *session) write(m message) error {
	// With the usual escapes for HTML, a key with an ampersand would be spelled in a way that is not found.
	clean, err := text.JSON(m, "")
	if err != nil {
		return fmt.Errorf("transcript: %w", err)
	}
	if s.hide != nil {
		clean = s.hide(clean)
	}
	if _, err := s.file.Write(append(clean, '\n')); err != nil {
		return fmt.Errorf("transcript: %w", err)
	}
	return nil
}

func (s *session) close() error { return s.file.Close() }
