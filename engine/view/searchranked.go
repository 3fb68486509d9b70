package view

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/search/documents"
	"chant/engine/search/find"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/gitops"
)

// Limits of a ranked result.
const (
	maxFoundDocuments = 10
	maxExcerpted      = 50  // specs with excerpts; the others are read no further than the index
	fewFound          = 100 // specs that are looked up one by one
)

// searchRanked finds documents by the words of a query. A filter applies to specs only, and so leaves out the others.
func searchRanked(ctx context.Context, p *engine.Project, in SearchInput) (result SearchResult, err error) {
	err = documents.Ask(ctx, p.Store, func(s *documents.Searcher) (err error) {
		r := ranked{
			Project: p, Searcher: s, query: find.ParseQuery(in.Query), whole: anyCase(in.Query), words: requiredWords(in.Query),
			archived: map[string]archivedSpec{},
		}
		// The search by substrings, which was the only one before, found the beginnings of words, too.
		r.query.Prefix = true
		result, err = r.search(ctx, in)
		return err
	})
	return result, engine.Wrap(err, "")
}

// ranked makes rows of what a query has found.
type ranked struct {
	*engine.Project
	*documents.Searcher
	query    find.Query
	whole    *regexp.Regexp // the query as it is written, in any case
	words    []string       // of which each result has one; none: it need not
	graph    *spec.Graph
	invalid  map[string]store.Invalid
	archived map[string]archivedSpec
}

func (r *ranked) search(ctx context.Context, in SearchInput) (SearchResult, error) {
	o := documents.Options{Text: in.Query, AnyOf: r.words, Specs: in.Limit, Others: maxFoundDocuments}
	// The filter applies before the best matches are chosen, so that a limit never hides a spec that it allows.
	if in.isFiltered() {
		if err := r.load(ctx); err != nil {
			return SearchResult{}, err
		}
		o.Keep = func(d documents.Document) bool {
			row, s, ok := r.row(d)
			return ok && in.keeps(row, s, func() string { return r.textOf(ctx, d) })
		}
	}
	found, err := r.Find(ctx, r.query, o)
	if err != nil {
		return SearchResult{}, err
	}
	return r.list(ctx, found, in.Limit)
}

// textOf returns the file of a spec, "" if it cannot be read any more.
func (r *ranked) textOf(ctx context.Context, d documents.Document) string {
	if d.Kind == documents.Archived {
		_, src, err := r.Project.Store.RawArchived(d.ID)
		return textUnless(src, err)
	}
	src, err := r.Project.Store.Raw(ctx, d.ID)
	return textUnless(src, err)
}

func textUnless(src []byte, err error) string {
	if err != nil {
		return ""
	}
	return string(src)
}

// archivedSpec is an archived spec, or the reason why it is invalid.
type archivedSpec struct {
	file *spec.File
	err  error
}

// load reads the active specs with these ids and all that decides what they wait for, or all specs if there are no ids.
func (r *ranked) load(ctx context.Context, ids ...string) error {
	var set *store.Set
	var err error
	if len(ids) > 0 {
		set, err = r.LoadAround(ctx, ids...)
	} else {
		set, err = r.Load(ctx)
	}
	if err != nil {
		return err
	}
	r.graph, r.invalid = set.Graph(), map[string]store.Invalid{}
	for _, bad := range set.Invalid {
		r.invalid[bad.ID] = bad
	}
	return nil
}

// row returns the row of a spec; s is nil if its file is invalid. ok is false for other documents, and if the spec is
// gone.
func (r *ranked) row(d documents.Document) (out Row, s *spec.Spec, ok bool) {
	switch d.Kind {
	case documents.Archived:
		got, known := r.archived[d.ID]
		if !known {
			got.file, got.err = r.ReadArchived(d)
			r.archived[d.ID] = got
		}
		// The index still has a spec that was removed.
		if errors.Is(got.err, fs.ErrNotExist) {
			return Row{}, nil, false
		}
		if got.err != nil {
			out = invalidRow(store.Invalid{ID: d.ID, Path: d.Path, Err: got.err})
			out.Archived = true
			return out, nil, true
		}
		return row(r.Project, r.graph, &got.file.Spec), &got.file.Spec, true
	case documents.Spec:
		if s := r.graph.Spec(d.ID); s != nil {
			return row(r.Project, r.graph, s), s, true
		}
		if bad, is := r.invalid[d.ID]; is {
			return invalidRow(bad), nil, true
		}
	}
	return Row{}, nil, false
}

