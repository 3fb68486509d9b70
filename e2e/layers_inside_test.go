package e2e

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The limits inside a package. They keep size from moving out of files into a type, a knot of files or a package.
const (
	mostMethods = 60   // on one type
	mostCycle   = 10   // files that call each other in a circle
	mostLines   = 3600 // of a package, without its tests
)

// unfinished lists packages that still break a rule. It must be empty: a package is listed only while it is being
// divided.
func unfinished() []string { return nil }

// TestLayers_inside checks the methods of types, the calls between the files and the lines of every package.
func TestLayers_inside(t *testing.T) {
	t.Parallel()
	m := newModule("chant", root)
	for dir, names := range goFiles(t) {
		if strings.HasPrefix(dir, "e2e") || dir == "grammars/treesitter" { // generated
			continue
		}
		p, err := m.load(dir, names)
		if err != nil {
			t.Error(err)
			continue
		}
		broken := p.brokenRules()
		t.Logf("%-22s %5d lines, at most %2d methods on a type, %2d files in a circle of calls", dir, p.lines(), p.largestType(), p.largestCycle())
		switch listed := slices.Contains(unfinished(), dir); {
		case listed && len(broken) == 0:
			t.Errorf("package %q keeps all rules: remove it from the list of unfinished packages", dir)
		case !listed:
			for _, what := range broken {
				t.Errorf("package %q: %s", dir, what)
			}
		}
	}
}

// module type-checks the packages of a module from their source. Other packages are empty to it: what only they could
// resolve stays unknown, and does not count as a call within a package.
type module struct {
	name, root string
	fset       *token.FileSet
	loaded     map[string]*insidePackage // by folder
	stubs      map[string]*types.Package
}

func newModule(name, root string) *module {
	return &module{name: name, root: root, fset: token.NewFileSet(), loaded: map[string]*insidePackage{}, stubs: map[string]*types.Package{}}
}

// insidePackage is a package as these rules see it: without its tests, and as it is built here.
type insidePackage struct {
	dir   string
	fset  *token.FileSet
	files []*ast.File // of every system
	types *types.Package
	info  *types.Info
}

// load reads the named files of a folder and checks their types.
func (m *module) load(dir string, names []string) (*insidePackage, error) {
	if p := m.loaded[dir]; p != nil {
		return p, nil
	}
	p := &insidePackage{dir: dir, fset: m.fset}
	var built []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		full := filepath.Join(m.root, filepath.FromSlash(dir), name)
		f, err := parser.ParseFile(m.fset, full, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
		here, err := gobuild.Default.MatchFile(filepath.Dir(full), name)
		if err != nil {
			return nil, err
		}
		if here {
			built = append(built, f)
		}
	}
	m.loaded[dir] = p
	p.check(m, built)
	return p, nil
}

// check resolves names as far as the module's own packages define them.
func (p *insidePackage) check(from types.Importer, files []*ast.File) {
	p.info = &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: from, FakeImportC: true, Error: func(error) {}} // of names that stubs do not have
	p.types, _ = conf.Check(path.Join("chant", p.dir), p.fset, files, p.info)
}

// Import finds a package of the module, and an empty one for any other path.
func (m *module) Import(name string) (*types.Package, error) {
	if dir, own := strings.CutPrefix(name, m.name+"/"); own {
		matches, err := filepath.Glob(filepath.Join(m.root, filepath.FromSlash(dir), "*.go"))
		if err != nil {
			return nil, err
		}
		names := make([]string, len(matches))
		for i, match := range matches {
			names[i] = filepath.Base(match)
		}
		p, err := m.load(dir, names)
		if err != nil || p.types == nil {
			return nil, fmt.Errorf("package %q: %w", name, err)
		}
		return p.types, nil
	}
	if m.stubs[name] == nil {
		stub := types.NewPackage(name, path.Base(name))
		stub.MarkComplete()
		m.stubs[name] = stub
	}
	return m.stubs[name], nil
}

