package outline

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

// This file divides Go files into chunks: functions, methods, types, groups of constants and variables, and what
// precedes the declarations.
//
// It is pure: it uses no file, process, clock or database, and reads each file alone.
//
// Rules:
//
//   - What the parser of the standard library can read of a broken file is read. Only a file of which nothing can be
//     read is an error. No input panics (FuzzChunks).
//   - The package comment, the package clause and the imports are one chunk of the kind chunk.File.
//   - A type is one chunk with its fields, or with the methods of an interface. The types of a group are a chunk each.
//   - A declaration of constants or variables is one chunk with all its names.
//   - Edge.Of is the package of a qualified name, as the file calls it; the type of a receiver, a parameter or a
//     variable whose declaration names its type; otherwise the name before the last one.
//   - Predeclared names and names that a function declares itself are no edges.
//
// Decisions:
//
// 2026-11-23: the parser without the resolution of objects, and local names are recognised by a list per function.
// Rejected: go/types, which needs all packages that a file imports, and takes a hundred times as long.
//
// 2026-11-23: "var _ Reader = (*File)(nil)" makes File inherit Reader, if the file declares File. Rejected: comparing
// the methods of all types with those of all interfaces, which one file does not contain.
//
// 2026-11-23: a selector that is not called is an edge only if it names something of a package, or something of a type
// that is known. Rejected: all selectors, of which most are fields.
//
// Reading Go's own library takes 1.6 times as long as parsing it (2,100 and 3,500 files/s on one busy core).

// GoChunks returns the chunks of a Go file. It fails only if nothing of the file can be read.
func GoChunks(src []byte) ([]chunk.Chunk, error) {
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
	// Assertions may precede the type that they are about.
	r.addInherited()
	return r.chunks, nil
}

