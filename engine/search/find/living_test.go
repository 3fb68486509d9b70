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

// Documents that are gone leave nothing behind: neither in what a search finds, nor in its scores, nor in the bytes of a
// merged segment.
func TestWithout_random(t *testing.T) {
	t.Parallel()
	vocabulary := strings.Fields("kangaroo kangaro kangaroos wallaby wallabies walaby verify verified verifying verification " +
		"config configs configure configuration confguration run running runs front matter frontmatter front_matter 日本語 日本")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 6).Draw(t, "words"), " ")
		})
		fresh := NewBuilder(specFields())
		var segments []*Segment
		for n := range rapid.IntRange(1, 4).Draw(t, "segments") {
			b := NewBuilder(specFields())
			var gone []uint32
			for i := range rapid.IntRange(0, 25).Draw(t, "documents") {
				key, title, body := fmt.Sprint(n, "-", i), text.Draw(t, "title"), text.Draw(t, "body")
				b.Add(key, title, "", body)
				if rapid.Bool().Draw(t, "gone") {
					gone = append(gone, uint32(i))
				} else {
					fresh.Add(key, title, "", body)
				}
			}
			half := len(gone) / 2
			segments = append(segments, opened(t, b).Without(gone[:half]).Without(gone[half:]))
		}
		want := opened(t, fresh)
		data, err := Merge(segments)
		if err != nil {
			t.Fatal(err)
		}
		if all, _ := fresh.Bytes(); !bytes.Equal(data, all) {
			t.Fatalf("merged to %d bytes, want %d:\n%q\n%q", len(data), len(all), data, all)
		}
		for _, query := range append(vocabulary, "verifyi", "configurat", "wa", "kangarooo config", "runnign 日") {
			q := ParseQuery(query)
			q.Prefix = rapid.Bool().Draw(t, "prefix")
			o := Options{Top: rapid.IntRange(1, 50).Draw(t, "top")}
			want := resultsOf(t, []*Segment{want}, q, o)
			if got := resultsOf(t, segments, q, o); !slices.Equal(got, want) {
				t.Fatalf("%q (%v) found %v, want %v", query, q.Prefix, got, want)
			}
		}
	})
}

// The segment itself does not change, and documents that it does not have are ignored.
func TestWithout_copies(t *testing.T) {
	t.Parallel()
	s := segmentOf(t, specFields(), map[string][]string{"a": {"wallaby"}, "b": {"wallaby"}})
	left := s.Without([]uint32{0, 0, 7})
	assert.Equal(t, []string{"b"}, keys(mustSearch(t, []*Segment{left}, ParseQuery("wallaby"), Options{})))
	assert.Equal(t, []string{"a", "b"}, keys(mustSearch(t, []*Segment{s}, ParseQuery("wallaby"), Options{})))
	assert.True(t, s.Without(nil) == s)
	assert.Equal(t, 2, left.Len())
	assert.Equal(t, 1, left.livingDocs())
}

// The uses of a word are read as they were written.
func FuzzUses(f *testing.F) {
	f.Add([]byte{1}, uint32(1))
	f.Add([]byte{0b1011, 0xff}, uint32(12))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80}, uint32(1000))
	f.Fuzz(func(t *testing.T, data []byte, docs uint32) {
		docs %= 1 << 12
		if uses := readUses(data, docs); true { // any bytes can be read
			for ok, err := uses.next(); ok; ok, err = uses.next() {
				assert.NoError(t, err)
				assert.True(t, uses.place < int64(docs), "place %d of %d, %v", uses.place, docs, err)
			}
		}
		var places []uint32
		for i := range min(docs, uint32(8*len(data))) {
			if data[i/8]>>(i%8)&1 != 0 {
				places = append(places, i)
			}
		}
		if len(places) == 0 {
			return
		}
		uses := appendUses(nil, places, docs)
		assert.True(t, len(uses) <= bytesOfBits(docs), "%d bytes for %d of %d places", len(uses), len(places), docs)
		var got []uint32
		r := readUses(uses, docs)
		for ok, err := r.next(); ok || err != nil; ok, err = r.next() {
			assert.NoError(t, err)
			got = append(got, uint32(r.place))
		}
		assert.Equal(t, places, got)
	})
}
