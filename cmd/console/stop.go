package console

import (
	"context"
	"os"
	"sync"
)

// stopper turns each Ctrl-C into the end of the command's context, or, once an
// operation has said that it ends in two stages, into a word to that operation.
type stopper struct {
	mu     sync.Mutex
	words  chan struct{} // nil until Taken is called
	ctx    context.Context
	cancel context.CancelFunc
}

// listen begins; release ends it and waits until it has ended.
func (s *stopper) listen(ctx context.Context, interrupts <-chan os.Signal) (stopped context.Context, release func()) {
	s.ctx, s.cancel = context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-interrupts:
				s.Say()
			}
		}
	}()
	return s.ctx, func() { s.cancel(); <-done }
}

// Say is one Ctrl-C.
func (s *stopper) Say() {
	s.mu.Lock()
	words := s.words
	s.mu.Unlock()
	if words == nil {
		s.cancel()
		return
	}
	select {
	case words <- struct{}{}:
	// As many as mean anything are there.
	default:
	}
}

// Take asks for the words instead of the context's end.
func (s *stopper) Take() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words == nil {
		// Room for the first Ctrl-C and the second.
		s.words = make(chan struct{}, 2)
	}
}

// Taken returns the channel of the words, nil if it was not requested.
func (s *stopper) Taken() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.words
}
