package history

import "time"

// Mark is a commit that changed a spec, without what it changed.
type Mark struct {
	At     time.Time // in UTC
	Events []string  // that the commit records for the spec; none if it was made by hand
}

// Marks returns the commits of specs in home, oldest first, without those that only branches of runs have. It reads no
// spec. A spec without commits is missing.
func (l *Log) Marks(ids ...string) map[string][]Mark {
	found := make(map[string][]Mark, len(ids))
	for id, touches := range l.read(ids) {
		for _, t := range touches {
			found[id] = append(found[id], Mark{t.time(), t.Events})
		}
	}
	return found
}
