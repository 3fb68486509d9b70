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

	"github.com/alecthomas/assert/v2"
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
		assert.NoError(t, err)
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

// corpusSearch returns a function that searches the specs.
func corpusSearch(t *testing.T, specs []corpusSpec) func(query string) []Hit {
	t.Helper()
	b := NewBuilder(specFields())
	size := 0
	for _, s := range specs {
		b.Add(s.name, s.title, s.name, s.body)
		size += len(s.body)
	}
	s := opened(t, b)
	data, err := b.Bytes()
	assert.NoError(t, err)
	t.Logf("%d specs of %d bytes, segment of %.1f %% of that", len(specs), size, 100*float64(len(data))/float64(size))
	return func(query string) []Hit { return mustSearch(t, []*Segment{s}, ParseQuery(query), Options{}) }
}

// The three words of each spec that the fewest specs have find it.
func TestCorpus_rareWords(t *testing.T) {
	t.Parallel()
	specs := readCorpus(t)
	search := corpusSearch(t, specs)
	var words [][]string
	in := map[string]int{}
	for _, s := range specs {
		list := wordsOf(s.body)
		words = append(words, list)
		for _, w := range list {
			in[w]++
		}
	}
	var j judge
	for i, s := range specs {
		slices.SortStableFunc(words[i], func(a, b string) int { return in[a] - in[b] })
		query := strings.Join(words[i][:min(3, len(words[i]))], " ")
		j.add(search(query), s.name, query)
	}
	t.Logf("rare words: %v", &j)
	assert.True(t, j.three*100 >= 95*j.asked, "fewer than 95 %% among the first three:\n%s", strings.Join(j.missed, "\n"))
}

// wordsOf returns the different words of a text that have at least four letters.
func wordsOf(text string) []string {
	var list []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if len(w) >= 4 && !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

// Titles find their specs, and so do misspelt ones.
func TestCorpus_titles(t *testing.T) {
	t.Parallel()
	specs := readCorpus(t)
	search := corpusSearch(t, specs)
	rnd := rand.New(rand.NewSource(1))
	var titles, misspelt, ten judge
	for i, s := range specs {
		if s.title == "" {
			continue
		}
		titles.add(search(s.title), s.name, s.title)
		for n := range 3 {
			query := misspell(rnd, s.title)
			misspelt.add(search(query), s.name, query)
			if n == 0 && i%max(1, len(specs)/10) == 0 && ten.asked < 10 {
				ten.add(search(query), s.name, query)
			}
		}
	}
	t.Logf("titles: %v", &titles)
	t.Logf("misspelt titles: %v", &misspelt)
	t.Logf("ten misspelt titles: %v", &ten)
	assert.Zero(t, ten.missed, "not all of %s", strings.Join(ten.missed, "\n"))
	assert.True(t, ten.asked >= 10, "not all of %d misspelt titles find their spec:\n%s", ten.asked, strings.Join(ten.missed, "\n"))
	assert.True(t, titles.three*100 >= 95*titles.asked, "missed:\n%s\n%s", strings.Join(titles.missed, "\n"), strings.Join(misspelt.missed, "\n"))
	assert.True(t, misspelt.three*100 >= 95*misspelt.asked, "missed:\n%s\n%s", strings.Join(titles.missed, "\n"), strings.Join(misspelt.missed, "\n"))
}

// Lines of specs, and three words from them, are harder: other specs have the same words. This prints how often they
// find their spec, so that changes of the ranking can be compared.
func TestCorpus_lines(t *testing.T) {
	t.Parallel()
	specs := readCorpus(t)
	search := corpusSearch(t, specs)
	rnd := rand.New(rand.NewSource(1))
	var lines, three, misspelt judge
	for _, s := range specs {
		var list [][]string
		for line := range strings.Lines(s.body) {
			if words := wordsOf(line); len(words) >= 5 {
				list = append(list, words)
			}
		}
		for range min(4, len(list)) {
			words := list[rnd.Intn(len(list))]
			query := strings.Join(words, " ")
			lines.add(search(query), s.name, query)
			rnd.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			query = strings.Join(words[:3], " ")
			three.add(search(query), s.name, query)
			query = misspell(rnd, query)
			misspelt.add(search(query), s.name, query)
		}
	}
	t.Logf("lines: %v", &lines)
	t.Logf("three words of a line: %v", &three)
	t.Logf("three words, one or two letters wrong: %v", &misspelt)
	assert.True(t, lines.ten*100 >= 95*lines.asked, "too many specs are not found")
	assert.True(t, three.ten*100 >= 85*three.asked, "too many specs are not found")
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
