package find

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"pgregory.net/rapid"
)

func segmentOf(t testing.TB, fields Fields, docs map[string][]string) *Segment {
	t.Helper()
	b := NewBuilder(fields)
	var keys []string
	for key := range docs {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		b.Add(key, docs[key]...)
	}
	return opened(t, b)
}

// stopper is what tests and property tests have in common.
type stopper interface {
	Helper()
	Fatal(args ...any)
}

func opened(t stopper, b *Builder) *Segment {
	t.Helper()
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keys(hits []Hit) []string {
	var list []string
	for _, h := range hits {
		list = append(list, h.Key)
	}
	return list
}

func mustSearch(t testing.TB, segments []*Segment, q Query, o Options) []Hit {
	t.Helper()
	hits, err := Search(segments, specFields(), q, o)
	assert.NoError(t, err)
	return hits
}

func TestSearch(t *testing.T) {
	t.Parallel()
	s := segmentOf(t, specFields(), map[string][]string{
		"login":   {"Limit failed logins", "specs/login", "After five attempts the account is locked for a while.\nSee `lockAccount`."},
		"rename":  {"Rename the config file", "specs/rename", "The configuration moves to a folder of its own; get_user_id stays."},
		"uber":    {"Über den Wolken", "specs/uber", "Grüße aus Köln, façade, naïve"},
		"tokyo":   {"東京タワー", "specs/tokyo", "日本語の文章です。 Go言語"},
		"parser":  {"HTTPServer reads URLs", "specs/parser", "sha256 of needs_attention, e2e tests"},
		"id":      {"Named", "2026-01-24-01m-q7e", ""},
		"matter":  {"Read front-matter", "specs/matter", "quickly"},
		"verdict": {"Verify verdicts", "specs/verdict", "Verification is verified by verifying"},
	})
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"login", []string{"login"}},
		{"logins limited", []string{"login"}},
		{"account lock", []string{"login"}},
		{"lockaccount", []string{"login"}},
		{"lock_account", []string{"login"}},
		{"configure", []string{"rename"}},
		{"getUserId", []string{"rename"}},
		{"uber KOLN grusse facade", []string{"uber"}},
		{"U\u0308ber", []string{"uber"}},
		{"日本", []string{"tokyo"}},
		{"東", []string{"tokyo"}},
		{"語", []string{"tokyo"}},
		{"server", []string{"parser"}},
		{"url", []string{"parser"}},
		{"sha", []string{"parser"}},
		{"attention", []string{"parser"}},
		{"e2e", []string{"parser"}},
		{"01m-q7e", []string{"id"}},
		{"q7e", []string{"id"}},
		{"verification", []string{"verdict"}},
		{"the of and", nil},
		{"", nil},
		{"to do", nil},
		{"log in", []string{"login"}},
		{"--- ...", nil},
		{"absent", nil},
		// misspelt: swapped, missing, additional and wrong letters, also the first one
		{"confguration", []string{"rename"}},
		{"cofniguration", []string{"rename"}},
		{"accountt", []string{"login"}},
		{"bccount", []string{"login"}},
		{"verfication", []string{"verdict"}},
		// one word written as two, and two as one
		{"front matter", []string{"matter"}},
		{"frontmatter", []string{"matter"}},
		{"failedlogins", []string{"login"}},
	} {
		assert.Equal(t, c.want, keys(mustSearch(t, []*Segment{s}, ParseQuery(c.query), Options{})), "%q found", c.query)
	}
}

func TestSearch_prefix(t *testing.T) {
	t.Parallel()
	s := segmentOf(t, specFields(), map[string][]string{
		"a": {"Configuration of runs"}, "b": {"Con artists"}, "c": {"Other"},
	})
	for query, want := range map[string][]string{
		"configurat":   {"a"},
		"con":          {"b", "a"},
		"con ":         {"b"},
		"other conf":   {"c", "a"},
		"confgurat":    nil,
		"confguration": {"a"},
	} {
		assert.Equal(t, want, keys(mustSearch(t, []*Segment{s}, typed(query), Options{})), "%q found", query)
	}
	if got := mustSearch(t, []*Segment{s}, ParseQuery("confi"), Options{}); len(got) > 0 {
		t.Errorf("found %q without Prefix", keys(got))
	}
}

// The documents of a property test: a few words, so that they share many.
func drawDocuments(t *rapid.T) [][]string {
	word := rapid.SampledFrom(strings.Fields("run runs running merge merged config getUserId get_user user spec specs verify verified a the x 12 über 日本語"))
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), " ") })
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []string {
		return []string{text.Draw(t, "title"), "", text.Draw(t, "body")}
	}), 1, 30).Draw(t, "documents")
}

