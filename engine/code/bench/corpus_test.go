package bench

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"chant/engine/code/chunk"
	"chant/engine/code/embed"
	"chant/engine/code/outline"
	"chant/engine/code/shelf"
)

// document is a chunk of a corpus.
type document struct {
	file  string
	chunk chunk.Chunk
	body  string
}

// divide returns the chunks of a Go file.
func divide(file string, src []byte) []document {
	chunks, err := outline.GoChunks(src)
	if err != nil {
		return nil
	}
	list := make([]document, 0, len(chunks))
	for _, c := range chunks {
		list = append(list, document{file, c, string(src[c.Start:c.End])})
	}
	return list
}

// withoutDoc returns the document as if it had no doc comment.
func (d document) withoutDoc() document {
	d.body = shelf.WithoutDoc(d.body, d.chunk.Doc)
	d.chunk.Doc = ""
	return d
}

func (d document) texts() []string { return shelf.Texts(d.file, d.chunk, d.body) }

// question is what is searched, with the keys that answer it.
type question struct {
	text string
	want map[string]bool
}

// corpus is what is searched, and what is asked.
type corpus struct {
	docs      []document
	pairs     []embed.Pair
	questions []question
	byFile    bool           // answers are files, not documents
	past      []shelf.Change // of its files
}

// answers returns the keys of documents, or the files that they belong to.
func (c *corpus) answers(keys []string) []string {
	if !c.byFile {
		return keys
	}
	var files []string
	seen := map[string]bool{}
	for _, key := range keys {
		if f := c.docs[docOf(key)].file; !seen[f] {
			seen[f] = true
			files = append(files, f)
		}
	}
	return files
}

// keyOf names a document. Keys are in the order of documents.
func keyOf(doc int) string { return fmt.Sprintf("%07d", doc) }

func docOf(key string) int {
	doc, err := strconv.Atoi(key)
	if err != nil {
		panic(err)
	}
	return doc
}

// result is how well questions were answered: sums of reciprocal ranks and of answers at the first place and among ten.
type result struct {
	asked           int
	mrr, first, ten float64
}

func (r *result) add(q question, answers []string) {
	r.asked++
	for i, key := range answers[:min(10, len(answers))] {
		if q.want[key] {
			r.mrr += 1 / float64(i+1)
			r.ten++
			if i == 0 {
				r.first++
			}
			return
		}
	}
}

func (r *result) MRR() float64 { return r.mrr / float64(max(1, r.asked)) }
func (r *result) R10() float64 { return r.ten / float64(max(1, r.asked)) }

func (r *result) report(tb testing.TB, name string) {
	tb.Helper()
	tb.Logf("%-28s MRR@10 %.3f  R@1 %.3f  R@10 %.3f", name, r.MRR(), r.first/float64(max(1, r.asked)), r.R10())
}

// textOf returns what a function's comment says first, without the name of the function.
func textOf(d *document) string {
	s := shelf.Sentence(d.chunk.Doc)
	if rest, ok := strings.CutPrefix(s, d.chunk.Name()+" "); ok {
		return rest
	}
	return s
}
