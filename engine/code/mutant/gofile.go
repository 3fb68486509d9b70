package mutant

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// goReader finds the mutants of a file of Go.
type goReader struct {
	*File
	files *token.FileSet
}

func (f *File) readGo() error {
	r := &goReader{File: f, files: token.NewFileSet()}
	file, err := parser.ParseFile(r.files, "", f.src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				r.function(d.Type, d.Body)
			}
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				r.visit(d, nil, false)
			}
		}
	}
	return nil
}

func parsesAsGo(src []byte) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	return err == nil
}

func (r *goReader) offset(p token.Pos) int { return r.files.Position(p).Offset }

func (r *goReader) text(n ast.Node) string { return string(r.src[r.offset(n.Pos()):r.offset(n.End())]) }

func (r *goReader) replace(kind Kind, n ast.Node, text string) {
	r.add(kind, r.offset(n.Pos()), r.offset(n.End()), text)
}

// function adds the mutants of a function, whose body is not empty.
func (r *goReader) function(of *ast.FuncType, body *ast.BlockStmt) {
	if at := r.offset(body.Lbrace) + 1; len(body.List) > 0 {
		// The return comes first: what follows stays, so that all that it uses is used.
		r.add(EmptyBody, at, at, strings.TrimRight(" return "+strings.Join(r.zeros(of), ", "), " ")+";")
	}
	r.visit(body, of, false)
}

// zeros returns a zero value for each result of a function, none if they have names.
func (r *goReader) zeros(of *ast.FuncType) []string {
	var out []string
	if of.Results == nil {
		return nil
	}
	for _, field := range of.Results.List {
		if len(field.Names) > 0 {
			return nil
		}
		out = append(out, r.zero(field.Type))
	}
	return out
}

func (r *goReader) zero(of ast.Expr) string {
	switch text := r.text(of); {
	case slices.Contains(goNumbers, text):
		return "0"
	case text == "string":
		return `""`
	case text == "bool":
		return "false"
	case text == "error" || text == "any":
		return "nil"
	default:
		switch of := of.(type) {
		case *ast.StarExpr, *ast.MapType, *ast.FuncType, *ast.ChanType, *ast.InterfaceType:
			return "nil"
		case *ast.ArrayType:
			if of.Len == nil {
				return "nil"
			}
		}
		return "*new(" + text + ")"
	}
}

var goNumbers = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "byte", "rune", "uintptr"}

// visit adds the mutants of a node in a function, which is nil outside of functions. In a quiet place, texts are messages.
func (r *goReader) visit(n ast.Node, of *ast.FuncType, quiet bool) {
	ast.Inspect(n, func(c ast.Node) bool {
		switch c := c.(type) {
		case *ast.FuncLit:
			r.function(c.Type, c.Body)
			return false
		case *ast.CallExpr:
			return r.call(c, of, quiet)
		case *ast.ExprStmt:
			if call, ok := c.X.(*ast.CallExpr); ok && !r.isUninteresting(call) {
				// In a function that nothing calls, all that it uses stays used.
				r.replace(RemoveCall, c, "_ = func() { "+r.text(c)+" }")
			}
		case *ast.IfStmt:
			if r.handlesError(c) {
				r.replace(RemoveErrorHandling, c.Cond, "("+r.text(c.Cond)+") && false")
			}
			r.negate(c.Cond)
		case *ast.ForStmt:
			if c.Cond != nil {
				r.negate(c.Cond)
			}
		case *ast.BinaryExpr:
			r.operator(c)
		case *ast.AssignStmt:
			if other := operators()[c.Tok.String()]; other != "" && !hasText(c) {
				at := r.offset(c.TokPos)
				r.add(SwapOperator, at, at+len(other), other)
			}
		case *ast.IncDecStmt:
			at := r.offset(c.TokPos)
			r.add(SwapOperator, at, at+2, operators()[c.Tok.String()])
		case *ast.ReturnStmt:
			r.result(c, of)
		case *ast.Ident:
			if other := otherBool(c.Name); other != "" {
				r.replace(ChangeConstant, c, other)
			}
		case *ast.BasicLit:
			r.literal(c, quiet)
		case *ast.ArrayType:
			// Another length is another type.
			r.visit(c.Elt, of, quiet)
			return false
		case *ast.Field:
			// A tag is no text.
			r.visit(c.Type, of, quiet)
			return false
		case *ast.CaseClause:
			// Two equal cases do not compile.
			for _, s := range c.Body {
				r.visit(s, of, quiet)
			}
			return false
		}
		return true
	})
}

