package gofile

import (
	"go/ast"
	"go/token"
	"strings"

	"chant/engine/code/chunk"
)

// uses collects what a declaration uses. Which names are local is known only at the end of a function, so that what was
// collected is filtered there.
type uses struct {
	*reader
	list    []use
	locals  map[string]string // names that a function declares, with their type if that is known
	seen    map[chunk.Edge]bool
	visitor func(ast.Node) bool // visit, once for all nodes
}

// use is the use of a name.
type use struct {
	kind     chunk.EdgeKind
	name     string
	of       string // the name before it
	isSimple bool   // of is the first name of the expression: a package or a variable
	isValue  bool   // not called, and not a type
	pos      token.Pos
}

func (u *uses) add(kind chunk.EdgeKind, name, of string, pos token.Pos) {
	u.list = append(u.list, use{kind: kind, name: name, of: of, pos: pos})
}

func (u *uses) clear() {
	u.list = u.list[:0]
	clear(u.locals)
}

// declare notes a name that a function declares. A name that is declared with different types has none.
func (u *uses) declare(name *ast.Ident, typ string) {
	if name == nil || name.Name == "_" {
		return
	}
	if u.locals == nil {
		u.locals = map[string]string{}
	}
	if before, ok := u.locals[name.Name]; ok && before != typ {
		typ = ""
	}
	u.locals[name.Name] = typ
}

func (u *uses) declareFields(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			u.declare(name, typeName(f.Type))
		}
	}
}

func (u *uses) readFunc(d *ast.FuncDecl) {
	if d.Recv != nil {
		u.declareFields(d.Recv)
		for _, f := range d.Recv.List {
			u.declareArguments(f.Type)
		}
	}
	u.declareTypeParameters(d.Type.TypeParams)
	u.walk(d.Type)
	if d.Body != nil {
		u.walk(d.Body)
	}
}

// declareArguments declares the type parameters of a receiver: K and V of (m *Map[K, V]).
func (u *uses) declareArguments(e ast.Expr) {
	if p, ok := e.(*ast.ParenExpr); ok {
		e = p.X
	}
	if p, ok := e.(*ast.StarExpr); ok {
		e = p.X
	}
	switch e := e.(type) {
	case *ast.IndexExpr:
		if name, ok := e.Index.(*ast.Ident); ok {
			u.declare(name, "")
		}
	case *ast.IndexListExpr:
		for _, i := range e.Indices {
			if name, ok := i.(*ast.Ident); ok {
				u.declare(name, "")
			}
		}
	}
}

func (u *uses) declareTypeParameters(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			u.declare(name, "")
		}
	}
	u.walk(list)
}

func (u *uses) readType(s *ast.TypeSpec) {
	u.declareTypeParameters(s.TypeParams)
	var members *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		members = t.Fields
	case *ast.InterfaceType:
		members = t.Methods
	default:
		u.walk(s.Type)
		return
	}
	for _, f := range members.List {
		if name := nameOf(f.Type); len(f.Names) == 0 && name != "" {
			of, last := splitName(name)
			u.list = append(u.list, use{kind: chunk.Inherits, name: last, of: of, pos: f.Pos()})
			u.walkArguments(f.Type)
			continue
		}
		u.walk(f.Type)
	}
}

func (u *uses) readValue(s *ast.ValueSpec) {
	if s.Type != nil {
		u.walk(s.Type)
	}
	for _, v := range s.Values {
		u.walk(v)
	}
}

// splitName divides "io.Reader" into "io" and "Reader".
func splitName(name string) (of, last string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}

// edges returns the edges of what was used in a range.
func (u *uses) edges(start, end int) []chunk.Edge {
	if u.seen == nil {
		u.seen = map[chunk.Edge]bool{}
	}
	clear(u.seen)
	var list []chunk.Edge
	for _, use := range u.list {
		if at := u.offset(use.pos); at < start || at >= end || !u.isEdge(&use) {
			continue
		}
		e := chunk.Edge{Kind: use.kind, Name: use.name, Of: use.of}
		if u.seen[e] {
			continue
		}
		u.seen[e] = true
		e.Line = u.lineOf(u.offset(use.pos))
		list = append(list, e)
	}
	return list
}

// isEdge reports whether the name is not a local one, and completes what stands before it.
func (u *uses) isEdge(use *use) bool {
	if use.kind == chunk.Imports || use.kind == chunk.Inherits {
		return use.kind == chunk.Imports || use.of != "" || !isPredeclared(use.name)
	}
	if use.of == "" && !use.isSimple {
		_, isLocal := u.locals[use.name]
		return !isLocal && (use.kind == chunk.Calls || use.name != "_")
	}
	typ, isLocal := "", false
	if use.isSimple {
		typ, isLocal = u.locals[use.of]
		if _, isParameter := u.locals[typ]; typ != "" && !isParameter {
			use.of = typ
		}
	}
	if use.isValue {
		return typ != "" || use.isSimple && !isLocal && u.imports[use.of]
	}
	return true
}
