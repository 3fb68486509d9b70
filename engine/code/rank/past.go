package rank

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"chant/engine/search/find"
)

// PastWeight is the share of past changes among the scores of files, for Fuse. It measures best.
const PastWeight = 0.2

const (
	similarChanges = 50 // past changes that count
	widestChange   = 20 // files: a change of more says little about each of them
)

// Change is a past change of files.
type Change struct {
	Subject string
	Files   []string
}

// Changed ranks the files of past changes by how much the subjects of these have in common with a text, the best first.
// A change counts for each of its files the less the more files it has.
func Changed(past []Change, text string) ([]Scored, error) {
	fields := find.Fields{{Name: "subject", Weight: 1}}
	b := find.NewBuilder(fields)
	for i, c := range past {
		if len(c.Files) <= widestChange {
			b.Add(strconv.Itoa(i), c.Subject)
		}
	}
	data, err := b.Bytes()
	if err != nil {
		return nil, err
	}
	segment, err := find.Open(data)
	if err != nil {
		return nil, err
	}
	hits, err := find.Search([]*find.Segment{segment}, fields, find.ParseQuery(text), find.Options{Top: similarChanges})
	if err != nil {
		return nil, err
	}
	sums := map[string]float64{}
	for _, h := range hits {
		i, err := strconv.Atoi(h.Key)
		if err != nil {
			return nil, err
		}
		for _, file := range past[i].Files {
			sums[file] += h.Score / math.Sqrt(float64(len(past[i].Files)))
		}
	}
	list := make([]Scored, 0, len(sums))
	for file, sum := range sums {
		list = append(list, Scored{file, sum})
	}
	slices.SortFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
	})
	return list, nil
}
