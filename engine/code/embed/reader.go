package embed

import "chant/engine/search/words"

const (
	maxCached = 1 << 15 // chains of letters whose words are remembered
	maxWords  = 512     // of a text that count
)

// wordReader reads the stems of texts as search reads them, as numbers.
type wordReader struct {
	number func(stem string) int32 // -1 for a word that does not count
	cached *words.Cache[[]int32]   // of chains
	folded *words.Cache[int32]     // of their words
	tokens []words.Token
}

func newWordReader(number func(stem string) int32) *wordReader {
	return &wordReader{number: number, cached: words.NewCache[[]int32](maxCached), folded: words.NewCache[int32](maxCached)}
}

// appendWords appends the words of a text.
func (r *wordReader) appendWords(list []int32, text string) []int32 {
	first := len(list)
	// Only the first words of a text count, so a huge file costs no more than a long function.
	for from := 0; len(list)-first < maxWords; {
		start, end, ok := words.NextChain(text, from)
		if !ok {
			break
		}
		list = append(list, r.wordsOf(text[start:end])...)
		from = end
	}
	return list[:min(len(list), first+maxWords)]
}

func (r *wordReader) wordsOf(chain string) []int32 {
	// Identifiers repeat all the time, and dividing them is most of the work.
	if known, ok := r.cached.Get(chain); ok {
		return known
	}
	r.tokens = words.AppendTokens(r.tokens[:0], chain)
	var list []int32
	for _, t := range r.tokens {
		n, ok := r.folded.Get(t.Word)
		if !ok {
			n = r.number(words.Stem(t.Word))
			r.folded.Put(t.Word, n)
		}
		if n >= 0 {
			list = append(list, n)
		}
	}
	r.cached.Put(chain, list)
	return list
}
