package library

import "chant/engine/similar"

// Hit is a command that a search found.
type Hit struct {
	Entry
	Score float64 // above 0 and at most 1
}

// index ranks the first record of each name.
type index struct {
	entries []int // of the documents
	similar *similar.Index
}

// Search returns the commands that are the most similar to a question, the best first and equal ones by name; most <= 0
// returns all of them.
func (l *Library) Search(query string, most int) []Hit {
	x := l.index()
	var out []Hit
	for _, h := range x.similar.Search(query, most) {
		out = append(out, Hit{l.Entries[x.entries[h.Doc]], h.Score})
	}
	return out
}

func (l *Library) buildIndex() *index {
	x := &index{entries: make([]int, 0, len(l.Entries))}
	docs := make([]similar.Doc, 0, len(l.Entries))
	for i := range l.Entries {
		e := &l.Entries[i]
		if i > 0 && e.Name == l.Entries[i-1].Name {
			continue
		}
		x.entries = append(x.entries, i)
		docs = append(docs, similar.Doc{Names: []string{e.C1, e.C2, e.C3}, Text: e.Description})
	}
	x.similar = similar.New(docs)
	return x
}
