package shelf

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"chant/engine/code/chunk"
	"chant/engine/code/embed"
	"chant/engine/search/find"
)

// This file decides how chunks of code are ranked: which texts of a chunk are searched, what each of them counts, and
// how the scores of words (engine/search/find) and of meaning (engine/code/embed) are joined.
//
// It is pure: it uses no file, process, clock or database.
//
// Rules:
//
//   - A chunk has five fields: its name, its signature, the path of its file, its doc comment, and its body without that
//     comment. Fields returns their weights, Texts their texts, in the same order.
//   - Fuse stretches both lists of scores to the range from 0 to 1 and adds them, the semantic one with a share. A
//     document that a list lacks has the score 0 there. Without semantic scores, the order is that of the words alone.
//   - Pair returns what the model of meaning learns from a chunk: the first sentence of its comment and its code.
//
// Decisions:
//
// 2026-11-23: weights 8, 2, 8, 3 and 1. BenchmarkLibrary asks for functions of Go's library by the first sentence of
// their comment, without comments in the index; BenchmarkHistory asks for the files that commits of this repository
// changed, by their subject (MRR@10, BENCHMARKS.md):
//
//	                              library   history
//	plain BM25                    0.168     0.231
//	8, 2, 3, 3, 1                 0.398     0.292
//	5, 2, 8, 3, 1                 0.394     0.300
//	8, 2, 8, 3, 1                 0.395     0.296
//	 with meaning, share 0.2      0.446     0.311
//	 with meaning, share 0.3      0.470     0.324
//	 with meaning, share 0.4      0.485     0.331
//	 with meaning, share 0.5      0.486     0.330
//	meaning alone                 0.430     0.268
//
// 2026-11-23: a semantic share of 0.4 (DefaultWeight). Rejected: 0.5, which measures no worse, but leaves words less
// say than the vectors of a model that knows only this repository's comments.
//
// 2026-11-23: only the best Candidates of each list are joined. Rejected: semantic scores for all documents with a word
// of the query, by which the library's questions are answered worse (0.46 instead of 0.49 at a share of 0.4): being
// near the top of the semantic list says more than the difference of scores below it.
//
// 2026-11-23: each field is embedded once. Rejected: the name three times, which measures as noise does (library 0.488
// instead of 0.485, history 0.333 instead of 0.334).
//
// 2026-11-23: the least score of the semantic list counts 0. Rejected: reciprocal ranks, which ignore how much better
// the first document is, and are worse than words alone.

// Scored is a document with a score of one of the two ways of ranking, or of both together.
type Scored struct {
	Key   string
	Score float64
}

// DefaultWeight is the share of the semantic scores that measures best.
const DefaultWeight = 0.4

// Candidates is how many documents of each ranking should be joined.
const Candidates = 200

// Fuse returns the documents of two rankings, the best first, and equal ones in the order of their keys. Scores are from
// 0 to 1. The weight is the share of the semantic scores: with 0 only the documents of the lexical list are returned,
// with 1 only those of the other. An empty list leaves the other as it is, except that without a semantic share nothing
// semantic is returned. No list may have a document twice.
func Fuse(lexical, semantic []Scored, weight float64) []Scored {
	// Without semantic scores, the order is that of the words alone.
	if weight = clamp(weight); len(semantic) == 0 {
		weight = 0
	}
	if len(lexical) == 0 && weight > 0 {
		weight = 1
	}
	sums := make(map[string]float64, len(lexical)+len(semantic))
	if weight < 1 {
		most := maxScore(lexical)
		for _, d := range lexical {
			sums[d.Key] = (1 - weight) * clamp(d.Score/most)
		}
	}
	if weight > 0 {
		// The least score of the semantic list counts 0: its scores are all close to each other.
		least, most := rangeOf(semantic)
		for _, d := range semantic {
			sums[d.Key] += weight * clamp((d.Score-least)/(most-least))
		}
	}
	list := make([]Scored, 0, len(sums))
	for key, score := range sums {
		list = append(list, Scored{key, score})
	}
	// Equal scores are ordered by key, since the order of a Go map changes.
	slices.SortFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
	})
	return list
}

func maxScore(list []Scored) float64 {
	most := 0.0
	for _, d := range list {
		most = max(most, d.Score)
	}
	return cmp.Or(most, 1)
}

// rangeOf returns the lowest and the highest score, which differ.
func rangeOf(list []Scored) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, d := range list {
		least, most = min(least, d.Score), max(most, d.Score)
	}
	// Equal scores all count 1, and are not divided by zero.
	if least == most {
		least = most - 1
	}
	return least, most
}

