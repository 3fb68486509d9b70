package e2e

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec/next"

	"github.com/alecthomas/assert/v2"
)

// TestLayers_steps checks every step that is written down in the code: its operation is one of next.Forms, with these
// arguments and flags, and no form is listed that nothing uses. What a loop adds to a step is not seen.
func TestLayers_steps(t *testing.T) {
	t.Parallel()
	forms := formsByName(t)
	used := map[next.Op]bool{}
	for dir, files := range goFiles(t) {
		if dir == "engine/spec/next" || strings.HasPrefix(dir, "e2e") {
			continue
		}
		for _, name := range files {
			file := path.Join(dir, name)
			if strings.HasSuffix(name, "_test.go") || !slices.Contains(importsOf(t, file), "chant/engine/spec/next") {
				continue
			}
			for _, chain := range chainsIn(t, file) {
				used[forms[chain.op].Op] = true
				for _, problem := range chain.problems(forms) {
					t.Errorf("%s: next.%s: %s", file, chain.op, problem)
				}
			}
		}
	}
	for name, form := range forms {
		assert.True(t, used[form.Op], "next.%s is used nowhere", name)
	}
}

// formsByName maps the names of the constants of operations to their forms.
func formsByName(t *testing.T) map[string]next.Form {
	t.Helper()
	forms := map[string]next.Form{}
	ast.Inspect(parse(t, "engine/spec/next/op.go", 0), func(n ast.Node) bool {
		value, ok := n.(*ast.ValueSpec)
		if !ok || len(value.Values) != 1 {
			return true
		}
		l, ok := value.Values[0].(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return true
		}
		op := next.Op(literal(t, l))
		i := slices.IndexFunc(next.Forms(), func(f next.Form) bool { return f.Op == op })
		if i < 0 {
			t.Errorf("next.%s has no form", value.Names[0].Name)
			return true
		}
		forms[value.Names[0].Name] = next.Forms()[i]
		return true
	})
	if len(forms) != len(next.Forms()) || len(forms) < 30 {
		t.Fatalf("%d operations are read, and there are %d forms", len(forms), len(next.Forms()))
	}
	return forms
}

// chain is a step as the code writes it: next.Work.On(id).Flag("replay").
type chain struct {
	op              string // the name of its constant
	args            int    // by position
	switches, flags []string
}

// chainsIn lists the steps of a file; the outermost call of a chain has all of it.
func chainsIn(t *testing.T, file string) []chain {
	t.Helper()
	var out []chain
	ast.Inspect(parse(t, file, 0), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if c, ok := chainOf(t, n); ok {
				out = append(out, c)
				return false
			}
		case *ast.SelectorExpr: // an operation alone, to compare with
			if name, ok := operationOf(n); ok {
				out = append(out, chain{op: name})
			}
		}
		return true
	})
	return out
}

// chainOf reads a chain of calls that begins with an operation.
func chainOf(t *testing.T, call *ast.CallExpr) (chain, bool) {
	t.Helper()
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return chain{}, false
	}
	var c chain
	if name, isOp := operationOf(method.X); isOp {
		c.op = name
	} else if inner, isCall := method.X.(*ast.CallExpr); !isCall {
		return chain{}, false
	} else if c, ok = chainOf(t, inner); !ok {
		return chain{}, false
	}
	switch method.Sel.Name {
	case "On":
		c.args += len(call.Args)
	case "Arg":
		c.args++
	case "Flag":
		c.switches = append(c.switches, named(t, call))
	case "Set":
		c.flags = append(c.flags, named(t, call))
	}
	return c, true
}

// operationOf is the name in next.NAME.
func operationOf(e ast.Expr) (string, bool) {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	pkg, ok := s.X.(*ast.Ident)
	return s.Sel.Name, ok && pkg.Name == "next" && !slices.Contains([]string{"Step", "Advice", "Op", "Shell", "ByHand", "EditFile", "Help", "Parse"}, s.Sel.Name)
}

func named(t *testing.T, call *ast.CallExpr) string {
	t.Helper()
	if l, ok := call.Args[0].(*ast.BasicLit); ok {
		return literal(t, l)
	}
	return "(a name that is computed)"
}

// problems lists what the form of the operation does not have.
func (c chain) problems(forms map[string]next.Form) []string {
	form, known := forms[c.op]
	if !known {
		return []string{"it has no form"}
	}
	var out []string
	if c.args > len(form.Args) {
		out = append(out, "it has more arguments than its form")
	}
	for _, name := range c.switches {
		if !slices.Contains(form.Switches, name) {
			out = append(out, "its form has no switch "+name)
		}
	}
	for _, name := range c.flags {
		if !slices.Contains(form.Flags, name) {
			out = append(out, "its form has no flag "+name)
		}
	}
	return out
}
