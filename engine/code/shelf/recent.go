package shelf

import (
	"bytes"
	"sync"
)

// mostRecent is how many bytes of outlines a shelf keeps at most.
const mostRecent = 4 << 20

// recent has the bytes of outlines that searches have read, by their names, because the next questions are often about
// the same files. If there are too many, any of them are dropped.
type recent struct {
	mu   sync.Mutex
	of   map[string][]byte
	size int
}

// get returns the bytes of an outline, which do not change; nil if they are not kept.
func (r *recent) get(name string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of[name]
}

// add keeps a copy of the bytes of an outline.
func (r *recent) add(name string, data []byte) {
	if len(data) > mostRecent/16 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.of[name]; ok {
		return
	}
	if r.of == nil {
		r.of = map[string][]byte{}
	}
	for name, old := range r.of {
		if r.size+len(data) <= mostRecent {
			break
		}
		r.size -= len(old)
		delete(r.of, name)
	}
	r.of[name] = bytes.Clone(data)
	r.size += len(data)
}
