package gotypes

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strconv"

	"chant/engine/code/chunk"
	"chant/engine/code/exact"
)

// fileFinding has the facts about one file.
type fileFinding struct {
	name    string // relative to the root
	uses    []use
	unknown []exact.Unknown
}

// use is a place that uses a target.
type use struct {
	kind    chunk.EdgeKind
	at      int
	to      exact.Target
	through exact.Target // the interface of the value whose method is called; without a name if it is none
}

// collectUses collects what the files of a unit use.
func (b *build) collectUses(u *unit, info *types.Info) {
	targets := map[types.Object]exact.Target{}
	for _, s := range u.files {
		if !s.wanted || s.tree == nil {
			continue
		}
		c := collector{build: b, unit: u, info: info, file: b.set.File(s.tree.Name.Pos()), targets: targets, kinds: map[*ast.Ident]chunk.EdgeKind{}, skipped: map[*ast.Ident]bool{}, through: map[*ast.Ident]exact.Target{}}
		c.found.name = s.below
		c.imports(s.tree)
		for _, d := range s.tree.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
				continue
			}
			ast.Inspect(d, c.visit)
		}
		u.found = append(u.found, c.found)
	}
	// Instances are collected here, because the info of a unit is dropped after it was checked.
	seen := map[*types.Named]bool{}
	for _, i := range info.Instances {
		if n, ok := i.Type.(*types.Named); ok && !seen[n] {
			seen[n] = true
			u.named = append(u.named, n)
		}
	}
}

// collector collects what one file uses. A node is visited before what is in it, so that what a name is used for is noted
// before the name is met.
type collector struct {
	*build
	unit    *unit
	info    *types.Info
	file    *token.File
	targets map[types.Object]exact.Target
	kinds   map[*ast.Ident]chunk.EdgeKind // of names that do more than refer
	skipped map[*ast.Ident]bool
	through map[*ast.Ident]exact.Target // of the methods that are called, the interfaces
	found   fileFinding
}

// imports notes which packages of the worktree a file imports.
func (c *collector) imports(f *ast.File) {
	for _, s := range f.Imports {
		name, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		need := c.unit.needs[name]
		if need == nil || need.pkg == nil || !need.inRoot {
			continue
		}
		if to, ok := need.clause(c.build); ok {
			c.found.uses = append(c.found.uses, use{kind: chunk.Imports, at: c.file.Offset(s.Pos()), to: to})
		}
	}
}

// clause returns where the package is declared: its file doc.go, or else the first one.
func (u *unit) clause(b *build) (exact.Target, bool) {
	for _, wantsDoc := range []bool{true, false} {
		for _, s := range u.files {
			if s.below != "" && (!wantsDoc || path.Base(s.below) == "doc.go") {
				return exact.Target{Path: s.below, At: s.clause, Name: u.Name}, true
			}
		}
	}
	return exact.Target{}, false
}

func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		// A method does not use its own type by having it.
		if n.Recv != nil {
			for _, f := range n.Recv.List {
				if name := lastName(f.Type); name != nil {
					c.skipped[name] = true
				}
			}
		}
	case *ast.CallExpr:
		c.note(n.Fun, chunk.Calls)
	case *ast.CompositeLit:
		if n.Type != nil {
			c.note(n.Type, chunk.Calls)
		}
	case *ast.StructType:
		c.noteEmbedded(n.Fields)
	case *ast.InterfaceType:
		c.noteEmbedded(n.Methods)
	case *ast.SelectorExpr:
		c.noteSelected(n)
	case *ast.Ident:
		c.ident(n)
	}
	return true
}