type result struct {
	key   string
	score float64
}

func resultsOf(t *rapid.T, segments []*Segment, q Query, o Options) []result {
	hits, err := Search(segments, specFields(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	var list []result
	for _, h := range hits {
		if got := segments[h.Segment].Key(h.Doc); got != h.Key {
			t.Fatalf("hit %v has the key %q", h, got)
		}
		list = append(list, result{h.Key, h.Score})
	}
	return list
}

func testKey(i int) string { return fmt.Sprintf("doc-%02d", i) }

// drawSegments divides documents in this order among segments.
func drawSegments(t *rapid.T, docs [][]string, order []int) []*Segment {
	var segments []*Segment
	for from := 0; from < len(order); {
		to := min(len(order), from+rapid.IntRange(1, 10).Draw(t, "size"))
		b := NewBuilder(specFields())
		for _, i := range order[from:to] {
			b.Add(testKey(i), docs[i]...)
		}
		segments = append(segments, opened(t, b))
		from = to
	}
	return segments
}

// A merged segment has the same bytes as one that was built at once.
func TestMerge_sameBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocuments(t)
		whole := NewBuilder(specFields())
		for i, d := range docs {
			whole.Add(testKey(i), d...)
		}
		several := drawSegments(t, docs, numbersBelow(len(docs)))
		want, err := whole.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Merge(several)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, want %d:\n%q\n%q", len(got), len(want), got, want)
		}
	})
}

// However documents are divided among segments, ordered and merged, searches have the same results.
func TestMerge_sameResults(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocuments(t)
		dead := rapid.SliceOfN(rapid.Bool(), len(docs), len(docs)).Draw(t, "dead")
		order := rapid.Permutation(numbersBelow(len(docs))).Draw(t, "order")
		query := strings.Join(rapid.SliceOfN(rapid.SampledFrom(strings.Fields("run running merging config user getuserid specification verify 12 uber 日本 本 mrege")), 1, 4).Draw(t, "query"), " ")
		o := Options{Top: rapid.IntRange(1, 12).Draw(t, "top")}
		q := ParseQuery(query)
		q.Prefix = rapid.Bool().Draw(t, "prefix")
		all, live := NewBuilder(specFields()), NewBuilder(specFields())
		for i, d := range docs {
			all.Add(testKey(i), d...)
			if !dead[i] {
				live.Add(testKey(i), d...)
			}
		}
		whole := opened(t, all)
		several := drawSegments(t, docs, order)
		want := resultsOf(t, []*Segment{whole}, q, o)
		if got := resultsOf(t, several, q, o); !slices.Equal(got, want) {
			t.Fatalf("several segments: %v, want %v", got, want)
		}
		merged := mergedOf(t, several)
		if got := resultsOf(t, []*Segment{merged}, q, o); !slices.Equal(got, want) {
			t.Fatalf("merged: %v, want %v", got, want)
		}
		isLiveKey := func(key string) bool {
			var i int
			fmt.Sscanf(key, "doc-%d", &i)
			return !dead[i]
		}
		isLive := func(s []*Segment) func(int, uint32) bool {
			return func(n int, doc uint32) bool { return isLiveKey(s[n].Key(doc)) }
		}
		filtered := resultsOf(t, several, q, Options{Top: o.Top, Keep: isLive(several)})
		everything := resultsOf(t, several, q, Options{Top: len(docs)})
		everything = slices.DeleteFunc(everything, func(r result) bool { return !isLiveKey(r.key) })
		if !slices.Equal(filtered, everything[:min(len(everything), o.Top)]) {
			t.Fatalf("filtered: %v, want %v", filtered, everything)
		}
		want = resultsOf(t, []*Segment{opened(t, live)}, q, o)
		left := withoutDead(several, isLive(several))
		if got := resultsOf(t, left, q, o); !slices.Equal(got, want) {
			t.Fatalf("without the dead: %v, want %v", got, want)
		}
		if got := resultsOf(t, []*Segment{mergedOf(t, left)}, q, o); !slices.Equal(got, want) {
			t.Fatalf("merged without the dead: %v, want %v", got, want)
		}
	})
}

// withoutDead returns the segments without those documents for which isLive returns false.
func withoutDead(segments []*Segment, isLive func(int, uint32) bool) []*Segment {
	var list []*Segment
	for i, s := range segments {
		var dead []uint32
		for doc := range uint32(s.Len()) {
			if !isLive(i, doc) {
				dead = append(dead, doc)
			}
		}
		list = append(list, s.Without(dead))
	}
	return list
}

func numbersBelow(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func mergedOf(t *rapid.T, segments []*Segment) *Segment {
	data, err := Merge(segments)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
