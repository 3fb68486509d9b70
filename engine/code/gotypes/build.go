package gotypes

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// unit is a package as a build needs it: the package itself, with its tests, or compiled anew for the tests of another.
type unit struct {
	listedPackage
	inRoot bool             // of the worktree
	full   bool             // its bodies are checked, and what it uses is wanted
	needs  map[string]*unit // by import paths, as the files name them; without what is not there
	files  []source
	pkg    *types.Package
	found  []fileFinding
	first  *types.Error // the first error in a file whose uses are wanted
	broken bool
	named  []*types.Named // instances of generic types that the unit names
}

// source is a parsed file.
type source struct {
	name   string // absolute
	below  string // relative to the root; "" if the file is not indexed
	tree   *ast.File
	clause int  // the byte of the name of its package
	wanted bool // what it uses is wanted
}

// build is the packages of one module and of what it needs.
type build struct {
	*loader
	units map[string]*unit    // by their import paths with the test that they are compiled for
	list  []*unit             // in the order of go list
	plain map[string][]string // files of packages without their tests

	mu    sync.Mutex
	trees map[string]*sharedFile
}

// sharedFile is a file that several units share.
type sharedFile struct {
	mu   sync.Mutex
	bare *ast.File // without bodies
	err  error
}

func newBuild(l *loader, list []listedPackage) *build {
	b := &build{loader: l, units: map[string]*unit{}, plain: map[string][]string{}, trees: map[string]*sharedFile{}}
	for _, p := range list {
		if len(p.GoFiles) == 1 && filepath.IsAbs(p.GoFiles[0]) {
			// This is the main package of a test, which go has made.
			continue
		}
		u := &unit{listedPackage: p}
		_, u.inRoot = l.relativePath(filepath.Join(p.Dir, "x"))
		u.full = u.inRoot && !p.DepOnly && (p.ForTest == "" || u.isTest())
		// Go's library is checked once for all modules of the worktree.
		if known := l.standard[p.ImportPath]; known != nil && !u.inRoot {
			u = known
		}
		b.units[p.ImportPath] = u
		b.list = append(b.list, u)
		if p.ForTest == "" {
			b.plain[p.ImportPath] = p.GoFiles
		}
	}
	return b
}

// path returns the import path of the package without the test that it is compiled for.
func (u *unit) path() string {
	name, _, _ := strings.Cut(u.ImportPath, " ")
	return name
}

// isTest reports whether the unit has the files of a test.
func (u *unit) isTest() bool { return u.path() == u.ForTest || u.path() == u.ForTest+"_test" }

// need returns what an import path means in the files of a unit; nil if it is not there.
func (b *build) need(u *unit, name string) *unit {
	if id, ok := u.ImportMap[name]; ok {
		name = id
	}
	return b.units[name]
}

// parse parses the packages of the module, and of the others as far as their declarations are needed.
func (b *build) parse(ctx context.Context) error {
	var wave []*unit
	queued := map[*unit]bool{}
	add := func(u *unit) {
		if u != nil && !queued[u] && u.pkg == nil {
			queued[u] = true
			wave = append(wave, u)
		}
	}
	for _, u := range b.list {
		if u.full {
			add(u)
		}
	}
	// Packages are parsed in waves: only files show which further packages they need.
	for len(wave) > 0 {
		now := wave
		wave = nil
		if err := each(ctx, now, func(u *unit) error { return b.parseUnit(u) }); err != nil {
			return err
		}
		for _, u := range now {
			for _, need := range u.needs {
				add(need)
			}
		}
	}
	// go list also names what no declaration needs; it is not checked.
	b.list = slices.DeleteFunc(b.list, func(u *unit) bool { return !queued[u] })
	return nil
}

