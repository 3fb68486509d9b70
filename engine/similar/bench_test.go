package similar

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// madeUp returns documents with three names and a text of about 15 words, whose words are distributed as in real ones:
// a few are in most documents, and most are in few.
func madeUp(n int) []Doc {
	rnd := rand.New(rand.NewSource(1))
	syllables := strings.Fields("ba co di fu ge ha in jo ka le mi no or pa qui re sta tu un ver wo xi ya zo tion ment ing ed er")
	var vocabulary []string
	for range 6000 {
		word := ""
		for range 2 + rnd.Intn(3) {
			word += syllables[rnd.Intn(len(syllables))]
		}
		vocabulary = append(vocabulary, word)
	}
	zipf := rand.NewZipf(rnd, 1.1, 8, uint64(len(vocabulary)-1))
	list := make([]Doc, n)
	for i := range list {
		var text []string
		for range 10 + rnd.Intn(11) {
			text = append(text, vocabulary[zipf.Uint64()])
		}
		verb, noun := vocabulary[rnd.Intn(300)], vocabulary[rnd.Intn(3000)]
		names := []string{vocabulary[rnd.Intn(20)], verb + "-" + noun, vocabulary[rnd.Intn(3000)]}
		list[i] = Doc{Names: names, Text: strings.Join(text, " ")}
	}
	return list
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{7, 100, 5000} {
		docs := madeUp(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				New(docs)
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{7, 100, 5000} {
		docs := madeUp(n)
		x := New(docs)
		word := func(i int) string {
			words := strings.Fields(docs[i%n].Text)
			return words[i%len(words)]
		}
		for _, c := range []struct {
			name  string
			query func(i int) string
		}{
			{"3words", func(i int) string { return word(i) + " " + word(i+1) + " " + word(i+2) }},
			{"10words", func(i int) string { return strings.Join(strings.Fields(docs[i%n].Text)[:10], " ") }},
			{"misspelt", func(i int) string { return word(i) + " " + word(i+1) + "x" }},
			{"unknown", func(i int) string { return "zyxwvuts qqpqqpqq " + word(i) }},
			{"names", func(i int) string { return strings.Join(docs[i%n].Names, " ") }},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					i++
					x.Search(c.query(i), 3)
				}
			})
		}
	}
}
