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

// events is a stream of server-sent events. It begins with hello.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	stream := s.hub.join()
	if stream == nil {
		http.Error(w, "too many streams of events", http.StatusServiceUnavailable)
		return
	}
	defer s.hub.leave(stream)
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	write := func(text string) bool {
		if err := out.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return false
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			return false
		}
		return out.Flush() == nil
	}
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for text := "data: {\"type\":\"hello\"}\n\n"; write(text); {
		select {
		case <-r.Context().Done():
			return
		case <-s.ending.Done():
			return
		case <-beat.C:
			text = ": still here\n\n"
		case data, open := <-stream:
			if !open { // the reader was too slow, and connects again
				return
			}
			text = "data: " + string(data) + "\n\n"
		}
	}
}
