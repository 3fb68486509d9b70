package gotypes

import (
	"go/types"
	"strings"

	"chant/engine/code/exact"
)

// declaredType is a type that is declared at the top level of a package.
type declaredType struct {
	unit  *unit
	named *types.Named // itself, with its own parameters as arguments if it is generic
	forms []types.Type // what is compared: itself, and the instances of a generic type that code names
}

// implementFinder finds out which types implement which interfaces.
type implementFinder struct {
	*build
	instances map[*types.TypeName][]types.Type
	types     []declaredType
	byMethod  map[string][]int // types by the names of their methods
	pairs     []targetPair
	runs      []targetRun
	called    map[exact.Target]bool // methods of interfaces outside of the worktree that code calls
}

// targetPair is a type and an interface.
type targetPair struct{ from, to exact.Target }

// targetRun is a method that a call through an interface may run.
type targetRun struct{ through, method, runs exact.Target }

// implement compares all types of the worktree with all interfaces of it and of the packages that were loaded.
func (b *build) implement(called map[exact.Target]bool) *implementFinder {
	m := &implementFinder{build: b, instances: map[*types.TypeName][]types.Type{}, byMethod: map[string][]int{}, called: called}
	for _, u := range b.list {
		for _, n := range u.named {
			m.instances[n.Obj()] = append(m.instances[n.Obj()], n)
		}
	}
	var interfaces []declaredType
	for _, u := range b.list {
		// A package compiled anew for a test has the same types as itself.
		if u.pkg == nil || u.ForTest != "" && !u.isTest() {
			continue
		}
		for _, name := range u.pkg.Scope().Names() {
			d, ok := m.findDeclared(u, name)
			switch {
			case !ok:
			case types.IsInterface(d.named):
				interfaces = append(interfaces, d)
			case u.inRoot:
				m.add(d)
			}
		}
	}
	for _, d := range interfaces {
		m.compare(d)
	}
	return m
}

// findDeclared returns a type of a package, if it is of interest: not an alias, and declared in a file that is not one of
// another unit.
func (m *implementFinder) findDeclared(u *unit, name string) (declaredType, bool) {
	object, ok := u.pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok || object.IsAlias() {
		return declaredType{}, false
	}
	named, ok := object.Type().(*types.Named)
	if !ok || u.ForTest != "" && !u.isWanted(m.build, object) {
		return declaredType{}, false
	}
	if i, isInterface := named.Underlying().(*types.Interface); isInterface {
		// An interface without methods is implemented by everything, and one with type sets is only a constraint.
		isUnknown := i.NumMethods() == 0 || !i.IsMethodSet()
		// Code of the worktree cannot name an interface that is not exported or is internal elsewhere.
		isForeign := !u.inRoot && (!object.Exported() || strings.Contains("/"+u.path()+"/", "/internal/") || strings.HasPrefix(u.path(), "vendor/"))
		if isUnknown || isForeign {
			return declaredType{}, false
		}
	}
	d := declaredType{unit: u, named: named, forms: []types.Type{named}}
	if list := named.TypeParams(); list.Len() > 0 {
		own := make([]types.Type, list.Len())
		for i := range own {
			own[i] = list.At(i)
		}
		d.forms = nil
		if self, err := types.Instantiate(nil, named, own, false); err == nil {
			d.forms = append(d.forms, self)
		}
		d.forms = append(d.forms, m.instances[object]...)
	}
	return d, true
}

// isWanted reports whether an object is declared in a file of the unit whose uses are wanted.
func (u *unit) isWanted(b *build, o types.Object) bool {
	if file := b.set.File(o.Pos()); file != nil {
		for _, s := range u.files {
			if s.name == file.Name() {
				return s.wanted
			}
		}
	}
	return false
}

func (m *implementFinder) add(d declaredType) {
	// A pointer to a type has all of its methods.
	set := types.NewMethodSet(types.NewPointer(d.named))
	for i := range set.Len() {
		name := set.At(i).Obj().Name()
		m.byMethod[name] = append(m.byMethod[name], len(m.types))
	}
	m.types = append(m.types, d)
}

// compare finds the types that implement an interface. Only those are compared that have the rarest of its methods.
func (m *implementFinder) compare(of declaredType) {
	// Only types with the rarest method are compared, which are few.
	i := of.named.Underlying().(*types.Interface)
	var candidates []int
	for n := range i.NumMethods() {
		if list := m.byMethod[i.Method(n).Name()]; n == 0 || len(list) < len(candidates) {
			candidates = list
		}
	}
	for _, n := range candidates {
		if t := m.types[n]; t.unit == of.unit || t.unit.ForTest == "" || of.unit.ForTest == "" || t.unit.ForTest == of.unit.ForTest {
			m.match(t, of)
		}
	}
}

// match notes that a type implements an interface, if it does. Both are looked at as the tests see them if one of them is
// declared in a test.
func (m *implementFinder) match(t, of declaredType) {
	test := t.unit.ForTest
	if test == "" {
		test = of.unit.ForTest
	}
	for _, form := range m.testForms(t, test) {
		for _, wanted := range m.testForms(of, test) {
			i, ok := wanted.Underlying().(*types.Interface)
			if !ok || !types.Implements(form, i) && !types.Implements(types.NewPointer(form), i) {
				continue
			}
			m.note(t, of, form, i)
			return
		}
	}
}

// testForms returns the forms of a type as the test of a package sees it.
func (m *implementFinder) testForms(d declaredType, test string) []types.Type {
	if test == "" || d.unit.ForTest != "" {
		return d.forms
	}
	// Types of two compilations of a package are never identical, so both must be taken from the same one.
	u := m.units[d.unit.path()+" ["+test+".test]"]
	if u == nil || u.pkg == nil {
		return d.forms
	}
	if o, ok := u.pkg.Scope().Lookup(d.named.Obj().Name()).(*types.TypeName); ok {
		if n, ok := o.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
			return []types.Type{n}
		}
	}
	return d.forms
}

// note notes that a type implements an interface, and which of its methods a call of those of the interface may run.
func (m *implementFinder) note(t, of declaredType, form types.Type, i *types.Interface) {
	from, ok := m.targetOf(t.named.Obj())
	to, ok2 := m.targetOf(of.named.Obj())
	if !ok || !ok2 || from.Path == "" {
		return
	}
	m.pairs = append(m.pairs, targetPair{from, to})
	for n := range i.NumMethods() {
		method, ok := m.targetOf(i.Method(n))
		if !ok || method.Path == "" && !m.called[method] {
			continue
		}
		object, _, _ := types.LookupFieldOrMethod(form, true, i.Method(n).Pkg(), i.Method(n).Name())
		if f, ok := object.(*types.Func); ok {
			if runs, ok := m.targetOf(f); ok && runs.Path != "" && runs != method {
				m.runs = append(m.runs, targetRun{to, method, runs})
			}
		}
	}
}
