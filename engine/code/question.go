package code

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chant/engine"

	"chant/engine/code/graph"
	"chant/engine/code/shelf"
	"chant/engine/search/find"
	"chant/engine/spec/next"

	"github.com/bmatcuk/doublestar/v4"
)

// question is a search for code or for documentation.
type question struct {
	query      string
	also       []string // further words, which count less
	folder     string
	limit      int // 0 for the usual one
	usual      int
	glob       string
	extensions map[string]bool // nil for all
	docs       bool            // documentation, otherwise code
	weight     float64

	asks next.Op
	near nearestDocs // to the question
}

// extensions reads a list of extensions, with or without dots; nil if it is empty.
func extensions(list string) map[string]bool {
	var set map[string]bool
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.ToLower(strings.TrimLeft(strings.TrimSpace(one), ".*")); one != "" {
			if set == nil {
				set = map[string]bool{}
			}
			set[one] = true
		}
	}
	return set
}

// candidate is a document that may be among the results.
type candidate struct {
	key     string // of its file and its place there
	part    int
	doc     uint32
	score   float64  // of all, from 0 to 1
	keyword float64  // of the words alone
	meaning *float64 // how similar the meaning is, 0 to 1; nil without a model
	rank    int      // by the words alone, from 1; 0 if it has none
}

// foundChunk is a chunk that a search found.
type foundChunk struct {
	candidate
	file    shelf.File
	piece   *shelf.Piece
	chunk   int // its number in the outline of the file
	text    string
	percent int
}

// search searches what the worktree contains now. A server begins with what it contained at the last question, while the
// files are being looked at, and searches again only if they have changed.
func (q *question) search(ctx context.Context, p *engine.Project, build bool, progress func(int, int, string)) (*shelf.Snapshot, []foundChunk, error) {
	if err := q.valid(); err != nil {
		return nil, nil, err
	}
	at, err := placeOf(p, q.folder, build)
	if err != nil {
		return nil, nil, err
	}
	last := at.shelf.Last(at.root)
	// A question is sent to an embedder of the settings once only.
	if last == nil || p.Config.Code.Embeddings.Provider != "" {
		shot, _, err := at.current(ctx, build, progress)
		if err != nil {
			return nil, nil, err
		}
		hits, err := q.searchIn(ctx, at, shot)
		return shot, hits, err
	}
	var shot *shelf.Snapshot
	var failed error
	var looking sync.WaitGroup
	// Looking at the files takes two fifths of a search, which is mostly done while nothing has changed.
	looking.Go(func() { shot, _, failed = at.current(ctx, build, progress) })
	hits, err := q.searchIn(ctx, at, last)
	looking.Wait()
	// The result of the first search is only used if it was about the same snapshot.
	if failed == nil && shot != last {
		hits, err = q.searchIn(ctx, at, shot)
	}
	return shot, hits, cmp.Or(failed, err)
}

// searchIn searches a snapshot.
func (q *question) searchIn(ctx context.Context, at *codeFolder, shot *shelf.Snapshot) ([]foundChunk, error) {
	keep := shot.Keep(q.docs, q.allowedFiles(shot, at))
	q.near = nearestDocs{semantic: "off: the weight is 0"}
	// Meanings are compared while the words are searched.
	var comparing sync.WaitGroup
	if !q.docs && q.weight > 0 {
		comparing.Go(func() { q.near = at.compare(ctx, shot, q, keep) })
	}
	words, err := q.words(shot, keep)
	comparing.Wait()
	if err != nil {
		return nil, engine.Wrap(fmt.Errorf("search code: %w", err), "")
	}
	return q.read(ctx, shot, q.rank(shot, words)), ctx.Err()
}

// valid returns an error if the question cannot be asked.
func (q *question) valid() error {
	switch {
	case strings.TrimSpace(q.query) == "":
		return usage(q.asks, "Query cannot be empty")
	case q.limit < 0:
		return usage(q.asks, "Limit must be greater than 0")
	case !doublestar.ValidatePattern(q.glob):
		return usage(q.asks, "invalid glob %q", q.glob)
	}
	return nil
}

