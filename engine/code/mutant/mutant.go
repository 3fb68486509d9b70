package mutant

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

	"chant/engine/code/outline"
	"chant/grammars"
)

// Kind is a way to change code.
type Kind string

// The kinds, in the order in which a line gets them.
const (
	NegateCondition     Kind = "negate_condition"
	ChangeComparison    Kind = "change_comparison"
	SwapOperator        Kind = "swap_operator"
	RemoveErrorHandling Kind = "remove_error_handling"
	RemoveCall          Kind = "remove_call"
	ChangeReturn        Kind = "change_return"
	EmptyBody           Kind = "empty_body"
	OffByOne            Kind = "off_by_one"
	ChangeConstant      Kind = "change_constant"
	SwapArguments       Kind = "swap_arguments"
)

// kinds lists all kinds, in the order in which a line gets them.
func kinds() []Kind {
	return []Kind{NegateCondition, ChangeComparison, SwapOperator, RemoveErrorHandling, RemoveCall, ChangeReturn, EmptyBody, OffByOne,
		ChangeConstant, SwapArguments}
}

// Mutant is a change of one place in a file.
type Mutant struct {
	Kind        Kind
	Line        int // in which it begins, 1-based
	Start, End  int // the bytes that are replaced
	Replacement string
}

// Range is a range of lines, 1-based, both ends included.
type Range struct{ First, Last int }

// ErrUnknownLanguage is returned for a file whose language has no grammar.
var ErrUnknownLanguage = errors.New("there is no grammar for the language of the file")

// maxPerLine limits the mutants of a line.
const maxPerLine = 6

// File is a parsed file.
type File struct {
	lang   string
	src    []byte
	lines  []int // the starts of lines
	found  []Mutant
	faults int // of the syntax of src, which a mutant does not add to
	tests  []Range
}

// Parse reads a file. Errors: ErrUnknownLanguage, grammars.ErrTooHard, that of the context, and for Go that of its parser.
func Parse(ctx context.Context, name string, src []byte) (*File, error) {
	f := &File{lang: outline.Language(name, src), src: src, lines: lineStarts(src)}
	if f.lang == "go" {
		return f, f.readGo()
	}
	lang, ok := languageOf(f.lang)
	if !ok {
		return nil, ErrUnknownLanguage
	}
	tree, err := grammars.Parse(ctx, lang, src)
	if err != nil {
		return nil, err
	}
	f.faults = faultsIn(tree)
	r := &reader{File: f, lang: lang, nodes: tree, table: tableOf(lang)}
	r.readParameters()
	r.visit(0, place{})
	return f, nil
}

// IsTest reports whether a line is part of a test that the file has beside its code.
func (f *File) IsTest(line int) bool {
	return slices.ContainsFunc(f.tests, func(r Range) bool { return r.First <= line && line <= r.Last })
}

// Mutants returns the mutants of changed lines, in the order of their places.
func (f *File) Mutants(changed []Range) []Mutant {
	byLine := map[int][]Mutant{}
	for _, m := range f.found {
		in := slices.ContainsFunc(changed, func(r Range) bool { return r.First <= m.Line && m.Line <= r.Last })
		if in && !slices.Contains(byLine[m.Line], m) && string(f.src[m.Start:m.End]) != m.Replacement {
			byLine[m.Line] = append(byLine[m.Line], m)
		}
	}
	var out []Mutant
	for _, all := range byLine {
		out = append(out, firstOfEachKind(all)...)
	}
	slices.SortFunc(out, func(a, b Mutant) int {
		return cmp.Or(a.Start-b.Start, a.End-b.End, cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Replacement, b.Replacement))
	})
	return out
}

// firstOfEachKind returns the mutants that a line gets: the first of each kind, and then others.
func firstOfEachKind(all []Mutant) []Mutant {
	order := kinds()
	slices.SortStableFunc(all, func(a, b Mutant) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	var first, others []Mutant
	for i, m := range all {
		if i == 0 || all[i-1].Kind != m.Kind {
			first = append(first, m)
		} else {
			others = append(others, m)
		}
	}
	first = append(first, others...)
	return first[:min(len(first), maxPerLine)]
}

// Apply returns the file with a mutant, nil if it would not parse.
func (f *File) Apply(ctx context.Context, m Mutant) ([]byte, error) {
	out := slices.Concat(f.src[:m.Start], []byte(m.Replacement), f.src[m.End:])
	if f.lang == "go" {
		if !parsesAsGo(out) {
			return nil, nil
		}
		return out, nil
	}
	lang, _ := languageOf(f.lang)
	tree, err := grammars.Parse(ctx, lang, out)
	if errors.Is(err, grammars.ErrTooHard) || err == nil && faultsIn(tree) > f.faults {
		return nil, nil
	}
	return out, err
}

// add adds a mutant of the bytes of a place.
func (f *File) add(kind Kind, start, end int, replacement string) {
	f.found = append(f.found, Mutant{Kind: kind, Line: f.line(start), Start: start, End: end, Replacement: replacement})
}

// line returns the number of the line in which a byte is.
func (f *File) line(at int) int { return sort.SearchInts(f.lines, at+1) }

func lineStarts(src []byte) []int {
	starts := []int{0}
	for at := 0; ; {
		next := bytes.IndexByte(src[at:], '\n')
		if next < 0 {
			return starts
		}
		at += next + 1
		starts = append(starts, at)
	}
}

// languageOf returns the grammar of a language by its name.
func languageOf(name string) (grammars.Language, bool) {
	all := grammars.Languages()
	at := slices.IndexFunc(all, func(l grammars.Language) bool { return l.String() == name })
	if at < 0 {
		return 0, false
	}
	return all[at], true
}

// faultsIn counts the faults of the syntax in a tree.
func faultsIn(tree *grammars.Tree) int {
	n := 0
	for _, node := range tree.Nodes {
		if node.Symbol == grammars.ErrorSymbol || node.Missing {
			n++
		}
	}
	return n
}