// clamp returns a number from 0 to 1; 0 for one that is none.
func clamp(x float64) float64 {
	// Written so that NaN becomes 0.
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

const docField = 3 // among the fields

// Fields returns the fields of chunks with their weights, in the order of Texts.
func Fields() find.Fields {
	return find.Fields{
		{Name: "name", Weight: 8}, {Name: "signature", Weight: 2}, {Name: "path", Weight: 8}, {Name: "doc", Weight: 3},
		{Name: "body", Weight: 1},
	}
}

// Texts returns the texts of the fields of a chunk. The path is that of its file, with slashes, and body its bytes.
func Texts(file string, c chunk.Chunk, body string) []string {
	name := strings.Join(c.Symbols, " ")
	if c.Breadcrumb != "" {
		name += " " + c.Breadcrumb
	}
	return []string{name, c.Signature, PathText(file), c.Doc, WithoutDoc(body, c.Doc)}
}

// PathText returns the words of a path: without the extension, which all files of a language have.
func PathText(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// WithoutDoc returns a body without the lines of its doc comment.
func WithoutDoc(body, doc string) string {
	if doc == "" {
		return body
	}
	lines := map[string]bool{}
	for line := range strings.Lines(doc) {
		lines[withoutMarks(line)] = true
	}
	var b strings.Builder
	b.Grow(len(body))
	for line := range strings.Lines(body) {
		// Empty lines stay, because they are in comments as well as between statements.
		if text := withoutMarks(line); text == "" || !lines[text] {
			b.WriteString(line)
		}
	}
	return b.String()
}

// withoutMarks returns a line without what marks comments.
func withoutMarks(line string) string {
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "/*#!-;\"'"))
}

// minSentence is the number of words that a sentence for training must have.
const minSentence = 3

// Pair returns what a chunk with these Texts teaches: the first sentence of its doc comment, without its name, and its
// code. It returns false for a chunk that is no function or method with such a sentence.
func Pair(c chunk.Chunk, texts []string) (embed.Pair, bool) {
	if c.Doc == "" || !c.Kind.IsCallable() {
		return embed.Pair{}, false
	}
	text := Sentence(c.Doc)
	// The name is in the code too, so a model would learn nothing from it.
	if rest, ok := strings.CutPrefix(text, c.Name()+" "); ok {
		text = rest
	}
	if len(strings.Fields(text)) < minSentence {
		return embed.Pair{}, false
	}
	code := slices.Clone(texts)
	code[docField] = ""
	return embed.Pair{Text: text, Code: Embedded(code)}, true
}

// Embedded returns the text of a chunk that its vector is made of.
func Embedded(texts []string) string { return strings.Join(texts, "\n") }

// Sentence returns the first sentence of a doc comment on one line, without its period.
func Sentence(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	for at := 0; ; {
		n := strings.Index(doc[at:], ". ")
		if n < 0 {
			return strings.TrimSuffix(doc, ".")
		}
		at += n + 1
		if !strings.HasSuffix(doc[:at], "e.g.") && !strings.HasSuffix(doc[:at], "i.e.") {
			return doc[:at-1]
		}
	}
}

// PastWeight is the share of past changes among the scores of files, for Fuse. It measures best.
const PastWeight = 0.2

const (
	similarChanges = 50 // past changes that count
	widestChange   = 20 // files: a change of more says little about each of them
)

// Change is a past change of files.
type Change struct {
	Subject string
	Files   []string
}

// Changed ranks the files of past changes by how much the subjects of these have in common with a text, the best first.
// A change counts for each of its files the less the more files it has.
func Changed(past []Change, text string) ([]Scored, error) {
	fields := find.Fields{{Name: "subject", Weight: 1}}
	b := find.NewBuilder(fields)
	for i, c := range past {
		// A change of many files says little about each of them.
		if len(c.Files) <= widestChange {
			b.Add(strconv.Itoa(i), c.Subject)
		}
	}
	data, err := b.Bytes()
	if err != nil {
		return nil, err
	}
	segment, err := find.Open(data)
	if err != nil {
		return nil, err
	}
	hits, err := find.Search([]*find.Segment{segment}, fields, find.ParseQuery(text), find.Options{Top: similarChanges})
	if err != nil {
		return nil, err
	}
	sums := map[string]float64{}
	for _, h := range hits {
		i, err := strconv.Atoi(h.Key)
		if err != nil {
			return nil, err
		}
		for _, file := range past[i].Files {
			// The root lets a file of a wide change count less, but not in proportion.
			sums[file] += h.Score / math.Sqrt(float64(len(past[i].Files)))
		}
	}
	list := make([]Scored, 0, len(sums))
	for file, sum := range sums {
		list = append(list, Scored{file, sum})
	}
	slices.SortFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
	})
	return list, nil
}

// Percent returns a score as a share of the best score of the answer, from 0 to 100. A higher score never has a lower
// percentage.
func Percent(score, best float64) int {
	if !(best > 0) {
		return 0
	}
	return int(math.Round(100 * clamp(score/best)))
}