// brokenRules names what a package does not keep, in a fixed order.
func (p *insidePackage) brokenRules() []string {
	return slices.Concat(p.tooManyMethods(), p.longCycles(), p.tooManyLines())
}

// lines counts those of every file, whatever is in them.
func (p *insidePackage) lines() int {
	n := 0
	for _, f := range p.files {
		n += p.fset.File(f.Package).LineCount()
	}
	return n
}

func (p *insidePackage) tooManyLines() []string {
	if p.lines() <= mostLines {
		return nil
	}
	return []string{fmt.Sprintf("%d lines in one package, without tests (at most %d)", p.lines(), mostLines)}
}

// methods counts the methods that are declared on each type; promoted ones belong to another type.
func (p *insidePackage) methods() map[string]int {
	count, aliases := map[string]int{}, p.aliases()
	for _, f := range p.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			name := receiver(fn)
			for aliases[name] != "" {
				name = aliases[name]
			}
			count[name]++
		}
	}
	return count
}

// aliases maps second names of types of the package to the first.
func (p *insidePackage) aliases() map[string]string {
	out := map[string]string{}
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if decl, ok := n.(*ast.TypeSpec); ok && decl.Assign.IsValid() {
				if of, ok := decl.Type.(*ast.Ident); ok {
					out[decl.Name.Name] = of.Name
				}
			}
			return true
		})
	}
	return out
}

func (p *insidePackage) largestType() (most int) {
	for _, n := range p.methods() {
		most = max(most, n)
	}
	return most
}

func (p *insidePackage) tooManyMethods() []string {
	var out []string
	for name, n := range p.methods() {
		if n > mostMethods {
			out = append(out, fmt.Sprintf("type %s has %d methods (at most %d)", name, n, mostMethods))
		}
	}
	slices.Sort(out)
	return out
}

// receiver is the name of the type that a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (p *insidePackage) largestCycle() (most int) {
	for _, cycle := range cyclesIn(p.calls()) {
		most = max(most, len(cycle))
	}
	return most
}

// longCycles finds files that call each other in a circle.
func (p *insidePackage) longCycles() []string {
	var out []string
	for _, cycle := range cyclesIn(p.calls()) {
		if len(cycle) > mostCycle {
			out = append(out, fmt.Sprintf("%d files call each other in a circle (at most %d): %s", len(cycle), mostCycle, strings.Join(cycle, " ")))
		}
	}
	return out
}

// calls maps each file to the files with the functions and methods that it uses. To hand a function on counts like a
// call of it.
func (p *insidePackage) calls() map[string][]string {
	out := map[string][]string{}
	fileOf := func(pos token.Pos) string { return filepath.Base(p.fset.Position(pos).Filename) }
	for id, used := range p.info.Uses {
		fn, ok := used.(*types.Func)
		if !ok || fn.Pkg() != p.types || !fn.Pos().IsValid() {
			continue
		}
		from, to := fileOf(id.Pos()), fileOf(fn.Origin().Pos())
		if from != to && !slices.Contains(out[from], to) {
			out[from] = append(out[from], to)
		}
	}
	return out
}

// cyclesIn are the sets of nodes that reach each other, with more than one node each, sorted.
func cyclesIn(edges map[string][]string) [][]string {
	reach := map[string]map[string]bool{}
	for from := range edges {
		seen := map[string]bool{}
		for open := slices.Clone(edges[from]); len(open) > 0; {
			at := open[len(open)-1]
			open = open[:len(open)-1]
			if !seen[at] {
				seen[at] = true
				open = append(open, edges[at]...)
			}
		}
		reach[from] = seen
	}
	var out [][]string
	done := map[string]bool{}
	for from := range edges {
		if done[from] || !reach[from][from] {
			continue
		}
		var cycle []string
		for other := range reach[from] {
			if reach[other][from] {
				cycle, done[other] = append(cycle, other), true
			}
		}
		if slices.Sort(cycle); len(cycle) > 1 {
			out = append(out, cycle)
		}
	}
	slices.SortFunc(out, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return out
}
