package gofile

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"chant/engine/code/chunk"
)

// Chunks returns the chunks of a Go file. It fails only if nothing of the file can be read.
func Chunks(src []byte) ([]chunk.Chunk, error) {
	// Without AllErrors, the parser gives up after ten errors and returns nothing.
	const mode = parser.ParseComments | parser.SkipObjectResolution | parser.AllErrors
	set := token.NewFileSet()
	base := token.Pos(set.Base())
	file, err := parser.ParseFile(set, "", src, mode)
	if file == nil || err != nil && len(file.Decls) == 0 && !file.Package.IsValid() {
		return nil, fmt.Errorf("cannot read the Go file: %w", err)
	}
	r := newReader(src, file, base)
	r.readFile()
	r.addInherited()
	return r.chunks, nil
}

// reader reads one file.
type reader struct {
	src     []byte
	base    token.Pos
	lines   []int // where each line starts
	file    *ast.File
	imports map[string]bool // the names by which packages are used
	uses    uses
	end     int // of the last chunk
	chunks  []chunk.Chunk
	asserts []assertion
}

func newReader(src []byte, file *ast.File, base token.Pos) *reader {
	r := &reader{src: src, file: file, base: base, lines: lineStarts(src), imports: map[string]bool{}}
	r.uses.reader = r
	r.uses.visitor = r.uses.visit
	for _, s := range file.Imports {
		name := importPath(s)
		if s.Name != nil {
			name = s.Name.Name
		} else {
			name = nameOfPackage(name)
		}
		if name != "" {
			r.imports[name] = true
		}
	}
	return r
}

func lineStarts(src []byte) []int {
	lines := make([]int, 1, 1+bytes.Count(src, []byte{'\n'}))
	for at := 0; ; {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			return lines
		}
		at += n + 1
		lines = append(lines, at)
	}
}

func importPath(s *ast.ImportSpec) string {
	if s.Path == nil {
		return ""
	}
	return strings.Trim(s.Path.Value, "\"`")
}

// nameOfPackage guesses the name of a package by its import path: the last element without a version.
func nameOfPackage(importPath string) string {
	name := path.Base(importPath)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(importPath))
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "go-"), ".")
	return strings.TrimSuffix(name, "-go")
}

// offset returns where a position is in the file, within its bounds.
func (r *reader) offset(p token.Pos) int { return min(max(int(p-r.base), 0), len(r.src)) }

// lineOf returns the line of a byte, counted from 1.
func (r *reader) lineOf(offset int) int {
	n, found := slices.BinarySearch(r.lines, offset)
	if found {
		return n + 1
	}
	return n
}

func (r *reader) readFile() {
	first := r.readHeader()
	for _, d := range r.file.Decls[first:] {
		switch d := d.(type) {
		case *ast.FuncDecl:
			r.readFunc(d)
		case *ast.GenDecl:
			r.readGroup(d)
		}
	}
}

// readHeader adds the chunk of the package clause and the imports, and returns the number of the first declaration that
// is not an import.
func (r *reader) readHeader() int {
	if !r.file.Package.IsValid() {
		return 0
	}
	p := piece{node: r.file.Name, doc: r.file.Doc, from: r.file.Package, to: r.file.Name.End()}
	p.Kind = chunk.File
	p.Signature = "package " + r.file.Name.Name
	first := 0
	for ; first < len(r.file.Decls); first++ {
		d, ok := r.file.Decls[first].(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			break
		}
		p.to = max(p.to, d.End())
		p.cuts = append(p.cuts, cut{r.offset(d.Pos()), 0})
		for _, s := range d.Specs {
			p.cuts = append(p.cuts, cut{r.offset(s.Pos()), 1})
			if s := s.(*ast.ImportSpec); importPath(s) != "" {
				r.uses.add(chunk.Imports, importPath(s), "", s.Pos())
			}
		}
	}
	r.add(p)
	return first
}

func (r *reader) readFunc(d *ast.FuncDecl) {
	p := piece{node: d, doc: d.Doc, from: d.Pos(), to: d.End(), body: d.Body}
	p.Kind, p.Symbols = chunk.Function, namesOf(d.Name)
	end := d.Type.End()
	if d.Body != nil {
		end = d.Body.Lbrace
	}
	p.Signature = r.oneLine(d.Pos(), end)
	if d.Recv != nil {
		p.Kind = chunk.Method
		if len(d.Recv.List) > 0 {
			if of := typeName(d.Recv.List[0].Type); of != "" {
				p.Breadcrumb = of + " > " + d.Name.Name
			}
		}
	}
	r.uses.readFunc(d)
	r.add(p)
}

func namesOf(names ...*ast.Ident) []string {
	var list []string
	for _, n := range names {
		if n != nil && n.Name != "_" && n.Name != "" {
			list = append(list, n.Name)
		}
	}
	return list
}

// typeName returns the name of a type without package, pointer and arguments, or "" if it has none.
func typeName(e ast.Expr) string {
	name := nameOf(e)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// nameOf returns the name of a type as written, without pointer and arguments, or "" if it has none.
func nameOf(e ast.Expr) string {
	for {
		switch t := e.(type) {
		case *ast.Ident:
			return t.Name
		case *ast.SelectorExpr:
			if of, ok := t.X.(*ast.Ident); ok {
				return of.Name + "." + t.Sel.Name
			}
			return ""
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		default:
			return ""
		}
	}
}

const mostSignature = 500 // bytes

// oneLine returns the code between two positions on one line, without comments.
func (r *reader) oneLine(from, to token.Pos) string {
	start, end := r.offset(from), r.offset(to)
	if start >= end {
		return ""
	}
	text := string(r.src[start:end])
	if strings.Contains(text, "//") || strings.Contains(text, "/*") {
		text = r.withoutComments(start, end)
	}
	if strings.ContainsAny(text, "\n\t") {
		text = strings.Join(strings.Fields(text), " ")
		text = strings.ReplaceAll(text, "( ", "(")
		text = strings.ReplaceAll(text, ", )", ")")
	}
	return cutText(strings.TrimSpace(text))
}

func (r *reader) withoutComments(start, end int) string {
	var b strings.Builder
	for _, group := range r.file.Comments {
		for _, c := range group.List {
			from, to := r.offset(c.Pos()), r.offset(c.End())
			if from < start || to > end {
				continue
			}
			b.Write(r.src[start:from])
			b.WriteByte(' ')
			start = to
		}
	}
	b.Write(r.src[start:end])
	return b.String()
}

// cutText returns at most mostSignature bytes of a text.
func cutText(text string) string {
	const ellipsis = "…"
	if len(text) <= mostSignature {
		return text
	}
	end := mostSignature - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}
