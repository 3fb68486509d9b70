package outline

import (
	"go/ast"
	"go/token"
	"strings"

	"chant/engine/code/chunk"
)

// uses collects what a declaration uses. Which names are local is known only at the end of a function, so that what was
// collected is filtered there.
type uses struct {
	*goReader
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
	// A name that is declared with different types in one function has none that is certain.
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
		// What a function declares is known only at its end, so uses are filtered here.
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

// isEdge reports whether the name is not a local one, and completes its qualifier.
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
		// A type parameter names no type to which a link could lead.
		if _, isParameter := u.locals[typ]; typ != "" && !isParameter {
			use.of = typ
		}
	}
	// Most selectors that are not called are fields, which are no definitions of their own.
	if use.isValue {
		return typ != "" || use.isSimple && !isLocal && u.imports[use.of]
	}
	return true
}

// walk collects the uses of a node. Most nodes are of a few types, which need no visitor.
func (u *uses) walk(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		u.reference(n)
	case *ast.BasicLit:
	case *ast.SelectorExpr:
		u.selector(chunk.References, n)
	case *ast.CallExpr:
		u.call(n)
	default:
		ast.Inspect(n, u.visitor)
	}
}

func (u *uses) walkAll(list []ast.Expr) {
	for _, e := range list {
		u.walk(e)
	}
}

// visit collects the uses of a node and reports whether those of its children are still to be collected.
func (u *uses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CommentGroup:
		return false
	case *ast.Ident:
		u.reference(n)
	case *ast.SelectorExpr:
		u.selector(chunk.References, n)
		return false
	case *ast.CallExpr:
		u.call(n)
		return false
	case *ast.CompositeLit:
		u.composite(n)
		return false
	case *ast.Field:
		u.field(n)
		return false
	case *ast.StructType:
		if n.Fields != nil {
			for _, f := range n.Fields.List {
				u.walk(f.Type)
			}
		}
		return false
	case *ast.AssignStmt:
		u.assign(n)
		return false
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			u.declareExpr(n.Key, "")
			u.declareExpr(n.Value, "")
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			u.declare(name, typeOfValue(n.Type, n.Values))
		}
		u.readValue(n)
		return false
	case *ast.TypeSpec:
		u.declare(n.Name, "")
	case *ast.LabeledStmt:
		u.walk(n.Stmt)
		return false
	case *ast.BranchStmt:
		return false
	}
	return true
}

// walkArguments collects what the arguments of an embedded type use.
func (u *uses) walkArguments(e ast.Expr) {
	switch e := e.(type) {
	case *ast.StarExpr:
		u.walkArguments(e.X)
	case *ast.IndexExpr:
		u.walk(e.Index)
	case *ast.IndexListExpr:
		u.walkAll(e.Indices)
	}
}

func (u *uses) reference(n *ast.Ident) {
	if n.Name == "_" || n.Name == "" || isPredeclared(n.Name) {
		return
	}
	u.list = append(u.list, use{kind: chunk.References, name: n.Name, pos: n.Pos()})
}

// selector collects the use of a qualified name, and of its qualifier.
func (u *uses) selector(kind chunk.EdgeKind, s *ast.SelectorExpr) {
	one := use{kind: kind, name: s.Sel.Name, isValue: kind == chunk.References, pos: s.Sel.Pos()}
	switch x := ast.Unparen(s.X).(type) {
	case *ast.Ident:
		one.of, one.isSimple = x.Name, true
	case *ast.SelectorExpr:
		one.of = x.Sel.Name
		u.walk(x)
	case *ast.CompositeLit:
		one.of = typeName(x.Type)
		u.walk(x)
	case *ast.TypeAssertExpr:
		if x.Type != nil {
			one.of = typeName(x.Type)
		}
		u.walk(x)
	case *ast.StarExpr: // (*T).Method
		one.of = typeName(x)
		one.isValue = false
		u.walk(x)
	default:
		u.walk(x)
	}
	if one.name != "_" && one.name != "" {
		u.list = append(u.list, one)
	}
}

func (u *uses) call(c *ast.CallExpr) {
	u.callee(ast.Unparen(c.Fun))
	u.walkAll(c.Args)
}

func (u *uses) callee(fun ast.Expr) {
	switch f := fun.(type) {
	case *ast.Ident:
		if !isPredeclared(f.Name) && f.Name != "_" {
			u.list = append(u.list, use{kind: chunk.Calls, name: f.Name, pos: f.Pos()})
		}
	case *ast.SelectorExpr:
		u.selector(chunk.Calls, f)
	case *ast.IndexExpr:
		u.callee(ast.Unparen(f.X))
		u.walk(f.Index)
	case *ast.IndexListExpr:
		u.callee(ast.Unparen(f.X))
		u.walkAll(f.Indices)
	default:
		u.walk(fun)
	}
}

// composite collects what a composite literal uses: it creates a value of its type. Keys that are names are fields.
func (u *uses) composite(c *ast.CompositeLit) {
	if c.Type != nil {
		switch t := ast.Unparen(c.Type).(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
			u.callee(t)
		default:
			u.walk(t)
		}
	}
	for _, e := range c.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			// A key that is a name is a field, or a constant of which the type is unknown here.
			if _, isName := pair.Key.(*ast.Ident); !isName {
				u.walk(pair.Key)
			}
			e = pair.Value
		}
		u.walk(e)
	}
}

// field collects what a parameter or a field of a type inside the declaration uses. Names of parameters are local.
func (u *uses) field(f *ast.Field) {
	for _, name := range f.Names {
		u.declare(name, typeName(f.Type))
	}
	if f.Type != nil {
		u.walk(f.Type)
	}
}

func (u *uses) assign(a *ast.AssignStmt) {
	if a.Tok == token.DEFINE {
		// With several values on one side, the types are those of a call, which is not looked at.
		for i, e := range a.Lhs {
			typ := ""
			if len(a.Lhs) == len(a.Rhs) {
				typ = typeOfValue(nil, a.Rhs[i:i+1])
			}
			u.declareExpr(e, typ)
		}
	} else {
		u.walkAll(a.Lhs)
	}
	u.walkAll(a.Rhs)
}

func (u *uses) declareExpr(e ast.Expr, typ string) {
	if name, ok := e.(*ast.Ident); ok {
		u.declare(name, typ)
	}
}

// typeOfValue returns the name of the type of a variable, by its declaration: by its type, or by a value that names it.
func typeOfValue(typ ast.Expr, values []ast.Expr) string {
	if typ != nil {
		return typeName(typ)
	}
	if len(values) != 1 {
		return ""
	}
	switch v := values[0].(type) {
	case *ast.CompositeLit:
		return typeName(v.Type)
	case *ast.UnaryExpr:
		if lit, ok := v.X.(*ast.CompositeLit); ok && v.Op == token.AND {
			return typeName(lit.Type)
		}
	case *ast.CallExpr:
		if f, ok := v.Fun.(*ast.Ident); ok && f.Name == "new" && len(v.Args) == 1 {
			return typeName(v.Args[0])
		}
	}
	return ""
}

// isPredeclared reports whether Go declares the name itself.
func isPredeclared(name string) bool {
	switch name {
	case "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8",
		"int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
		"true", "false", "iota", "nil", "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len",
		"make", "max", "min", "new", "panic", "print", "println", "real", "recover":
		return true
	}
	return false
}
