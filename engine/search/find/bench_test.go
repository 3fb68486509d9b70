package find

import (
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// writer makes up texts whose words are distributed as in real ones: a few are in most documents, and most are in few.
type writer struct {
	rnd   *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newWriter(seed int64, vocabulary int) *writer {
	rnd := rand.New(rand.NewSource(1)) // the same words for every seed
	w := &writer{rnd: rnd, zipf: rand.NewZipf(rnd, 1.1, 8, uint64(vocabulary-1))}
	syllables := strings.Fields("ba co di fu ge ha in jo ka le mi no or pa qui re sta tu un ver wo xi ya zo tion ment ing ed ab er")
	for len(w.words) < vocabulary {
		word := ""
		for range 1 + rnd.Intn(4) {
			word += syllables[rnd.Intn(len(syllables))]
		}
		if rnd.Intn(12) == 0 {
			word += "_" + syllables[rnd.Intn(len(syllables))] + syllables[rnd.Intn(len(syllables))]
		}
		w.words = append(w.words, fmt.Sprintf("%s%s", word, strings.Repeat("x", rnd.Intn(2))))
	}
	w.rnd.Seed(seed)
	return w
}

func (w *writer) word() string { return w.words[w.zipf.Uint64()] }

func (w *writer) text(bytes int) string {
	var b strings.Builder
	for b.Len() < bytes {
		switch w.rnd.Intn(12) {
		case 0:
			b.WriteString("the ")
		case 1:
			b.WriteString("- `")
			b.WriteString(w.word())
			b.WriteString("`:\n")
		default:
			b.WriteString(w.word())
			b.WriteByte(' ')
		}
	}
	return b.String()
}

var madeUp sync.Map // texts by number of documents

// documents returns made-up texts of about 1.5 KB.
func documents(n int) []string {
	if known, ok := madeUp.Load(n); ok {
		return known.([]string)
	}
	w := newWriter(1, 200000)
	list := make([]string, n)
	for i := range list {
		list[i] = w.text(1500)
	}
	madeUp.Store(n, list)
	return list
}

// build returns segments of at most per documents.
func build(tb testing.TB, texts []string, per int) []*Segment {
	tb.Helper()
	var segments []*Segment
	for from := 0; from < len(texts); from += per {
		b := NewBuilder(specFields())
		for i, text := range texts[from:min(from+per, len(texts))] {
			title, _, _ := strings.Cut(text[40:], "\n")
			b.Add(fmt.Sprintf("2026-01-02-%03d-abc", from+i), title[:min(60, len(title))], "specs", text)
		}
		data, err := b.Bytes()
		assert.NoError(tb, err)
		s, err := Open(data)
		assert.NoError(tb, err)
		segments = append(segments, s)
	}
	return segments
}

var builtOnce sync.Map // segments by number of documents

// oneSegment returns one segment with so many documents.
func oneSegment(b *testing.B, docs int) []*Segment {
	if known, ok := builtOnce.Load(docs); ok {
		return known.([]*Segment)
	}
	segments := build(b, documents(docs), 10000)
	if len(segments) > 1 {
		data, err := Merge(segments)
		assert.NoError(b, err)
		one, err := Open(data)
		assert.NoError(b, err)
		segments = []*Segment{one}
	}
	builtOnce.Store(docs, segments)
	return segments
}

// size returns roughly how many bytes the segment has.
func (s *Segment) size() int {
	return len(s.postings) + len(s.uses) + len(s.blocks) + len(s.starts) + len(s.keys) + s.docs*(4+2*len(s.fields))
}

// benchmarkBuild builds segments of at most per documents.
func benchmarkBuild(b *testing.B, docs, per int) {
	texts := documents(docs)
	b.ReportAllocs()
	b.ResetTimer()
	size, text := 0, 0
	for range b.N {
		size = 0
		for _, s := range build(b, texts, per) {
			size += s.size()
		}
	}
	for _, t := range texts {
		text += len(t)
	}
	b.ReportMetric(100*float64(size)/float64(text), "%text")
}

func BenchmarkBuild_10k(b *testing.B)  { benchmarkBuild(b, 10000, 10000) }
func BenchmarkBuild_100k(b *testing.B) { benchmarkBuild(b, 100000, 10000) }

func benchmarkQuery(b *testing.B, docs int, query func(*writer) string, prefix bool, o Options) {
	segments := oneSegment(b, docs)
	w := newWriter(2, 200000)
	var queries []Query
	for range 100 {
		q := ParseQuery(query(w))
		q.Prefix = prefix
		queries = append(queries, q)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		_, err := Search(segments, specFields(), queries[i%len(queries)], o)
		assert.NoError(b, err)
	}
}

func randomWords(n int) func(*writer) string {
	return func(w *writer) string {
		var list []string
		for range n {
			list = append(list, w.words[w.zipf.Uint64()])
		}
		return strings.Join(list, " ")
	}
}

func frequent(w *writer) string {
	return strings.Join([]string{w.words[w.rnd.Intn(20)], w.words[w.rnd.Intn(20)], w.words[w.rnd.Intn(40)]}, " ")
}

func BenchmarkQuery(b *testing.B) {
	third := func(_ int, doc uint32) bool { return doc%3 == 0 }
	unknown := func(w *writer) string { return misspell(w.rnd, w.words[1000+w.rnd.Intn(9000)]+"erding") }
	for _, docs := range []int{10000, 100000} {
		for _, c := range []struct {
			name   string
			make   func(*writer) string
			prefix bool
			keep   func(int, uint32) bool
		}{
			{"3words", randomWords(3), false, nil},
			{"6words", randomWords(6), false, nil},
			{"frequent", frequent, false, nil},
			{"misspelt", unknown, false, nil},
			{"prefix", randomWords(2), true, nil},
			{"filter", randomWords(3), false, third},
		} {
			b.Run(fmt.Sprintf("%dk/%s", docs/1000, c.name), func(b *testing.B) {
				benchmarkQuery(b, docs, c.make, c.prefix, Options{Top: 20, Keep: c.keep})
			})
		}
	}
}

// A dictionary of 300,000 words, and words that are in none.
func BenchmarkSpellings_300k(b *testing.B) {
	w := newWriter(5, 800000)
	builder := NewBuilder(specFields())
	for i := 0; i < len(w.words); i += 1000 {
		builder.Add(fmt.Sprint(i), strings.Join(w.words[i:i+1000], " "))
	}
	s := opened(b, builder)
	b.ResetTimer()
	for i := range b.N {
		_, err := spellings([]*Segment{s}, w.words[i%len(w.words)]+"erd")
		assert.NoError(b, err)
	}
	b.ReportMetric(float64(s.entries), "words")
}

func BenchmarkExcerpts(b *testing.B) {
	text := documents(10000)[0]
	q := ParseQuery(strings.Join(strings.Fields(text)[20:24], " ") + " misspelt")
	b.SetBytes(int64(len(text)))
	for range b.N {
		Excerpts(text, q, 3)
	}
}
