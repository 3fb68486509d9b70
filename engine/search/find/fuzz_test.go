package find

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// FuzzOpen checks that a changed segment leads to errors and never to a panic, even if its checksum is right.
func FuzzOpen(f *testing.F) {
	b := NewBuilder(specFields())
	b.Add("a", "Limit failed logins", "specs/a", "After five attempts the account is locked. lock_account 東京")
	b.Add("b", "Rename configuration", "specs/b", strings.Repeat("configured accounts ", 90))
	data, err := b.Bytes()
	assert.NoError(f, err)
	f.Add(data, 0, byte(0))
	f.Add(data[:len(data)/2], 0, byte(0))
	for at := 0; at < len(data); at += 7 {
		f.Add(data, at, byte(0xff))
	}
	f.Fuzz(func(t *testing.T, data []byte, at int, with byte) {
		data = append([]byte(nil), data...)
		if at >= 0 && at < len(data) {
			data[at] ^= with
		}
		if s, err := Open(data); err == nil {
			useSegment(t, s)
		}
		if len(data) < 4 {
			return
		}
		binary.LittleEndian.PutUint32(data[len(data)-4:], checksum(data[:len(data)-4]))
		s, err := Open(data)
		if err == nil {
			useSegment(t, s)
		} else if !errors.Is(err, ErrBroken) && !errors.Is(err, ErrVersion) {
			t.Errorf("unknown error %v", err)
		}
	})
}

// useSegment reads all of a segment.
func useSegment(t *testing.T, s *Segment) {
	for _, text := range []string{"account lock", "lokced configuraton", "con", "東", "a b"} {
		q := ParseQuery(text)
		q.Prefix = true
		for _, s := range []*Segment{s, s.Without([]uint32{0}), s.Without([]uint32{1})} {
			hits, err := Search([]*Segment{s}, specFields(), q, Options{})
			assert.False(t, err != nil && !errors.Is(err, ErrBroken), "unknown error %v", err)
			for _, h := range hits {
				if int(h.Doc) >= s.Len() || s.isGone(h.Doc) {
					t.Errorf("document %d of %d", h.Doc, s.Len())
				}
			}
		}
	}
	for _, gone := range [][]uint32{{0}, {1}, {0, 1, 1, 1 << 31}} {
		merged, err := Merge([]*Segment{s, s.Without(gone)})
		if err != nil {
			continue
		}
		_, err = Open(merged)
		assert.NoError(t, err)
	}
}

// FuzzTexts checks that each text finds itself.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{
		"getUserId HTTPServer URLs sha256 needs_attention three-way a-- --b", "don't we'll user’s", "Über ǅ ß ﬁ ＡＢＣ U\u0308",
		"日本語テスト ｶﾞ 한국어 ไทย", "\xff\xfe", "e2e 3f9a2bc1d v2 2026-11-23-001-abc", strings.Repeat("x", 200), "i\u0307\u0300",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := NewBuilder(specFields())
		b.Add("other", "something else")
		b.Add("this", "", "", text)
		data, err := b.Bytes()
		assert.NoError(t, err)
		s, err := Open(data)
		assert.NoError(t, err)
		q := ParseQuery(text)
		hits, err := Search([]*Segment{s}, specFields(), q, Options{Top: 1})
		assert.NoError(t, err)
		if !q.Empty() && (len(hits) == 0 || hits[0].Key != "this" && !strings.Contains(strings.ToLower(text), "something")) {
			t.Fatalf("%q finds %v", q, hits)
		}
	})
}
