package gofile

import (
	"go/ast"
	"go/token"

	"chant/engine/code/chunk"
)

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

// selector collects the use of a qualified name, and of what stands before it.
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
