package embed

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
	"runtime"
	"slices"
)

// ErrTooLittle is the error for fewer pairs than a model can be trained on.
var ErrTooLittle = errors.New("too little documented code to learn from")

// LeastPairs is how many different pairs a model needs.
const LeastPairs = 500

// Pair is a text and the code that it describes.
type Pair struct {
	Text string // the first sentence of a doc comment
	Code string // without the comment
}

// Options of training. The zero value is what measured best.
type Options struct {
	Dim      int                // of the vectors; 128 if it is 0
	Epochs   int                // how often each pair is seen; 4 if it is 0
	Batch    int                // pairs that are compared with each other; 128 if it is 0
	Rate     float64            // of learning; 0.4 if it is 0
	Tau      float64            // the less, the more the most similar of the wrong answers count; 0.06 if it is 0
	Progress func(done, of int) // is called after each batch, may be nil
}

func (o Options) withDefaults() Options {
	o.Dim, o.Epochs, o.Batch = cmp.Or(o.Dim, 128), cmp.Or(o.Epochs, 4), cmp.Or(o.Batch, 128)
	o.Rate, o.Tau = cmp.Or(o.Rate, 0.4), cmp.Or(o.Tau, 0.06)
	return o
}

// Train learns a model from pairs, on all cores. The same pairs and options give the
// same model, however many cores there are.
func Train(ctx context.Context, pairs []Pair, o Options) (*Model, error) {
	return newTrainer(o.withDefaults()).train(ctx, pairs)
}

func (t *trainer) train(ctx context.Context, pairs []Pair) (*Model, error) {
	t.readPairs(pairs)
	if len(t.pairs) < LeastPairs {
		return nil, ErrTooLittle
	}
	t.Batch = min(t.Batch, len(t.pairs))
	// Pairs that do not fill a batch are left out: fewer of them would be compared with fewer wrong answers.
	batches := len(t.pairs) / t.Batch
	order := make([]int, len(t.pairs))
	for i := range order {
		order[i] = i
	}
	// A generator of our own with a fixed seed gives the same order in every version of Go.
	random := uint64(1)
	for epoch := range t.Epochs {
		shuffle(order, &random)
		for b := range batches {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t.learn(order[b*t.Batch : (b+1)*t.Batch])
			if t.Progress != nil {
				t.Progress(epoch*batches+b+1, t.Epochs*batches)
			}
		}
	}
	return t.model(), nil
}

// next returns the next number of a generator (SplitMix64), which is the same in every version of Go.
func next(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func shuffle(list []int, random *uint64) {
	for i := len(list) - 1; i > 0; i-- {
		// Multiplying has no bias that a remainder would have.
		high, _ := bits.Mul64(next(random), uint64(i+1))
		list[i], list[high] = list[high], list[i]
	}
}

// trainer is a model while it is trained.
type trainer struct {
	Options
	words   []string
	counts  []int32
	pairs   []trainPair
	table   []float32 // a row for each word
	sums    []float32 // of the mean squared gradients of each word, for Adagrad
	workers int
	batch   batch
}

// trainPair has the words of a pair with their weights: the more often a word occurs, the more, but ever less so.
type trainPair struct{ text, code bag }

// bag is the words of a text.
type bag struct {
	words   []int32
	weights []float32
}

func newTrainer(o Options) *trainer { return &trainer{Options: o, workers: runtime.GOMAXPROCS(0)} }

const leastUses = 2 // pairs with a word that is learned

// readPairs reads the words of the pairs, and gives each word that several pairs have a row.
func (t *trainer) readPairs(pairs []Pair) {
	numbers := map[string]int32{}
	reader := newWordReader(func(stem string) int32 {
		n, ok := numbers[stem]
		if !ok {
			n = int32(len(t.words))
			numbers[stem] = n
			t.words = append(t.words, stem)
			t.counts = append(t.counts, 0)
		}
		return n
	})
	seen := map[Pair]bool{}
	var list []int32
	for _, p := range pairs {
		// Generated and copied code would count its sentence many times.
		if seen[p] {
			continue
		}
		seen[p] = true
		list = reader.appendWords(list[:0], p.Text)
		text := newBag(list)
		list = reader.appendWords(list[:0], p.Code)
		one := trainPair{text, newBag(list)}
		if len(one.text.words) == 0 || len(one.code.words) == 0 {
			continue
		}
		t.pairs = append(t.pairs, one)
		for _, w := range one.text.words {
			t.counts[w]++
		}
		for _, w := range one.code.words {
			t.counts[w]++
		}
	}
	t.keepFrequent()
	t.fillTable()
}

// newBag counts the words of a text.
func newBag(list []int32) bag {
	slices.Sort(list)
	var b bag
	for i := 0; i < len(list); {
		n := i
		for n < len(list) && list[n] == list[i] {
			n++
		}
		b.words = append(b.words, list[i])
		b.weights = append(b.weights, share(n-i))
		i = n
	}
	return b
}

// keepFrequent removes words that too few pairs have, and numbers the others anew in the order of their texts.
func (t *trainer) keepFrequent() {
	var order []int32
	for w, n := range t.counts {
		if n >= leastUses {
			order = append(order, int32(w))
		}
	}
	// Words are numbered in their order, so that the model does not depend on the order of the pairs.
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(t.words[a], t.words[b]) })
	renumbered := make([]int32, len(t.words))
	for i := range renumbered {
		renumbered[i] = -1
	}
	kept, counts := make([]string, len(order)), make([]int32, len(order))
	for i, w := range order {
		renumbered[w], kept[i], counts[i] = int32(i), t.words[w], t.counts[w]
	}
	t.words, t.counts = kept, counts
	keep := func(b *bag) {
		n := 0
		for i, w := range b.words {
			if r := renumbered[w]; r >= 0 {
				b.words[n], b.weights[n] = r, b.weights[i]
				n++
			}
		}
		b.words, b.weights = b.words[:n], b.weights[:n]
	}
	left := t.pairs[:0]
	for _, p := range t.pairs {
		keep(&p.text)
		keep(&p.code)
		if len(p.text.words) > 0 && len(p.code.words) > 0 {
			left = append(left, p)
		}
	}
	t.pairs = left
}

// fillTable gives each word a random vector, which is longer for rarer words. Vectors of texts that share words are
// therefore similar from the start.
func (t *trainer) fillTable() {
	t.table = make([]float32, len(t.words)*t.Dim)
	t.sums = make([]float32, len(t.words))
	scale := 1 / math.Sqrt(float64(t.Dim))
	for w, word := range t.words {
		// The vector of a word depends on the word alone, so that it is the same in each training.
		random := uint64(len(word))
		for i := range len(word) {
			random = (random ^ uint64(word[i])) * 0x100000001b3
		}
		length := math.Log(1+float64(len(t.pairs))/float64(t.counts[w])) * scale
		row := t.table[w*t.Dim:][:t.Dim]
		for d := range row {
			// The sum of four uniform numbers is nearly distributed normally, and computed in the same way everywhere.
			x := next(&random)
			sum := int64(x&0xffff) + int64(x>>16&0xffff) + int64(x>>32&0xffff) + int64(x>>48) - 2*0xffff
			row[d] = float32(float64(sum) / 37837 * length)
		}
	}
}