// noteSelected notes the interface whose method is selected: that of the value, or the last one that is embedded on the way.
func (c *collector) noteSelected(n *ast.SelectorExpr) {
	s := c.info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	of := s.Recv()
	// All but the last index are embedded fields on the way to the method.
	for _, field := range s.Index()[:len(s.Index())-1] {
		if p, ok := of.Underlying().(*types.Pointer); ok {
			of = p.Elem()
		}
		structure, ok := of.Underlying().(*types.Struct)
		if !ok {
			return
		}
		of = structure.Field(field).Type()
	}
	// A type parameter has the methods of its constraint.
	if p, ok := types.Unalias(of).(*types.TypeParam); ok {
		of = p.Constraint()
	}
	if named, ok := types.Unalias(of).(*types.Named); ok && types.IsInterface(named) {
		if to, ok := c.target(named.Obj()); ok {
			c.through[n.Sel] = to
		}
	}
}

// noteEmbedded notes the types that a type embeds.
func (c *collector) noteEmbedded(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			c.note(f.Type, chunk.Inherits)
		}
	}
}

// note notes what the name of an expression is used for.
func (c *collector) note(e ast.Expr, kind chunk.EdgeKind) {
	if name := lastName(e); name != nil {
		c.kinds[name] = kind
	}
}

// lastName returns the name that an expression ends with, without pointers, brackets and arguments; nil if it has none.
func lastName(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			return x.Sel
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// ident notes what a name means.
func (c *collector) ident(n *ast.Ident) {
	if n.Name == "_" || c.skipped[n] {
		return
	}
	object, ok := c.info.Uses[n]
	if !ok {
		// A name that is declared here is not a use.
		if _, declared := c.info.Defs[n]; !declared {
			c.found.unknown = append(c.found.unknown, exact.Unknown{Name: n.Name, At: c.file.Offset(n.Pos())})
		}
		return
	}
	if to, ok := c.target(object); ok {
		kind, ok := c.kinds[n]
		if !ok {
			kind = chunk.References
		}
		c.found.uses = append(c.found.uses, use{kind, c.file.Offset(n.Pos()), to, c.through[n]})
	}
}

// target returns where an object is declared; false if it is local, a field, or one of the language.
func (b *build) targetOf(object types.Object) (exact.Target, bool) {
	if object.Pkg() == nil || !object.Pos().IsValid() {
		return exact.Target{}, false
	}
	name, kind := object.Name(), chunk.Function
	switch o := object.(type) {
	case *types.Func:
		// The instances of a generic function are declared in one place.
		o = o.Origin()
		object = o
		if receiver := o.Signature().Recv(); receiver != nil {
			if kind = chunk.Method; typeName(receiver.Type()) != "" {
				name = typeName(receiver.Type()) + "." + name
			}
		} else if o.Parent() != nil && o.Parent() != o.Pkg().Scope() {
			// A function within another one is local.
			return exact.Target{}, false
		}
	case *types.TypeName, *types.Const, *types.Var:
		if o.Parent() != o.Pkg().Scope() {
			return exact.Target{}, false
		}
		kind = kindOf(o)
	default:
		return exact.Target{}, false
	}
	file := b.set.File(object.Pos())
	if file == nil {
		return exact.Target{}, false
	}
	// A file that is not indexed has no piece of code to which a link could lead.
	if below, ok := b.relativePath(file.Name()); ok {
		if _, ok := b.Read(below); ok {
			return exact.Target{Path: below, At: file.Offset(object.Pos()), Name: object.Name()}, true
		}
	}
	return exact.Target{Name: name, Package: object.Pkg().Path(), Of: object.Pkg().Name(), Kind: kind}, true
}

func (c *collector) target(object types.Object) (exact.Target, bool) {
	if to, ok := c.targets[object]; ok {
		return to, to.Name != ""
	}
	to, ok := c.targetOf(object)
	c.targets[object] = to
	return to, ok
}

func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

func kindOf(o types.Object) chunk.Kind {
	switch o.(type) {
	case *types.Const:
		return chunk.Constant
	case *types.Var:
		return chunk.Variable
	}
	switch o.Type().Underlying().(type) {
	case *types.Interface:
		return chunk.Interface
	case *types.Struct:
		return chunk.Struct
	}
	return chunk.TypeAlias
}
