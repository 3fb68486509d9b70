package gofile

import (
	"go/ast"
	"go/token"

	"chant/engine/code/chunk"
)

// readGroup adds the chunks of a declaration of types, constants or variables.
func (r *reader) readGroup(d *ast.GenDecl) {
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

func (r *reader) readType(d *ast.GenDecl, s *ast.TypeSpec) {
	p := piece{node: s, doc: s.Doc, from: s.Pos(), to: s.End()}
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
					p.named = append(p.named, named{r.startOf(f.Doc, f.Pos()), method})
				}
			}
			if name := nameOf(f.Type); len(f.Names) == 0 && name != "" {
				p.Inherits = append(p.Inherits, name)
			}
		}
	}
	r.add(p)
}

func (r *reader) readValues(d *ast.GenDecl, kind chunk.Kind) {
	p := piece{node: d, doc: d.Doc, from: d.Pos(), to: d.End()}
	p.Kind = kind
	for _, s := range d.Specs {
		s, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if p.doc == nil && len(d.Specs) == 1 {
			p.doc = s.Doc
		}
		start := r.startOf(s.Doc, s.Pos())
		p.cuts = append(p.cuts, cut{start, 0})
		for _, name := range namesOf(s.Names...) {
			p.named = append(p.named, named{start, name})
		}
		r.noteAssertion(s)
		r.uses.readValue(s)
	}
	r.add(p)
}

// startOf returns where something with a comment starts.
func (r *reader) startOf(doc *ast.CommentGroup, pos token.Pos) int {
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
func (r *reader) noteAssertion(s *ast.ValueSpec) {
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
func (r *reader) addInherited() {
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