// allowedFiles reports for each file of the manifest whether it may be found.
func (q *question) allowedFiles(shot *shelf.Snapshot, at *codeFolder) []bool {
	list := make([]bool, len(shot.Manifest.Files))
	matches := at.globMatcher(q.glob)
	for i, f := range shot.Manifest.Files {
		if at.below != "" && !strings.HasPrefix(f.Path, at.below+"/") {
			continue
		}
		if q.extensions != nil && !q.extensions[strings.ToLower(strings.TrimPrefix(path.Ext(f.Path), "."))] {
			continue
		}
		list[i] = matches(f.Path)
	}
	return list
}

// globMatcher returns what says whether a path in the worktree matches a glob. A glob is relative to the top of the worktree
// or to the folder that is asked about, or absolute.
func (at *codeFolder) globMatcher(glob string) func(name string) bool {
	if glob == "" {
		return func(string) bool { return true }
	}
	matches := func(glob, name string) bool { return doublestar.MatchUnvalidated(glob, name) }
	// This is about paths from the folder that is asked about.
	inside := func(glob string) func(string) bool {
		return func(name string) bool {
			rest, ok := name, true
			if at.from != "" {
				rest, ok = strings.CutPrefix(name, at.from+"/")
			}
			return ok && matches(glob, rest)
		}
	}
	if rest, ok := strings.CutPrefix(glob, filepath.ToSlash(at.root)+"/"); ok {
		return func(name string) bool { return matches(rest, name) }
	}
	// By links, the top of the worktree may have another name than the folder that was asked for.
	if rest, ok := strings.CutPrefix(glob, filepath.ToSlash(at.asked)+"/"); ok {
		return inside(rest)
	}
	glob = strings.TrimPrefix(glob, "./")
	within := inside(glob)
	return func(name string) bool { return matches(glob, name) || within(name) }
}

// keeper says which documents may be found.
type keeper = func(part int, doc uint32) bool

// limitOfEach returns the limit of the documents found by words, and of those found by meaning.
func (q *question) limitOfEach() int { return max(2*cmp.Or(q.limit, q.usual), shelf.Candidates) }

// rank returns the best documents by words, which were searched, and by meaning.
func (q *question) rank(shot *shelf.Snapshot, hits []find.Hit) []candidate {
	all := make([]candidate, 0, len(hits)+len(q.near.near))
	known := make(map[string]int, cap(all)) // of all
	words, meant := make([]shelf.Scored, len(hits)), make([]shelf.Scored, len(q.near.near))
	var name []byte
	add := func(part int, doc uint32) (*candidate, string) {
		file, _ := shot.File(part, doc)
		// Documents of two segments can be the same chunk, so they are known by file and number.
		name = fmt.Appendf(append(name[:0], file.Path...), "\x00%06d", shot.Parts[part].Docs[doc].Chunk)
		i, ok := known[string(name)]
		if !ok {
			i = len(all)
			all = append(all, candidate{key: string(name), part: part, doc: doc})
			known[all[i].key] = i
		}
		return &all[i], all[i].key
	}
	for i, h := range hits {
		f, key := add(h.Segment, h.Doc)
		f.keyword, f.rank = h.Score, i+1
		words[i] = shelf.Scored{Key: key, Score: h.Score}
	}
	for i, near := range q.near.near {
		f, key := add(near.Part, near.Doc)
		f.meaning = new(float64(near.Score))
		meant[i] = shelf.Scored{Key: key, Score: *f.meaning}
	}
	passesOver := !q.docs && !asksForTests(q.query)
	list := make([]candidate, 0, len(all))
	for _, one := range shelf.Fuse(words, meant, q.weight) {
		f := all[known[one.Key]]
		f.score = one.Score
		if file, _ := shot.File(f.part, f.doc); passesOver && graph.IsTest(file.Path) {
			f.score *= testWeight
		}
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return list
}

// testWeight is the weight of tests, where other code has 1: they repeat the words of what they are about.
const testWeight = 0.6

// asksForTests reports whether a query has a word about tests.
func asksForTests(query string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if strings.HasPrefix(word, "test") || strings.HasPrefix(word, "bench") || strings.HasPrefix(word, "fuzz") || slices.Contains([]string{"spec", "specs", "mock", "mocks", "fixture", "fixtures"}, word) {
			return true
		}
	}
	return false
}

