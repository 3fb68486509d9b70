package similar

import (
	"math"
	"sync"

	"chant/engine/find/words"
)

// manyDocs is from how many documents on two threads read them.
const manyDocs = 500

// New returns the index of some documents.
func New(docs []Doc) *Index {
	if len(docs) < manyDocs {
		return build(docs, len(docs)).finish()
	}
	half := len(docs) / 2
	second := make(chan *builder)
	go func() { second <- build(docs[half:], len(docs)-half) }()
	b := build(docs[:half], len(docs))
	b.append(<-second)
	return b.finish()
}

// build reads documents. In all there will be so many.
func build(docs []Doc, all int) *builder {
	b := newBuilder(all)
	b.x.docs = len(docs)
	for _, d := range docs {
		b.add(d)
	}
	return b
}

// builder reads documents.
type builder struct {
	x     *Index
	read  []words.Token
	slots []uint32 // of each term, its count in the document that is being read, from 1
}

func newBuilder(docs int) *builder {
	const (
		wholesPerDoc = 2 // that no document before has
		termsPerDoc  = 3
		wordsPerDoc  = 24
	)
	x := &Index{
		docs: docs, terms: make(map[string]uint32, docs), wholes: make(map[string]uint32, wholesPerDoc*docs), forms: make(map[string]uint32, docs),
		ends: make([]uint32, 0, docs), places: make([]uint32, 0, docs+1),
		counts: make([]count, 0, wordsPerDoc*docs), order: make([]uint32, 0, wordsPerDoc*docs),
	}
	x.stems = make([]string, 0, termsPerDoc*docs)
	return &builder{x: x, slots: make([]uint32, 0, termsPerDoc*docs)}
}

// add adds a document.
func (b *builder) add(d Doc) {
	x := b.x
	x.places = append(x.places, uint32(len(x.order)))
	first := len(x.counts)
	for _, name := range d.Names {
		b.addText(name, first, true)
	}
	x.order = append(x.order, noTerm)
	b.addText(d.Text, first, false)
	x.order = append(x.order, noTerm)
	for _, c := range x.counts[first:] {
		b.slots[c.term] = 0
	}
	x.ends = append(x.ends, uint32(len(x.counts)))
}

// addText adds the words of a name or text to the document whose counts begin at first.
func (b *builder) addText(text string, first int, isName bool) {
	for from := 0; ; {
		start, end, ok := words.NextChain(text, from)
		if !ok {
			return
		}
		b.addChain(text[start:end], first, isName)
		from = end
	}
}

// addChain adds the words of a chain. Most chains are words as they are.
func (b *builder) addChain(chain string, first int, isName bool) {
	if isPlain(chain) {
		if !words.IsStop(chain) {
			term := b.termOf(chain)
			b.count(term, first, isName)
			b.x.order = append(b.x.order, term)
		}
		return
	}
	b.read = words.AppendTokens(b.read[:0], chain)
	for _, t := range b.read {
		if t.Parts > 0 {
			b.count(b.termIn(b.x.wholes, t.Word), first, isName) // it does not lie beside others
			continue
		}
		term := b.termOf(t.Word)
		b.count(term, first, isName)
		b.x.order = append(b.x.order, term)
	}
}

// isPlain reports whether a chain is a word in small letters, which words.AppendTokens would return as it is.
func isPlain(chain string) bool {
	for i := range len(chain) {
		if chain[i] < 'a' || chain[i] > 'z' {
			return false
		}
	}
	return len(chain) <= words.Longest
}

// termOf returns the term of a word.
func (b *builder) termOf(word string) uint32 {
	x := b.x
	if term, ok := x.forms[word]; ok {
		return term
	}
	term := b.termIn(x.terms, words.Stem(word))
	x.forms[word] = term
	return term
}

// termIn returns the term of a stem among stems, or of a chain with parts among wholes, and adds it if it is new.
// Chains with parts have no stems, which would take as long as all else for the names of commands.
func (b *builder) termIn(terms map[string]uint32, stem string) uint32 {
	term, ok := terms[stem]
	if !ok {
		term = uint32(len(b.x.stems))
		terms[stem] = term
		b.x.stems = append(b.x.stems, stem)
		b.slots = append(b.slots, 0)
	}
	return term
}

// count counts a term of the document whose counts begin at first.
func (b *builder) count(term uint32, first int, isName bool) {
	x := b.x
	if b.slots[term] == 0 {
		x.counts = append(x.counts, count{term: term})
		b.slots[term] = uint32(len(x.counts) - first)
	}
	c := &x.counts[first+int(b.slots[term])-1]
	n := &c.text
	if isName {
		n = &c.names
	}
	if *n < math.MaxUint16 {
		*n++
	}
}

// append adds the documents that another builder has read. Terms get the numbers that they would have if b had read the
// documents itself.
func (b *builder) append(other *builder) {
	x, y := b.x, other.x
	isWhole := make([]bool, len(y.stems))
	for _, term := range y.wholes {
		isWhole[term] = true
	}
	terms := make([]uint32, len(y.stems))
	for term, stem := range y.stems {
		if isWhole[term] {
			terms[term] = b.termIn(x.wholes, stem)
		} else {
			terms[term] = b.termIn(x.terms, stem)
		}
	}
	for form, term := range y.forms {
		if _, ok := x.forms[form]; !ok {
			x.forms[form] = terms[term]
		}
	}
	counts, order := uint32(len(x.counts)), uint32(len(x.order))
	for _, c := range y.counts {
		c.term = terms[c.term]
		x.counts = append(x.counts, c)
	}
	for _, term := range y.order {
		if term != noTerm {
			term = terms[term]
		}
		x.order = append(x.order, term)
	}
	for _, end := range y.ends {
		x.ends = append(x.ends, counts+end)
	}
	for _, place := range y.places {
		x.places = append(x.places, order+place)
	}
	x.docs += y.docs
}

// finish weighs the words.
func (b *builder) finish() *Index {
	x := b.x
	x.places = append(x.places, uint32(len(x.order)))
	x.starts = make([]uint32, len(x.stems)+1)
	for _, c := range x.counts {
		x.starts[c.term+1]++
	}
	x.idf = make([]float64, len(x.stems))
	for term := range x.idf {
		x.idf[term] = idf(int(x.starts[term+1]), x.docs)
		x.starts[term+1] += x.starts[term]
	}
	next := append([]uint32(nil), x.starts...)
	x.postings = make([]posting, len(x.counts))
	x.norms = make([]norms, x.docs)
	for doc := range x.docs {
		for _, c := range x.countsOf(doc) {
			x.postings[next[c.term]] = posting{uint32(doc), c.names, c.text}
			next[c.term]++
		}
		x.norms[doc] = x.normsOf(doc)
	}
	x.sorted = sync.OnceValue(x.sortForms)
	x.kin = sync.OnceValue(x.findKin)
	x.scratch.New = func() any { return newScratch(x.docs, len(x.stems)) }
	return x
}
