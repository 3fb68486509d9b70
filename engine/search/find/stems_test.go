package find

import (
	"bytes"
	"maps"
	"testing"

	"chant/engine/search/words"

	"pgregory.net/rapid"
)

// A builder that has made other segments makes the same bytes as a new one.
func TestBuilder_Reset(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		used := NewBuilder(specFields())
		for range rapid.IntRange(1, 4).Draw(t, "segments") {
			fresh := NewBuilder(specFields())
			used.Reset()
			for i, d := range drawDocuments(t) {
				used.Add(testKey(i), d...)
				fresh.Add(testKey(i), d...)
			}
			want, err := fresh.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := used.Bytes(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d bytes, want %d: %v", len(got), len(want), err)
			}
		}
	})
}

// EachStem lists what the texts of the documents that are left consist of.
func TestSegment_EachStem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocuments(t)
		b, want, gone := NewBuilder(specFields()), map[string]map[uint32]int{}, []uint32(nil)
		for i, d := range docs {
			b.Add(testKey(i), d...)
			if rapid.IntRange(0, 3).Draw(t, "gone") == 0 {
				gone = append(gone, uint32(i))
				continue
			}
			for _, stem := range stemsOf(d) {
				if want[stem] == nil {
					want[stem] = map[uint32]int{}
				}
				want[stem][uint32(i)]++
			}
		}
		segment, last := opened(t, b).Without(gone), ""
		got := map[string]map[uint32]int{}
		err := segment.EachStem(func(stem []byte) bool {
			if string(stem) <= last {
				t.Fatalf("%q after %q", stem, last)
			}
			last = string(stem)
			return last != "run"
		}, func(doc uint32, times int) bool {
			if got[last] == nil {
				got[last] = map[uint32]int{}
			}
			got[last][doc] = times
			return last != "merg"
		})
		delete(want, "run")
		if len(want["merg"]) > 0 {
			want["merg"] = got["merg"]
			if len(got["merg"]) != 1 {
				t.Errorf("%v after the end was asked for", got["merg"])
			}
		}
		if err != nil || !maps.EqualFunc(got, want, maps.Equal[map[uint32]int, map[uint32]int]) {
			t.Fatalf("%v, want %v: %v", got, want, err)
		}
	})
}

func stemsOf(texts []string) []string {
	var list []string
	for _, text := range texts {
		for from := 0; ; {
			start, end, ok := words.NextChain(text, from)
			if !ok {
				break
			}
			for _, token := range words.AppendTokens(nil, text[start:end]) {
				list = append(list, words.Stem(token.Word))
			}
			from = end
		}
	}
	return list
}
