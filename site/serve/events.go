package serve

import (
	"fmt"
	"net/http"
	"time"
)

// Times of a stream of events.
const (
	beatEvery    = 20 * time.Second // a comment, so that a closed connection is noticed
	writeTimeout = 10 * time.Second
)

// events is a stream of server-sent events for the pages. It begins with hello.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, streamForm{
		first: func() string { return "data: {\"type\":\"hello\"}\n\n" }, beat: ": still here\n\n", every: beatEvery,
		text: func(data []byte) string { return "data: " + string(data) + "\n\n" },
	})
}

// streamForm is the format of a stream.
type streamForm struct {
	first func() string // called once changes are noticed
	beat  string        // a comment
	every time.Duration
	text  func(data []byte) string // of an encoded event, "" for none
}

// stream writes server-sent events until the client or the server ends.
func (s *server) stream(w http.ResponseWriter, r *http.Request, form streamForm) {
	stream := s.hub.join()
	if stream == nil {
		http.Error(w, "too many streams of events", http.StatusServiceUnavailable)
		return
	}
	defer s.hub.leave(stream)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	write := func(text string) bool {
		// A client that reads nothing must not hold the stream forever.
		if err := out.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return false
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			return false
		}
		return out.Flush() == nil
	}
	beat := time.NewTicker(form.every)
	defer beat.Stop()
	for text := form.first(); write(text); {
		select {
		case <-r.Context().Done():
			return
		case <-s.ending.Done():
			return
		case <-beat.C:
			text = form.beat
		case data, open := <-stream:
			// The reader was too slow, and connects again.
			if !open {
				return
			}
			text = form.text(data)
		}
	}
}
