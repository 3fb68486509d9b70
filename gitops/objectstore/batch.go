package objectstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// batchIdle is how long the reading process outlives its last question.
const batchIdle = 2 * time.Second

// batch reads objects through one "git cat-file --batch", started at the first question
// and ended when none came for a while, so that a Store needs no closing.
type batch struct {
	git *gitexec.Runner
	dir string

	mu    sync.Mutex
	talk  *gitexec.Conversation
	lines *bufio.Reader
	idle  *time.Timer
}

// ask reads one object; ErrNotFound when git has none of that name.
func (b *batch) ask(ctx context.Context, hash string) (kind string, data []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.start(ctx); err != nil {
		return "", nil, err
	}
	limited, cancel := context.WithTimeout(ctx, gitexec.ShortLimit)
	defer cancel()
	// A partial clone may go to the network here, so an answer must not be waited for blindly.
	stopWatch := context.AfterFunc(limited, b.talk.Stop)
	kind, data, err = b.exchange(hash)
	stopWatch()
	switch {
	// After an error it is not known how much of the answer is still to come, so the next question needs a new process.
	case err != nil || limited.Err() != nil:
		talk := b.talk
		b.end()
		// The process ended by itself: a partial clone could not fetch the object.
		if said := talk.Said(); errors.Is(err, io.EOF) && said != "" {
			err = &UnfetchedError{hash, &gitexec.Error{Args: []string{"cat-file"}, Dir: b.dir, ExitCode: 128, Stderr: said, DiskFull: layout.Full(b.dir)}}
		}
	default:
		talk := b.talk
		// The timer may fire while a new process is in use, so it ends only the one that it was made for.
		b.idle = time.AfterFunc(batchIdle, func() { b.endIf(talk) })
	}
	if limited.Err() != nil {
		return "", nil, fmt.Errorf("object %q: %w", hash, context.Cause(limited))
	}
	if err == nil && kind == "" {
		err = &MissingError{hash}
	}
	return kind, data, err
}

func (b *batch) start(ctx context.Context) error {
	if b.idle != nil {
		b.idle.Stop()
	}
	if b.talk != nil {
		return nil
	}
	talk, err := b.git.Converse(ctx, gitexec.Call{Dir: b.dir, Args: []string{"cat-file", "--batch"}})
	if err != nil {
		return err
	}
	b.talk, b.lines = talk, bufio.NewReader(talk.Out)
	return nil
}

// exchange asks and reads one answer: "<name> <kind> <size>", the content, a newline.
// No kind and no error means that the object is missing.
func (b *batch) exchange(hash string) (kind string, data []byte, err error) {
	if _, err := io.WriteString(b.talk.In, hash+"\n"); err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	head, err := b.lines.ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	fields := strings.Fields(head)
	// Git answers "<name> missing".
	if len(fields) != 3 {
		return "", nil, nil
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size > gitexec.MaxStdout {
		return "", nil, fmt.Errorf("git cat-file: object %q has an odd size %q", hash, fields[2])
	}
	// One more byte for the newline that ends the answer.
	data = make([]byte, size+1)
	if _, err := io.ReadFull(b.lines, data); err != nil {
		return "", nil, fmt.Errorf("git cat-file: %w", err)
	}
	return fields[1], data[:size], nil
}

// endIf ends the process if it is still the given one.
func (b *batch) endIf(talk *gitexec.Conversation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.talk == talk {
		b.end()
	}
}

func (b *batch) end() {
	if b.talk != nil {
		b.talk.Stop()
	}
	b.talk, b.lines = nil, nil
}

// UnfetchedError says that a partial clone does not have an object, and that git could not fetch it.
type UnfetchedError struct {
	Hash string
	Err  error
}

// Error names the object and what git said.
func (e *UnfetchedError) Error() string {
	return fmt.Sprintf("object %q is not in this partial clone and could not be fetched: %s", e.Hash, e.Err)
}

// Unwrap returns git's error.
func (e *UnfetchedError) Unwrap() error { return e.Err }

// MissingError says that the repository does not have an object that something in it names.
type MissingError struct{ Hash string }

// Error names the object.
func (e *MissingError) Error() string {
	return fmt.Sprintf("object %q: %s", e.Hash, layout.ErrNotFound)
}

// Unwrap makes it an ErrNotFound.
func (*MissingError) Unwrap() error { return layout.ErrNotFound }