// goReader reads one file.
type goReader struct {
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

func newReader(src []byte, file *ast.File, base token.Pos) *goReader {
	r := &goReader{src: src, file: file, base: base, lines: lineStarts(src), imports: map[string]bool{}}
	r.uses.goReader = r
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
func (r *goReader) offset(p token.Pos) int { return min(max(int(p-r.base), 0), len(r.src)) }

// lineOf returns the line of a byte, counted from 1.
func (r *goReader) lineOf(offset int) int {
	n, found := slices.BinarySearch(r.lines, offset)
	if found {
		return n + 1
	}
	return n
}

func (r *goReader) readFile() {
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
func (r *goReader) readHeader() int {
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

func (r *goReader) readFunc(d *ast.FuncDecl) {
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

const maxSignature = 500 // bytes

// oneLine returns the code between two positions on one line, without comments.
func (r *goReader) oneLine(from, to token.Pos) string {
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

func (r *goReader) withoutComments(start, end int) string {
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

// cutText returns at most maxSignature bytes of a text.
func cutText(text string) string {
	const ellipsis = "…"
	if len(text) <= maxSignature {
		return text
	}
	end := maxSignature - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}

// readGroup adds the chunks of a declaration of types, constants or variables.
func (r *goReader) readGroup(d *ast.GenDecl) {
	switch d.Tok {
	case token.TYPE:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.TypeSpec); ok {
				r.readType(d, s)
			}
		}
	case token.CONST:
		r.readValues(d, chunk.Constant)
	case token.VAR:
		r.readValues(d, chunk.Variable)
	}
}

func (r *goReader) readType(d *ast.GenDecl, s *ast.TypeSpec) {
	p := piece{node: s, doc: s.Doc, from: s.Pos(), to: s.End()}
	// Outside of a group, the comment of a type belongs to the declaration.
	if !d.Lparen.IsValid() {
		p.doc, p.from, p.to = d.Doc, d.Pos(), d.End()
	}
	p.Symbols, p.Kind = namesOf(s.Name), chunk.TypeAlias
	end := s.End()
	var members *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		p.Kind, members, end = chunk.Struct, t.Fields, t.Struct+token.Pos(len("struct"))
	case *ast.InterfaceType:
		p.Kind, members, end = chunk.Interface, t.Methods, t.Interface+token.Pos(len("interface"))
	}
	p.Signature = cutText("type " + r.oneLine(s.Pos(), end))
	r.uses.readType(s)
	if members != nil {
		for _, f := range members.List {
			p.cuts = append(p.cuts, cut{r.startOf(f.Doc, f.Pos()), 0})
			if p.Kind == chunk.Interface {
				for _, method := range namesOf(f.Names...) {
					p.named = append(p.named, namedGoChunk{r.startOf(f.Doc, f.Pos()), method})
				}
			}
			if name := nameOf(f.Type); len(f.Names) == 0 && name != "" {
				p.Inherits = append(p.Inherits, name)
			}
		}
	}
	r.add(p)
}

func (r *goReader) readValues(d *ast.GenDecl, kind chunk.Kind) {
	p := piece{node: d, doc: d.Doc, from: d.Pos(), to: d.End()}
	p.Kind = kind
	for _, s := range d.Specs {
		s, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		// A single value in parentheses has its comment within them.
		if p.doc == nil && len(d.Specs) == 1 {
			p.doc = s.Doc
		}
		start := r.startOf(s.Doc, s.Pos())
		p.cuts = append(p.cuts, cut{start, 0})
		for _, name := range namesOf(s.Names...) {
			p.named = append(p.named, namedGoChunk{start, name})
		}
		r.noteAssertion(s)
		r.uses.readValue(s)
	}
	r.add(p)
}

// startOf returns where something with a comment starts.
func (r *goReader) startOf(doc *ast.CommentGroup, pos token.Pos) int {
	if doc != nil && doc.Pos() < pos {
		pos = doc.Pos()
	}
	return r.offset(pos)
}

// assertion is a declaration of a variable without a name, whose type an interface and whose value of another type is.
type assertion struct {
	of       string // the type
	inherits string // the interface as written
	edge     chunk.Edge
}

// noteAssertion notes that a type implements an interface, if that is what the declaration is for.
func (r *goReader) noteAssertion(s *ast.ValueSpec) {
	if s.Type == nil || len(s.Names) != 1 || s.Names[0].Name != "_" || len(s.Values) != 1 || nameOf(s.Type) == "" {
		return
	}
	if name := assertedType(s.Values[0]); name != "" {
		of, last := splitName(nameOf(s.Type))
		edge := chunk.Edge{Kind: chunk.Inherits, Name: last, Of: of, Line: r.lineOf(r.offset(s.Pos()))}
		r.asserts = append(r.asserts, assertion{name, nameOf(s.Type), edge})
	}
}

// assertedType returns the type of a value such as (*T)(nil), T(0), T{}, &T{} or new(T).
func assertedType(e ast.Expr) string {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return nameOf(e.Type)
	case *ast.CallExpr:
		if name, ok := e.Fun.(*ast.Ident); ok && name.Name == "new" && len(e.Args) == 1 {
			return nameOf(e.Args[0])
		}
		return nameOf(e.Fun)
	}
	return ""
}

// addInherited adds what assertions say to the types of the file.
func (r *goReader) addInherited() {
	for _, a := range r.asserts {
		for i := range r.chunks {
			c := &r.chunks[i]
			if c.Kind.IsType() && c.Name() == a.of {
				c.Inherits = append(c.Inherits, a.inherits)
				c.Edges = append(c.Edges, a.edge)
				break
			}
		}
	}
}

// piece is a declaration on its way to be a chunk, or several if it is too long.
type piece struct {
	chunk.Chunk // without its extent, doc and edges
	node        ast.Node
	doc         *ast.CommentGroup
	from, to    token.Pos
	body        *ast.BlockStmt // of a function
	cuts        []cut          // where it may be divided
	named       []namedGoChunk // symbols that belong to the part with their byte
}

// cut is a byte at which a piece may be divided; the deeper it is, the less willingly.
type cut struct{ offset, depth int }

type namedGoChunk struct {
	offset int
	name   string
}

// add adds a piece and what was used since the last one.
func (r *goReader) add(p piece) {
	// Uses were collected before this call, and belong to this piece only.
	defer r.uses.clear()
	start := r.startOf(p.doc, p.from)
	// A declaration may begin on the line on which the last one ended.
	start, end := r.wholeLines(max(start, r.end), max(r.offset(p.to), r.offset(p.from)))
	if start >= end {
		return
	}
	r.end = end
	if end-start > chunk.MaxBytes {
		if p.body != nil {
			p.cuts = r.cutsOf(p.body)
		}
		// A long comment is divided at its lines, best at empty ones.
		for line := r.lineOf(start); line < r.lineOf(r.offset(p.from)); line++ {
			depth := 3
			if text := bytes.TrimSpace(r.src[r.lines[line-1]:r.lines[line]]); len(text) <= 2 {
				depth = 1
			}
			p.cuts = append(p.cuts, cut{r.lines[line], depth})
		}
	}
	for first := true; start < end; first = false {
		to := r.endOfPart(start, end, p.cuts)
		c := p.Chunk
		c.Start, c.End = start, to
		c.StartLine, c.EndLine = r.lineOf(start), r.lineOf(max(start, to-1))
		c.Doc = r.docOf(p.doc, start, to)
		// What a type inherits is listed once.
		if !first {
			c.Inherits = nil
		}
		for _, n := range p.named {
			if n.offset >= start && n.offset < to {
				c.Symbols = append(c.Symbols, n.name)
			}
		}
		c.Symbols = slices.Clip(c.Symbols)
		c.Edges = r.uses.edges(start, to)
		r.chunks = append(r.chunks, c)
		start = to
	}
}

// wholeLines extends a range to whole lines, if nothing else is on them but a comment behind it.
func (r *goReader) wholeLines(start, end int) (int, int) {
	line := r.lines[r.lineOf(start)-1]
	if line >= r.end && len(bytes.TrimLeft(r.src[line:start], " \t\r\ufeff")) == 0 {
		start = line
	}
	next := len(r.src)
	if n := r.lineOf(max(start, end-1)); n < len(r.lines) {
		next = r.lines[n]
	}
	if end >= next {
		return start, end
	}
	rest := bytes.TrimLeft(bytes.TrimSpace(r.src[end:next]), "; \t")
	inner, isComment := bytes.CutPrefix(rest, []byte("/*"))
	isComment = isComment && bytes.Index(inner, []byte("*/")) == len(inner)-2 && len(inner) > 1
	if len(rest) == 0 || bytes.HasPrefix(rest, []byte("//")) || isComment {
		end = next
	}
	return start, end
}

// endOfPart returns where the part ends that starts at start: at the end if that is not too far, otherwise at one of
// the cuts in the second half of what fits, or else at the end of a line, or of a character.
func (r *goReader) endOfPart(start, end int, cuts []cut) int {
	if end-start <= chunk.MaxBytes {
		return end
	}
	least, most := start+chunk.MaxBytes/2, start+chunk.MaxBytes
	best := cut{-1, 1 << 30}
	for _, c := range cuts {
		// Parts of at least half the size keep their number small.
		if at := r.lines[r.lineOf(c.offset)-1]; at > least && at <= most {
			if c.depth < best.depth || c.depth == best.depth && at > best.offset {
				best = cut{at, c.depth}
			}
		}
	}
	if best.offset > 0 {
		return best.offset
	}
	if line := r.lines[r.lineOf(most)-1]; line > start {
		return line
	}
	for at := most; at > most-utf8.UTFMax; at-- {
		if utf8.RuneStart(r.src[at]) {
			return at
		}
	}
	return most
}

// cutsOf returns where the statements of a function start.
func (r *goReader) cutsOf(body *ast.BlockStmt) []cut {
	var cuts []cut
	depth := 0
	ast.PreorderStack(body, nil, func(n ast.Node, stack []ast.Node) bool {
		depth = len(stack)
		switch n.(type) {
		case ast.Stmt, *ast.KeyValueExpr, *ast.CompositeLit:
			cuts = append(cuts, cut{r.offset(n.Pos()), depth})
		}
		return true
	})
	return cuts
}

// docOf returns the text of the part of a comment that is in a range.
func (r *goReader) docOf(doc *ast.CommentGroup, start, end int) string {
	if doc == nil || r.offset(doc.End()) <= start || r.offset(doc.Pos()) >= end {
		return ""
	}
	if r.offset(doc.Pos()) >= start && r.offset(doc.End()) <= end {
		return strings.TrimSpace(doc.Text())
	}
	part := &ast.CommentGroup{}
	for _, c := range doc.List {
		from, to := r.offset(c.Pos()), r.offset(c.End())
		switch {
		case to <= start || from >= end:
		case from >= start && to <= end:
			part.List = append(part.List, c)
		default:
			// A comment of several lines is divided.
			text := strings.TrimSuffix(strings.TrimPrefix(string(r.src[max(from, start):min(to, end)]), "/*"), "*/")
			part.List = append(part.List, &ast.Comment{Text: "/*" + text + "*/"})
		}
	}
	return strings.TrimSpace(part.Text())
}

// declaration is the declaration in a line.
type declaration struct {
	kind chunk.Kind
	name string
	weak bool // the line may be prose
}

// isModifier reports whether a word may precede the keyword of a declaration.
func isModifier(word string) bool {
	switch word {
	case "public", "private", "protected", "internal", "static", "final", "abstract", "override", "async", "export", "default",
		"pub", "inline", "virtual", "sealed", "open", "local", "unsafe", "extern", "external", "case", "data", "implicit", "lazy",
		"partial", "suspend", "const", "comptime", "noinline", "pure", "recursive", "elemental", "create", "or", "replace",
		"CREATE", "OR", "REPLACE", "global", "mutable", "value", "base", "mixin":
		return true
	}
	return false
}

// kindOf returns what a word declares. Weak words are common in prose, too.
func kindOf(word string) (kind chunk.Kind, weak bool) {
	switch word {
	case "func", "fn", "fun", "def", "defp", "function", "function!", "sub", "proc", "procedure", "subroutine", "defn", "defn-", "defun",
		"rpc", "defmethod", "FUNCTION", "PROCEDURE":
		return chunk.Function, word == "function" || word == "procedure" || word == "fun"
	case "macro", "defmacro", "macro_rules!":
		return chunk.Macro, word == "macro"
	case "class":
		return chunk.Class, true
	case "struct", "record", "union", "message", "input", "TABLE", "table", "resource", "VIEW", "defstruct", "contract", "library":
		return chunk.Struct, true
	case "enum":
		return chunk.Enum, true
	case "interface", "trait", "service", "role":
		return chunk.Interface, true
	case "protocol":
		return chunk.Protocol, true
	case "impl", "extension", "extend", "instance":
		return chunk.Extension, true
	case "actor":
		return chunk.Actor, true
	case "module", "namespace", "defmodule", "object":
		return chunk.Namespace, word != "defmodule"
	case "type", "typedef", "newtype":
		return chunk.TypeAlias, true
	}
	return "", false
}

// parseDeclaration returns what a line declares, if it looks like a declaration.
func parseDeclaration(text string) (declaration, bool) {
	if text == "" || len(text) > 2000 {
		return declaration{}, false
	}
	rest := strings.TrimPrefix(text, "(")
	// More modifiers do not precede a declaration.
	for range 6 {
		word, after, found := strings.Cut(rest, " ")
		if !found {
			break
		}
		after = strings.TrimLeft(after, " ")
		if kind, weak := kindOf(word); kind != "" {
			return parseName(kind, weak, after)
		}
		if !isModifier(word) {
			break
		}
		rest = after
	}
	return parseAssignment(text)
}

// parseName reads the name after the keyword of a declaration.
func parseName(kind chunk.Kind, weak bool, after string) (declaration, bool) {
	// Lisp and some others put names in parentheses or quotes.
	if after != "" && (after[0] == '(' || after[0] == '"' || after[0] == '`' || after[0] == '[') {
		after = strings.NewReplacer("\" \"", ".").Replace(after)[1:]
	}
	n := nameLength(after)
	if n == 0 {
		return declaration{}, false
	}
	name, rest := strings.TrimRight(after[:n], ":.-"), strings.TrimLeft(after[n:], " \"`]")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return declaration{}, false
	}
	// A weak word in prose is followed by more words, not by a bracket, an assignment or a list of types.
	if weak && rest != "" && !strings.ContainsAny(rest[:1], "({<:=;[-|") && !strings.ContainsAny(rest, "{(=") && !startsBases(rest) {
		return declaration{}, false
	}
	return declaration{kind, name, weak}, true
}

// startsBases reports whether a text starts like the list of the types that a type extends.
func startsBases(rest string) bool {
	word, _, _ := strings.Cut(rest, " ")
	switch word {
	case "extends", "implements", "with", "where", "is", "do", "inherits", "for", "begin", "AS", "as", "on":
		return true
	}
	return false
}

// parseAssignment reads "name = function(", "name <- function(" and "name: function(".
func parseAssignment(text string) (declaration, bool) {
	for _, mark := range []string{"= function", "<- function", ": function", "=function", "= fn ", "= fun ", "= lambda"} {
		i := strings.Index(text, mark)
		if i <= 0 {
			continue
		}
		fields := strings.Fields(text[:i])
		if len(fields) == 0 || len(fields) > 3 {
			return declaration{}, false
		}
		name := fields[len(fields)-1]
		if n := nameLength(name); n == len(name) && n > 0 {
			return declaration{chunk.Function, name, false}, true
		}
	}
	return declaration{}, false
}

// nameLength returns how many bytes at the start of a text are a name, with dots and colons in it.
func nameLength(text string) int {
	for i := range len(text) {
		b := text[i]
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '_', b == '$', b == '.', b >= 0x80,
			b == '!' && i > 0, b == '?' && i > 0, b == '\'' && i > 0, b == ':' && i > 0, b == '-' && i > 0, b == '#' && i > 0, b == '~':
		default:
			return i
		}
	}
	return len(text)
}