// each calls do for all units, on all processors, until it fails.
func each(ctx context.Context, units []*unit, do func(*unit) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan *unit)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(units)) {
		all.Go(func() {
			for u := range work {
				if err := do(u); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, u := range units {
		if ctx.Err() != nil {
			break
		}
		work <- u
	}
	close(work)
	all.Wait()
	return context.Cause(ctx)
}

// parseUnit parses the files of one unit, and finds out which packages they need. Of a unit whose bodies are checked, it
// reads the imports only.
func (b *build) parseUnit(u *unit) error {
	u.needs = map[string]*unit{}
	for _, name := range u.GoFiles {
		s := source{name: filepath.Join(u.Dir, name)}
		if below, ok := b.relativePath(s.name); ok {
			if _, ok := b.Read(below); ok {
				s.below = below
			}
		}
		// A package with its tests has all of its files again; what these use was found in the package itself.
		s.wanted = u.full && s.below != "" && (u.ForTest == "" || u.path() != u.ForTest || !slices.Contains(b.plain[u.ForTest], name))
		if u.full {
			// Only the imports are read here, so that not all bodies are in memory at once.
			text, err := b.read(u, s.name)
			if err == errTooLarge { //nolint:errorlint // it is not wrapped
				return err
			}
			if tree, _ := parser.ParseFile(token.NewFileSet(), s.name, text, parser.ImportsOnly); tree != nil {
				b.addNeeds(u, tree, nil)
			}
		} else if err := b.parseFile(u, &s); err != nil {
			return err
		} else if s.tree != nil {
			b.addNeeds(u, s.tree, qualifiersOf(s.tree))
		}
		u.files = append(u.files, s)
	}
	return nil
}

// parseFile parses a file, unless that was done. The error is errTooLarge.
func (b *build) parseFile(u *unit, s *source) error {
	if s.tree != nil {
		return nil
	}
	tree, err := b.tree(u, *s)
	if err == errTooLarge { //nolint:errorlint // it is not wrapped
		return err
	}
	u.broken = u.broken || err != nil
	if tree != nil {
		s.tree, s.clause = tree, b.set.File(tree.Name.Pos()).Offset(tree.Name.Pos())
	}
	return nil
}

// tree returns a parsed file, with the bodies of functions if what it uses is wanted. Only one unit wants that; files of
// the worktree without bodies are kept for others, which see the same package as a test does.
func (b *build) tree(u *unit, s source) (*ast.File, error) {
	// Files outside of the worktree belong to one unit each, so they are not kept.
	if !u.inRoot {
		full, err := b.parseText(u, s)
		return withoutBodies(full), err
	}
	b.mu.Lock()
	p := b.trees[s.name]
	if p == nil {
		p = &sharedFile{}
		b.trees[s.name] = p
	}
	b.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	// Only one unit wants the bodies of a file; the others share it without them.
	if p.bare == nil && p.err == nil || s.wanted {
		full, err := b.parseText(u, s)
		if p.bare, p.err = withoutBodies(full), err; s.wanted {
			return full, err
		}
	}
	return p.bare, p.err
}

// parseText parses a file; it returns nil if nothing of it can be read.
func (b *build) parseText(u *unit, s source) (*ast.File, error) {
	text, err := b.read(u, s.name)
	if err != nil {
		return nil, err
	}
	const mode = parser.SkipObjectResolution | parser.AllErrors
	full, err := parser.ParseFile(b.set, s.name, text, mode)
	if full == nil || !full.Name.Pos().IsValid() {
		return nil, err
	}
	return full, err
}

// withoutBodies returns a file without the bodies of its functions, and without the imports that nothing but these uses.
func withoutBodies(f *ast.File) *ast.File {
	if f == nil {
		return nil
	}
	short := *f
	short.Decls = make([]ast.Decl, 0, len(f.Decls))
	// Comments would keep the text of a file in memory.
	short.Comments, short.Unresolved = nil, nil
	for _, d := range f.Decls {
		if fun, ok := d.(*ast.FuncDecl); ok && fun.Body != nil {
			without := *fun
			without.Body = nil
			d = &without
		}
		short.Decls = append(short.Decls, d)
	}
	return &short
}

// addNeeds adds the packages that a file imports. Those that it does not name are left out: whole files need all but
// what they import for its effects, and files without bodies only names before a dot.
func (b *build) addNeeds(u *unit, f *ast.File, qualifiers map[string]bool) {
	for _, s := range f.Imports {
		name := strings.Trim(s.Path.Value, "\"`")
		need := b.need(u, name)
		if need == nil {
			continue
		}
		as := need.Name
		if s.Name != nil {
			as = s.Name.Name
		}
		// A file without bodies uses only the names before a dot in its declarations.
		if as == "_" || qualifiers != nil && as != "" && as != "." && !qualifiers[as] {
			continue
		}
		u.needs[name] = need
	}
}

// qualifiersOf returns the names before a dot.
func qualifiersOf(f *ast.File) map[string]bool {
	set := map[string]bool{}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					set[x.Name] = true
				}
			}
			return true
		})
	}
	return set
}
