package find

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpusSpec is a spec that other people wrote.
type corpusSpec struct {
	name, title, body string
}

// readCorpus returns the specs of a folder: CHANT_CORPUS, or one beside the project. It skips the test without one.
func readCorpus(t testing.TB) []corpusSpec {
	t.Helper()
	dir := os.Getenv("CHANT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus", "chant-specs")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(names) == 0 {
		t.Skipf("no specs in %q", dir)
	}
	var specs []corpusSpec
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if body, ok := splitFrontMatter(src); ok {
			specs = append(specs, corpusSpec{strings.TrimSuffix(filepath.Base(name), ".md"), titleOf(body), body})
		}
	}
	return specs
}

func splitFrontMatter(src []byte) (body string, ok bool) {
	rest, ok := bytes.CutPrefix(src, []byte("---\n"))
	if !ok {
		return "", false
	}
	_, after, ok := bytes.Cut(rest, []byte("\n---\n"))
	return string(after), ok
}

func titleOf(body string) string {
	for line := range strings.Lines(body) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

func specFields() Fields {
	return Fields{{"title", 4}, {"path", 3}, {"body", 1}}
}

// judge counts at which rank the wanted documents were found.
type judge struct {
	asked, first, three, ten int
	reciprocal               float64
	missed                   []string
}

func (j *judge) add(hits []Hit, key, query string) {
	j.asked++
	rank := slices.IndexFunc(hits, func(h Hit) bool { return h.Key == key }) + 1
	if rank == 0 {
		j.missed = append(j.missed, query+" -> "+key)
		return
	}
	j.reciprocal += 1 / float64(rank)
	if rank == 1 {
		j.first++
	}
	if rank <= 3 {
		j.three++
	} else {
		j.missed = append(j.missed, fmt.Sprintf("%s -> %s (%d)", query, key, rank))
	}
	j.ten++
}

func (j *judge) String() string {
	n := float64(max(1, j.asked))
	return fmt.Sprintf("%d queries: first %.1f %%, among three %.1f %%, among ten %.1f %%, MRR %.3f",
		j.asked, 100*float64(j.first)/n, 100*float64(j.three)/n, 100*float64(j.ten)/n, j.reciprocal/n)
}

func TestCorpus_quality(t *testing.T) {
	specs := readCorpus(t)
	b := NewBuilder(specFields())
	size := 0
	for _, s := range specs {
		b.Add(s.name, s.title, s.name, s.body)
		size += len(s.body)
	}
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	seg, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d specs, %d bytes, segment %d (%.1f %%); postings %d, blocks %d, entries %d", len(specs), size, len(data), 100*float64(len(data))/float64(size), len(seg.postings), len(seg.blocks), seg.entries)
	search := func(q string) []Hit {
		hits, err := Search([]*Segment{seg}, specFields(), ParseQuery(q), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	df := map[string]int{}
	plain := make([][]string, len(specs))
	for i, s := range specs {
		seen := map[string]bool{}
		for _, w := range strings.FieldsFunc(strings.ToLower(s.body), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if len(w) >= 4 && !seen[w] {
				seen[w] = true
				df[w]++
				plain[i] = append(plain[i], w)
			}
		}
	}
	var rare, titles, typos, lines, short, shortTypos judge
	rnd := rand.New(rand.NewSource(1))
	for i, s := range specs {
		words := slices.Clone(plain[i])
		slices.SortStableFunc(words, func(a, b string) int { return df[a] - df[b] })
		q := strings.Join(words[:min(3, len(words))], " ")
		rare.add(search(q), s.name, q)
		if s.title != "" {
			titles.add(search(s.title), s.name, s.title)
			for range 3 {
				q := misspell(rnd, s.title)
				typos.add(search(q), s.name, q)
			}
		}
		var ls []string
		for l := range strings.Lines(s.body) {
			var ws []string
			for _, w := range strings.FieldsFunc(l, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_') }) {
				if len(w) >= 4 {
					ws = append(ws, w)
				}
			}
			if len(ws) >= 5 {
				ls = append(ls, strings.Join(ws, " "))
			}
		}
		for range 4 {
			if len(ls) == 0 {
				break
			}
			ws := strings.Fields(ls[rnd.Intn(len(ls))])
			lines.add(search(strings.Join(ws, " ")), s.name, strings.Join(ws, " "))
			rnd.Shuffle(len(ws), func(i, j int) { ws[i], ws[j] = ws[j], ws[i] })
			q := strings.Join(ws[:3], " ")
			short.add(search(q), s.name, q)
			q = misspell(rnd, q)
			shortTypos.add(search(q), s.name, q)
		}
	}
	t.Logf("rare words: %v\n%s", &rare, strings.Join(rare.missed, "\n"))
	t.Logf("titles: %v\n%s", &titles, strings.Join(titles.missed, "\n"))
	t.Logf("misspelt titles: %v\n%s", &typos, strings.Join(typos.missed, "\n"))
	t.Logf("lines: %v", &lines)
	t.Logf("three words: %v", &short)
	t.Logf("three words misspelt: %v", &shortTypos)
}

// misspell changes one or two letters of words with at least four.
func misspell(rnd *rand.Rand, text string) string {
	words := strings.Fields(text)
	for range 1 + rnd.Intn(2) {
		for range 20 {
			i := rnd.Intn(len(words))
			w := []rune(words[i])
			if len(w) < 5 {
				continue
			}
			at := 1 + rnd.Intn(len(w)-2)
			switch rnd.Intn(4) {
			case 0:
				w[at], w[at+1] = w[at+1], w[at]
			case 1:
				w = slices.Delete(w, at, at+1)
			case 2:
				w = slices.Insert(w, at, 'a'+rune(rnd.Intn(26)))
			case 3:
				w[at] = 'a' + rune(rnd.Intn(26))
			}
			words[i] = string(w)
			break
		}
	}
	return strings.Join(words, " ")
}
