package serve

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"time"

	"chant/engine/store"
	"chant/engine/view"
)

// event is a message to pages.
type event struct {
	Type string   `json:"type"`          // hello, change or log
	IDs  []string `json:"ids,omitempty"` // the specs that changed
	ID   string   `json:"id,omitempty"`  // whose log has grown
	Size int64    `json:"size,omitempty"`
}

// Intervals of looking at the project.
const (
	lookEvery  = 5 * time.Second        // if the system reports no change
	settleTime = 150 * time.Millisecond // after a change: more follow it
	runEvery   = 500 * time.Millisecond // at logs and journals of runs that are under way
)

// maxStreams is how many streams of events there are at most; a browser has one, whatever it shows.
const maxStreams = 1000

// hub sends pages what has changed. It looks at the project only while a page listens.
type hub struct {
	read func(context.Context) ([]view.Row, error)
	text func(id string) string // identifies the text of a spec, of which a row shows only a part

	mu         sync.Mutex
	streams    map[chan []byte]bool
	wake       chan struct{} // a page has begun to listen
	generation uint64        // counts what may have changed

	last seen // only for run
}

func newHub(read func(context.Context) ([]view.Row, error), text func(id string) string) *hub {
	return &hub{read: read, text: text, streams: map[chan []byte]bool{}, wake: make(chan struct{}, 1), last: seen{sizes: map[string]int64{}}}
}

// join returns a stream of encoded events, nil if there are too many. A stream whose reader is too slow is closed.
func (h *hub) join() chan []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.streams) >= maxStreams {
		return nil
	}
	c := make(chan []byte, 32)
	h.streams[c] = true
	select {
	case h.wake <- struct{}{}:
	default:
	}
	return c
}

func (h *hub) leave(c chan []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, c)
}

// send sends an event to all pages.
func (h *hub) send(e event) {
	data, err := json.Marshal(e)
	// It has only texts and numbers.
	if err != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.streams {
		select {
		case c <- data:
		// Waiting for one slow reader would hold up all others.
		default:
			delete(h.streams, c)
			close(c)
		}
	}
}

func (h *hub) hasListeners() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.streams) > 0
}

// now returns the generation of what may have changed: what was read in another one may be outdated.
func (h *hub) now() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.generation
}

func (h *hub) advance() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.generation++
}

// seen is what pages have got last.
type seen struct {
	rows  map[string]string // encoded rows with their texts, by id
	runs  []string          // specs with a run
	sizes map[string]int64  // of logs and journals, by path
}

// run looks at the project until ctx is done. compare has been called before.
func (h *hub) run(ctx context.Context, changed <-chan struct{}, st *store.Store) {
	runs := time.NewTicker(runEvery)
	defer runs.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
			h.advance()
		case <-h.wake:
		case <-runs.C:
			if h.hasListeners() && len(h.last.runs) > 0 && h.lookAtRuns(st, &h.last) {
				break
			}
			continue
		}
		// No page is open, so the project is not read.
		if !h.hasListeners() {
			continue
		}
		select {
		case <-ctx.Done():
			return
		// Changes come in groups, such as the files of a commit.
		case <-time.After(settleTime):
		}
		h.advance()
		h.compare(ctx)
	}
}

// compare reads the specs and sends pages the ids of those that differ.
func (h *hub) compare(ctx context.Context) {
	last := &h.last
	rows, err := h.read(ctx)
	// What cannot be read now is read after the next change.
	if err != nil {
		return
	}
	now := make(map[string]string, len(rows))
	var ids []string
	last.runs = last.runs[:0]
	for _, r := range rows {
		data, err := json.Marshal(r)
		// It has only texts and numbers.
		if err != nil {
			continue
		}
		if now[r.ID] = string(data) + h.text(r.ID); last.rows[r.ID] != now[r.ID] {
			ids = append(ids, r.ID)
		}
		if r.Run != "" || r.Status == "in_progress" {
			last.runs = append(last.runs, r.ID)
		}
	}
	for id := range last.rows {
		if _, still := now[id]; !still {
			ids = append(ids, id)
		}
	}
	first := last.rows == nil
	last.rows = now
	// At first there is nothing that a page could have shown differently.
	if len(ids) > 0 && !first {
		slices.Sort(ids)
		h.send(event{Type: "change", IDs: ids})
	}
}

// lookAtRuns sends pages which logs have grown, and reports whether a journal has, with which a step began or ended.
func (h *hub) lookAtRuns(st *store.Store, last *seen) (stepped bool) {
	var changed []string
	for _, id := range last.runs {
		if size, grew := last.updateSize(st.LogPath(id)); grew {
			h.send(event{Type: "log", ID: id, Size: size})
		}
		if _, grew := last.updateSize(st.JournalPath(id)); grew {
			changed = append(changed, id)
		}
	}
	if len(changed) > 0 {
		h.send(event{Type: "change", IDs: changed})
	}
	return len(changed) > 0
}

// updateSize returns the size of a file, and whether it is another one than last.
func (s *seen) updateSize(path string) (size int64, grew bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	before, known := s.sizes[path]
	s.sizes[path] = info.Size()
	return info.Size(), !known || before != info.Size()
}