// list makes the result: the rows of the best specs, and the best other documents.
func (r *ranked) list(ctx context.Context, found documents.Found, limit int) (SearchResult, error) {
	result := SearchResult{Specs: []FoundSpec{}, Page: engine.Page{Total: found.Total}, Limit: limit}
	if r.graph == nil {
		if err := r.loadFound(ctx, found.Specs); err != nil {
			return SearchResult{}, err
		}
	}
	var shown []documents.Match // those with excerpts
	for _, m := range found.Specs {
		row, _, ok := r.row(m.Document)
		if !ok {
			// It was removed meanwhile.
			result.Total--
			continue
		}
		// Reading the text of every result would take longer than the search.
		if len(shown) < maxExcerpted {
			shown = append(shown, m)
		}
		result.Specs = append(result.Specs, FoundSpec{Row: row, Match: matchOf(m.Exact), Score: round(m.Score)})
	}
	result.Returned = len(result.Specs)
	specs := len(shown)
	read, err := r.readAll(ctx, append(shown, found.Others...))
	if err != nil {
		return SearchResult{}, err
	}
	for i := range specs {
		result.Specs[i].Excerpts = read[i].excerpts
	}
	for i, m := range found.Others {
		one := read[specs+i]
		if !one.hasWord {
			continue
		}
		result.Documents = append(result.Documents, FoundDocument{
			Path: m.Path, Title: one.title, Kind: string(m.Kind), Match: matchOf(one.isExact), Score: round(m.Score), Excerpts: one.excerpts,
		})
	}
	// The words exact and related happen to be in this order.
	slices.SortStableFunc(result.Documents, func(a, b FoundDocument) int { return strings.Compare(string(a.Match), string(b.Match)) })
	return result, nil
}

func matchOf(exact bool) Match {
	if exact {
		return Exact
	}
	return Related
}

// anyCase returns what finds a text in others, in any case.
func anyCase(text string) *regexp.Regexp {
	return regexp.MustCompile("(?i)" + regexp.QuoteMeta(strings.ToValidUTF8(text, "�")))
}

// requiredWords returns the words of a query of several of which each result must contain one, in any case.
func requiredWords(query string) []string {
	words := strings.Fields(query)
	// One word may be misspelt, and the search corrects it.
	if len(words) < 2 {
		return nil
	}
	return slices.DeleteFunc(words, func(w string) bool { return find.ParseQuery(w).Empty() })
}

// hasWord reports whether a text contains one of the words, in any case.
func hasWord(text string, words []string) bool {
	text = strings.ToLower(text)
	return words == nil || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, strings.ToLower(w)) })
}

// readText is the part of a text that a result shows.
type readText struct {
	title    string
	excerpts []Excerpt
	isExact  bool // it contains the query
	hasWord  bool // it has one of the words that it must have
	err      error
}

// readAll reads the texts of some documents, on all cores: that takes a tenth of a search.
func (r *ranked) readAll(ctx context.Context, list []documents.Match) ([]readText, error) {
	texts := make([]readText, len(list))
	var wg sync.WaitGroup
	width := runtime.GOMAXPROCS(0)
	for w := range width {
		wg.Go(func() {
			for i := w; i < len(list); i += width {
				src, err := r.read(ctx, list[i].Document)
				title, shown := excerpts(src, r.query, r.whole)
				texts[i] = readText{title, shown, r.whole.Match(src), hasWord(list[i].Path+"\n"+string(src), r.words), err}
			}
		})
	}
	wg.Wait()
	for _, t := range texts {
		if t.err != nil {
			return nil, t.err
		}
	}
	return texts, nil
}

// loadFound loads what the rows of some specs need.
func (r *ranked) loadFound(ctx context.Context, specs []documents.Match) error {
	var ids []string
	for _, m := range specs {
		if m.Kind == documents.Spec {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		// An empty graph, because nil means that nothing was read yet.
		r.graph = spec.NewGraph(nil, nil)
		return nil
	}
	if len(ids) > fewFound {
		// So many are read faster with all the others than one by one.
		ids = nil
	}
	return r.load(ctx, ids...)
}

// read returns the text of a document, nothing if it was removed meanwhile or cannot be read.
func (r *ranked) read(ctx context.Context, d documents.Document) ([]byte, error) {
	text, err := r.Text(ctx, d)
	_, noFile := errors.AsType[*local.FileError](err)
	// An excerpt that cannot be read is not worth an error.
	if noFile || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	return text, err
}

// round shortens a score to what is worth comparing.
func round(score float64) float64 { return math.Round(score*1000) / 1000 }
