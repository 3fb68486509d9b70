package similar

import (
	"math"
	"sync"
)

const (
	nameWeight = 1.5  // what a word of the names counts, compared with one of the text
	pairWeight = 0.75 // what two words side by side count, compared with the mean of the two
)

// Doc is a document: a command, for example.
type Doc struct {
	Names []string // such as the words by which the command is called
	Text  string   // what it does, in a sentence
}

// Index ranks documents. It does not change after New and can be used by several goroutines at once.
type Index struct {
	docs   int
	terms  map[string]uint32 // by stem
	wholes map[string]uint32 // the terms of chains with parts, which have no stems
	forms  map[string]uint32 // the terms of other words as written
	stems  []string          // of terms, or wholes

	counts   []count   // of all documents, one document after another
	ends     []uint32  // where the counts of each document end
	idf      []float64 // of each term
	postings []posting // of all terms, one term after another, in the order of documents
	starts   []uint32  // where the postings of each term begin, and the end of the last
	order    []uint32  // terms in the order of the texts; noTerm separates documents, and names from texts
	places   []uint32  // where each document begins in order, and the end of the last
	norms    []norms   // of each document

	sorted  func() []form              // the dictionary, in the order of its words
	kin     func() map[uint32][]uint32 // terms that differ by a prefix
	scratch sync.Pool                  // *scratch
}

// count says how often a document has a term.
type count struct {
	term        uint32
	names, text uint16
}

// posting says how often a term is in a document.
type posting struct {
	doc         uint32
	names, text uint16
}

// weight is what the occurrences of a term in a document count.
func weight(names, text uint16) float64 { return nameWeight*float64(names) + float64(text) }

// norms are lengths of the vectors of a document.
type norms struct {
	whole float64 // of names, text and pairs of words
	text  float64
}

// noTerm separates words that do not lie side by side.
const noTerm = ^uint32(0)

// idf returns the inverse document frequency of a term: what it counts, because some documents have it and others have
// not. It is never below 1.
func idf(found, docs int) float64 {
	return math.Log(float64(1+docs)/float64(1+found)) + 1
}

func (x *Index) countsOf(doc int) []count {
	if doc == 0 {
		return x.counts[:x.ends[0]]
	}
	return x.counts[x.ends[doc-1]:x.ends[doc]]
}

func (x *Index) postingsOf(term uint32) []posting { return x.postings[x.starts[term]:x.starts[term+1]] }

// normsOf returns the lengths of the vectors of a document.
func (x *Index) normsOf(doc int) norms {
	var n norms
	for _, c := range x.countsOf(doc) {
		w := x.idf[c.term]
		n.whole += square(w * weight(c.names, c.text))
		n.text += square(w * float64(c.text))
	}
	order := x.order[x.places[doc]:x.places[doc+1]]
	for i := 1; i < len(order); i++ {
		if order[i-1] != noTerm && order[i] != noTerm {
			n.whole += square(x.pairIDF(order[i-1], order[i]))
		}
	}
	return norms{math.Sqrt(n.whole), math.Sqrt(n.text)}
}

// pairIDF returns what two terms side by side count, in addition to each of them.
func (x *Index) pairIDF(a, b uint32) float64 { return pairWeight * (x.idf[a] + x.idf[b]) / 2 }

func square(x float64) float64 { return x * x }