// alsoWeight is the weight of further words, where those of the query have 1.
const alsoWeight = 0.4

// words returns the best documents by words.
func (q *question) words(shot *shelf.Snapshot, keep keeper) ([]find.Hit, error) {
	o := find.Options{Top: q.limitOfEach(), Keep: keep}
	hits, err := find.Search(shot.Segments(), shelf.Fields(), find.ParseQuery(q.query), o)
	if err != nil || len(q.also) == 0 {
		return hits, err
	}
	// They are searched on their own, so that a document without them loses nothing.
	more, err := find.Search(shot.Segments(), shelf.Fields(), find.ParseQuery(strings.Join(q.also, ", ")), o)
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(hits))
	for i, h := range hits {
		at[h.Key] = i
	}
	for _, h := range more {
		if i, ok := at[h.Key]; ok {
			hits[i].Score += alsoWeight * h.Score
			continue
		}
		h.Score *= alsoWeight
		hits = append(hits, h)
	}
	for i := range hits {
		// The best possible score is 1 again, as Fuse expects.
		hits[i].Score /= 1 + alsoWeight
	}
	slices.SortFunc(hits, func(a, b find.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
	})
	return hits[:min(len(hits), o.Top)], nil
}

// read reads the chunks that were found, as many as were asked for. A file that cannot be read any longer is left out.
func (q *question) read(ctx context.Context, shot *shelf.Snapshot, hits []candidate) []foundChunk {
	limit := cmp.Or(q.limit, q.usual)
	list := make([]foundChunk, 0, min(limit, len(hits)))
	texts := takeTexts(shot)
	defer texts.giveBack()
	for len(list) < limit && len(hits) > 0 && ctx.Err() == nil {
		n := min(limit-len(list), len(hits))
		list = append(list, readBatch(ctx, shot, hits[:n], texts)...)
		// The next ones take the place of those that cannot be read.
		hits = hits[n:]
	}
	return list
}

// readBatch reads some of the chunks: the texts of their files while the index is asked where in these they are.
func readBatch(ctx context.Context, shot *shelf.Snapshot, hits []candidate, texts *texts) []foundChunk {
	list, wanted := make([]foundChunk, 0, len(hits)), make([]shelf.Wanted, 0, len(hits))
	for _, c := range hits {
		if file, ok := shot.File(c.part, c.doc); ok {
			h := foundChunk{candidate: c, file: file, chunk: shot.Parts[c.part].Docs[c.doc].Chunk}
			list, wanted = append(list, h), append(wanted, shelf.Wanted{File: file, Chunk: h.chunk})
		}
	}
	var reading sync.WaitGroup
	// Files are read while the index is asked where the chunks are.
	reading.Go(func() {
		for _, h := range list {
			texts.read(ctx, h.file)
		}
	})
	pieces := shot.Pieces(ctx, wanted)
	reading.Wait()
	kept := list[:0]
	for i, h := range list {
		text := texts.of[h.file.Path]
		// The file may have changed since it was indexed, and is then shorter.
		if h.piece = pieces[i]; h.piece == nil || h.piece.End > len(text) {
			continue
		}
		h.text, h.percent = string(text[h.piece.Start:h.piece.End]), shelf.Percent(h.score, 1)
		kept = append(kept, h)
	}
	return kept
}

// toHit returns the hit of a chunk.
func (h foundChunk) toHit(shot *shelf.Snapshot) Hit {
	c := h.piece
	unit := h.file.Unit()
	hit := Hit{
		ID: fmt.Sprintf("%x-%d", unit[:], h.chunk), Path: h.file.Path, StartLine: c.StartLine, EndLine: c.EndLine, Kind: string(c.Kind),
		Symbols: c.Symbols, Relevance: h.percent, Content: h.text, Tokens: len(h.text) / 4, Language: c.Language,
		Doc: c.Doc, Signature: c.Signature, Breadcrumb: c.Breadcrumb, Keyword: h.keyword, Meaning: h.meaning, Rank: h.rank,
	}
	// In JSON, an empty list and not null.
	if hit.Symbols == nil {
		hit.Symbols = []string{}
	}
	return hit
}
