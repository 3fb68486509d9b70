package library

import (
	"math"
	"slices"
	"strings"

	"chant/engine/search/find"
	"chant/engine/search/words"
)

// Hit is a command that a search found.
type Hit struct {
	Entry
	Score float64 // above 0 and at most 1
}

// Index ranks commands by their names and descriptions.
type Index struct {
	entries []Entry // the first record of each name
	segment *find.Segment
}

// fields of a command. Names count more, since most descriptions are sentences of which few words matter.
func fields() find.Fields {
	return find.Fields{{Name: "name", Weight: nameWeight}, {Name: "text", Weight: 1}}
}

// Constants of the ranking, chosen by every second question of TestLibrary_questions in cmd.
const (
	nameWeight = 1.5
	k1         = 1.2
	b          = 0.4
	fullScore  = 0.3 // the score of find for a command that has each word of a question, in a text of twice the usual length
	minShare   = 0.1 // what is left of a score if the description of the best command has none of the words
)

// NewIndex indexes records that are in the order of their names.
func NewIndex(entries []Entry) (*Index, error) {
	x := &Index{}
	builder := find.NewBuilder(fields())
	for i, e := range entries {
		// Further records of a name have the same words, and would count twice.
		if i > 0 && e.Name == entries[i-1].Name {
			continue
		}
		x.entries = append(x.entries, e)
		builder.Add("", strings.Join([]string{e.C1, e.C2, e.C3}, " "), e.Description)
	}
	src, err := builder.Bytes()
	if err != nil {
		return nil, err
	}
	x.segment, err = find.Open(src)
	return x, err
}

// Search returns the commands that are the most similar to a question, the best first and equal ones by name; most <= 0
// returns all of them. The score of the best is 1 if it has each word of the question and nothing else in its description,
// and less the more else that has, as the cosine that climpt's documents describe; the others are in proportion to it.
func (x *Index) Search(query string, most int) ([]Hit, error) {
	if most <= 0 {
		// find takes 0 for 10.
		most = max(1, len(x.entries))
	}
	q := find.ParseQuery(query)
	found, err := find.Search([]*find.Segment{x.segment}, fields(), q, find.Options{Top: most, K1: k1, B: b})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	top := found[0].Score
	// As the cosine that climpt's documents describe, the score says how much of the description the question has.
	best := min(1, top/fullScore) * (minShare + (1-minShare)*coverage(x.entries[found[0].Doc].Description, q))
	out := make([]Hit, 0, len(found))
	for _, h := range found {
		// A hit that is rounded to 0 would look like none.
		out = append(out, Hit{x.entries[h.Doc], max(1e-4, math.Round(best*h.Score/top*1e4)/1e4)})
	}
	return out, nil
}

// coverage returns the share of a description's words that a question has.
func coverage(description string, q find.Query) float64 {
	asked, has, all := q.Words(), 0, find.ParseQuery(description).Words()
	for i, word := range asked {
		asked[i] = words.Stem(word)
	}
	for _, word := range all {
		if slices.Contains(asked, words.Stem(word)) {
			has++
		}
	}
	return float64(has) / float64(max(1, len(all)))
}

// Search ranks the commands of the library, see Index.Search.
func (l *Library) Search(query string, most int) ([]Hit, error) {
	x, err := NewIndex(l.Entries)
	if err != nil {
		return nil, err
	}
	return x.Search(query, most)
}