// call adds the mutants of a call and reports whether what is within it is still to be visited.
func (r *goReader) call(c *ast.CallExpr, of *ast.FuncType, quiet bool) bool {
	if r.isUninteresting(c) {
		return false
	}
	r.swap(c, of)
	if quiet || !fails().MatchString(r.text(c.Fun)) {
		return true
	}
	for _, arg := range c.Args {
		r.visit(arg, of, true)
	}
	r.visit(c.Fun, of, quiet)
	return false
}

func (r *goReader) isUninteresting(c *ast.CallExpr) bool { return logs().MatchString(r.text(c)) }

// handlesError reports whether a condition compares an error with nil.
func (r *goReader) handlesError(c *ast.IfStmt) bool {
	cond, ok := c.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || r.text(cond.Y) != "nil" || len(c.Body.List) == 0 {
		return false
	}
	name := strings.ToLower(r.text(cond.X))
	return strings.HasSuffix(name, "err") || strings.HasPrefix(name, "err")
}

func (r *goReader) negate(cond ast.Expr) {
	if b, ok := cond.(*ast.BinaryExpr); ok && isEquality(b.Op.String()) {
		return
	}
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		r.replace(NegateCondition, cond, r.text(not.X))
		return
	}
	if otherBool(r.text(cond)) == "" {
		r.replace(NegateCondition, cond, "!("+r.text(cond)+")")
	}
}

func (r *goReader) operator(b *ast.BinaryExpr) {
	op, at := b.Op.String(), r.offset(b.OpPos)
	if other := comparisons()[op]; other != "" {
		r.add(ChangeComparison, at, at+len(op), other)
	}
	if lit, ok := b.Y.(*ast.BasicLit); ok && lit.Kind == token.INT && atLeast()[op] != "" {
		r.add(ChangeComparison, at, at+len(op), atLeast()[op])
	}
	if other := operators()[op]; other != "" && (strings.Contains("&&||", op) || !hasText(b)) {
		r.add(SwapOperator, at, at+len(op), other)
	}
}

// hasText reports whether there is a string in an expression, whose other operators do not compile.
func hasText(n ast.Node) (found bool) {
	ast.Inspect(n, func(c ast.Node) bool {
		lit, ok := c.(*ast.BasicLit)
		found = found || ok && lit.Kind == token.STRING
		return true
	})
	return found
}

// result adds a return of zero values before one that returns something else.
func (r *goReader) result(c *ast.ReturnStmt, of *ast.FuncType) {
	if of == nil || len(c.Results) == 0 || !slices.ContainsFunc(c.Results, isCalculated) {
		return
	}
	zeros := r.zeros(of)
	// A call may return all results at once, and named results are compared by their types alone.
	if zeros == nil || strings.Join(zeros, ", ") == string(r.src[r.offset(c.Results[0].Pos()):r.offset(c.End())]) {
		return
	}
	at := r.offset(c.Pos())
	r.add(ChangeReturn, at, at, "if true { return "+strings.Join(zeros, ", ")+" }; ")
}

// isCalculated reports whether an expression is no literal, which is changed as one.
func isCalculated(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return false
	case *ast.Ident:
		return e.Name != "nil" && otherBool(e.Name) == ""
	}
	return true
}

func (r *goReader) literal(c *ast.BasicLit, quiet bool) {
	switch c.Kind {
	case token.INT, token.FLOAT:
		if kind, other := otherNumber(c.Value); other != "" {
			r.replace(kind, c, other)
		}
	case token.STRING:
		if empty := emptyString(c.Value); empty != "" && !quiet {
			r.replace(ChangeConstant, c, empty)
		}
	}
}

// swap swaps the first two adjacent arguments that are parameters of one type.
func (r *goReader) swap(c *ast.CallExpr, of *ast.FuncType) {
	if of == nil {
		return
	}
	types := map[string]string{}
	for _, field := range of.Params.List {
		for _, name := range field.Names {
			types[name.Name] = r.text(field.Type)
		}
	}
	for i := 0; i+1 < len(c.Args); i++ {
		a, okA := c.Args[i].(*ast.Ident)
		b, okB := c.Args[i+1].(*ast.Ident)
		if !okA || !okB || a.Name == b.Name || types[a.Name] == "" || types[a.Name] != types[b.Name] {
			continue
		}
		start, from, to, end := r.offset(a.Pos()), r.offset(a.End()), r.offset(b.Pos()), r.offset(b.End())
		r.add(SwapArguments, start, end, b.Name+string(r.src[from:to])+a.Name)
		return
	}
}
