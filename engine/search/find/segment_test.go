package find

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

func TestOpen_errors(t *testing.T) {
	t.Parallel()
	b := NewBuilder(specFields())
	b.Add("a", "title", "path", strings.Repeat("some words of a body ", 20))
	data, err := b.Bytes()
	assert.NoError(t, err)
	for n := range data {
		_, err := Open(data[:n])
		assert.IsError(t, err, ErrBroken, "the first %d of %d bytes", n, len(data))
		changed := bytes.Clone(data)
		changed[n] ^= 0x10
		_, err = Open(changed)
		assert.Error(t, err, "byte %d changed: no error", n)
	}
	newer := bytes.Clone(data)
	newer[len(magic)]++
	_, err = Open(newer)
	assert.IsError(t, err, ErrVersion)
	_, err = Open(append(bytes.Clone(data), 0))
	assert.IsError(t, err, ErrBroken, "one byte more")
}

func TestBuilder_empty(t *testing.T) {
	t.Parallel()
	empty := opened(t, NewBuilder(specFields()))
	b := NewBuilder(specFields())
	b.Add("")
	b.Add("a", "", "", "the of")
	blank := opened(t, b)
	for _, segments := range [][]*Segment{nil, {empty}, {blank}, {empty, blank, empty}} {
		for _, query := range []string{"", "a", "word", "wrod", "日"} {
			q := typed(query)
			hits := mustSearch(t, segments, q, Options{})
			assert.Zero(t, hits, "%q found %v", query, hits)
		}
	}
	data, err := Merge([]*Segment{empty, blank})
	assert.NoError(t, err)
	s, err := Open(data)
	assert.NoError(t, err)
	assert.Equal(t, 2, s.Len())
	assert.Equal(t, "a", s.Key(1))
	assert.Equal(t, "", s.Key(2))
	if !slices.Equal(s.Fields(), []string{"title", "path", "body"}) {
		t.Errorf("fields %q", s.Fields())
	}
}

func TestMerge_differentFields(t *testing.T) {
	t.Parallel()
	a, b := opened(t, NewBuilder(specFields())), opened(t, NewBuilder(Fields{{"name", 1}}))
	_, err := Merge([]*Segment{a, b})
	assert.Error(t, err, "merged segments with different fields")
	_, err = Merge(nil)
	assert.Error(t, err, "merged no segments")
}

// A builder can be used further after Bytes, which does not change it.
func TestBuilder_continues(t *testing.T) {
	t.Parallel()
	b := NewBuilder(specFields())
	b.Add("a", "first document")
	first, err := b.Bytes()
	assert.NoError(t, err)
	again, err := b.Bytes()
	assert.NoError(t, err)
	assert.Equal(t, again, first)
	b.Add("b", "second document")
	s := opened(t, b)
	assert.Equal(t, []string{"b", "a"}, keys(mustSearch(t, []*Segment{s}, ParseQuery("second document"), Options{})))
}

// Segments with other fields, or in another order, can be searched together.
func TestSearch_fieldsByName(t *testing.T) {
	t.Parallel()
	specs := segmentOf(t, specFields(), map[string][]string{"spec": {"", "", "timeout"}})
	commands := segmentOf(t, Fields{{"text", 1}, {"title", 1}}, map[string][]string{"command": {"", "timeout"}, "other": {"timeout", ""}})
	hits, err := Search([]*Segment{specs, commands}, Fields{{"title", 4}, {"body", 1}}, ParseQuery("timeout"), Options{})
	assert.NoError(t, err)
	if got := keys(hits); !slices.Equal(got, []string{"command", "spec"}) {
		t.Errorf("found %q", got) // a field without a weight finds nothing
	}
}

func TestSearch_tiesAndTop(t *testing.T) {
	t.Parallel()
	var segments []*Segment
	for _, order := range [][]int{{7, 3, 9}, {1, 8}, {5, 2, 6, 4, 0}} {
		b := NewBuilder(specFields())
		for _, n := range order {
			b.Add(fmt.Sprint(n), "equal documents")
		}
		segments = append(segments, opened(t, b))
	}
	calls := map[string]int{}
	keep := func(segment int, doc uint32) bool {
		key := segments[segment].Key(doc)
		calls[key]++
		return key != "2"
	}
	hits := mustSearch(t, segments, ParseQuery("equal documents"), Options{Top: 4, Keep: keep})
	assert.Equal(t, []string{"0", "1", "3", "4"}, keys(hits))
	for key, n := range calls {
		assert.True(t, n <= 1, "asked %d times whether to keep %q", n, key)
	}
	for _, h := range hits {
		assert.False(t, h.Score <= 0, "score %v", h.Score)
		assert.False(t, h.Score > 1, "score %v", h.Score)
	}
}

// A document is found by any word of it that no other document has, whatever the others are.
func TestSearch_rareWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocuments(t)
		b := NewBuilder(specFields())
		for i, d := range docs {
			letters := strings.Map(func(r rune) rune { return r - '0' + 'k' }, fmt.Sprint(i))
			b.Add(fmt.Sprint(i), d[0], "", d[2]+" zq"+letters+"vx "+d[0])
		}
		s := opened(t, b)
		i := rapid.IntRange(0, len(docs)-1).Draw(t, "document")
		letters := strings.Map(func(r rune) rune { return r - '0' + 'k' }, fmt.Sprint(i))
		got := resultsOf(t, []*Segment{s}, ParseQuery("ZQ"+strings.ToUpper(letters)+"VX"), Options{Top: 1})
		if len(got) != 1 || got[0].key != fmt.Sprint(i) {
			t.Fatalf("document %d: found %v", i, got)
		}
	})
}

// A segment is used by several goroutines at once.
func TestSearch_parallel(t *testing.T) {
	t.Parallel()
	w := newWriter(6, 2000)
	b := NewBuilder(specFields())
	for i := range 300 {
		b.Add(fmt.Sprint(i), w.word(), "", w.text(300))
	}
	segments := []*Segment{opened(t, b)}
	var queries []Query
	var want [][]Hit
	for range 20 {
		q := ParseQuery(w.word() + " " + misspell(w.rnd, w.word()) + " " + w.word())
		queries, want = append(queries, q), append(want, mustSearch(t, segments, q, Options{}))
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i, q := range queries {
				if hits, err := Search(segments, specFields(), q, Options{}); err != nil || !slices.Equal(hits, want[i]) {
					t.Errorf("%q found %v, %v; want %v", q, hits, err, want[i])
				}
			}
		})
	}
	group.Wait()
}

func TestParseQuery(t *testing.T) {
	t.Parallel()
	q := ParseQuery("The getUserId, getUserId of Users front matter")
	assert.Equal(t, "get user id getuserid front matter", q.String())
	assert.False(t, q.Empty(), "Empty is wrong")
	assert.True(t, ParseQuery(" the - ").Empty(), "Empty is wrong")
	assert.Equal(t, maxWords, len(ParseQuery(strings.Repeat("aB cD-eF ", 100)+newWriter(4, 500).text(9000)).words))
}
