package cmd

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"chant/engine/prompt/library"
)

// plainIndex ranks documents by the cosine of plain TF-IDF vectors, as climpt does: words without stems, in lower case,
// without the punctuation around them, and with their parts.
type plainIndex struct {
	idf     map[string]float64
	vectors []map[string]float64
}

func newPlainIndex(docs []library.Entry) *plainIndex {
	x := &plainIndex{idf: map[string]float64{}}
	var texts [][]string
	found := map[string]int{}
	for _, d := range docs {
		tokens := plainTokens(d.C1 + " " + d.Description)
		texts = append(texts, tokens)
		tokens = slices.Clone(tokens)
		slices.Sort(tokens)
		for _, token := range slices.Compact(tokens) {
			found[token]++
		}
	}
	for token, n := range found {
		x.idf[token] = math.Log(float64(1+len(docs))/float64(1+n)) + 1
	}
	for _, tokens := range texts {
		x.vectors = append(x.vectors, x.vectorOf(tokens))
	}
	return x
}

func (x *plainIndex) vectorOf(tokens []string) map[string]float64 {
	v := map[string]float64{}
	for _, token := range tokens {
		if idf, ok := x.idf[token]; ok {
			v[token] += idf / float64(len(tokens))
		}
	}
	return v
}

func (x *plainIndex) search(query string) []ranked {
	q := x.vectorOf(plainTokens(query))
	var hits []ranked
	for i, v := range x.vectors {
		if score := math.Round(cosine(q, v)*1e4) / 1e4; score > 0 {
			hits = append(hits, ranked{i, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b ranked) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return hits
}

func cosine(a, b map[string]float64) float64 {
	product, first, second := 0.0, 0.0, 0.0
	for token, x := range a {
		product += x * b[token]
		first += x * x
	}
	for _, y := range b {
		second += y * y
	}
	if product == 0 {
		return 0
	}
	return product / math.Sqrt(first*second)
}

// plainTokens returns the words of a text: each as a whole, and its parts between "-" and "_" and before capitals.
func plainTokens(text string) []string {
	var tokens []string
	for _, word := range strings.Fields(text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		if word == "" {
			continue
		}
		tokens = append(tokens, strings.ToLower(word))
		var parted strings.Builder
		before := ' '
		for _, r := range word {
			if unicode.IsLower(before) && unicode.IsUpper(r) || r == '-' || r == '_' {
				parted.WriteByte(' ')
			}
			if r != '-' && r != '_' {
				parted.WriteRune(r)
			}
			before = r
		}
		if parts := strings.Fields(strings.ToLower(parted.String())); len(parts) > 1 {
			tokens = append(tokens, parts...)
		}
	}
	return tokens
}
