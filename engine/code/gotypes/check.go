package gotypes

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"runtime"
	"sync"
)

// check checks all units, each after those that it needs.
func (b *build) check(ctx context.Context) error {
	waits := make(map[*unit]int, len(b.list))
	users := make(map[*unit][]*unit, len(b.list))
	for _, u := range b.list {
		for _, need := range distinctUnits(u.needs) {
			if need.pkg == nil && need != u {
				waits[u]++
				users[need] = append(users[need], u)
			}
		}
	}
	// The channels have room for all units, so that neither side ever waits for the other.
	ready, done := make(chan *unit, len(b.list)), make(chan *unit, len(b.list))
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for u := range ready {
				// Every unit is answered even after the end of the context, since the loop below counts the answers.
				if ctx.Err() == nil {
					b.checkUnit(u)
				}
				done <- u
			}
		})
	}
	running := 0
	start := func(u *unit) {
		running++
		ready <- u
	}
	for _, u := range b.list {
		if waits[u] == 0 {
			start(u)
		}
	}
	for ; running > 0; running-- {
		u := <-done
		for _, user := range users[u] {
			if waits[user]--; waits[user] == 0 {
				start(user)
			}
		}
	}
	close(ready)
	all.Wait()
	// What is left imports itself over others.
	for _, u := range b.list {
		if waits[u] > 0 && ctx.Err() == nil {
			b.checkUnit(u)
		}
	}
	return context.Cause(ctx)
}

func distinctUnits(needs map[string]*unit) []*unit {
	seen := make(map[*unit]bool, len(needs))
	list := make([]*unit, 0, len(needs))
	for _, u := range needs {
		if !seen[u] {
			seen[u] = true
			list = append(list, u)
		}
	}
	return list
}

// checkUnit checks one unit.
func (b *build) checkUnit(u *unit) {
	// The checker of a broken program may panic; then the unit counts as missing.
	defer func() {
		if why := recover(); why != nil {
			u.pkg, u.found, u.broken = nil, nil, true
			u.first = &types.Error{Msg: fmt.Sprintf("the type checker fails: %v", why)}
		}
	}()
	trees, wanted := make([]*ast.File, 0, len(u.files)), map[string]bool{}
	for i := range u.files {
		s := &u.files[i]
		if b.parseFile(u, s) == nil && s.tree != nil {
			trees = append(trees, s.tree)
			wanted[s.name] = s.wanted
		}
	}
	config := types.Config{
		Importer: importer{b, u}, Sizes: b.sizes, IgnoreFuncBodies: !u.full, FakeImportC: true, DisableUnusedImportCheck: true,
		Error: func(err error) {
			var one types.Error
			// Errors of generated files and of other packages would not help the reader.
			if errors.As(err, &one) && !one.Soft && one.Pos.IsValid() && wanted[b.set.File(one.Pos).Name()] {
				if u.broken = true; u.first == nil {
					u.first = &one
				}
			}
		},
	}
	var info *types.Info
	if u.full {
		info = &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	}
	// Errors were reported one by one.
	pkg, _ := config.Check(u.path(), b.set, trees, info)
	u.pkg = pkg
	if u.full {
		b.collectUses(u, info)
	}
	// Trees of bodies are most of the memory, and are not needed any more.
	for i := range u.files {
		u.files[i].tree = nil
	}
}

// importer gives a unit the packages that it needs.
type importer struct {
	*build
	of *unit
}

func (i importer) Import(name string) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if need := i.of.needs[name]; need != nil && need.pkg != nil {
		return need.pkg, nil
	}
	// A package that no declaration names may be empty.
	if need := i.need(i.of, name); need != nil && i.of.needs[name] == nil {
		empty := types.NewPackage(name, need.Name)
		empty.MarkComplete()
		return empty, nil
	}
	return nil, fmt.Errorf("the package %q is not there", name)
}
