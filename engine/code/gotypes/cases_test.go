package gotypes_test

// loaded is a worktree, with all links of its graph and what the notices contain.
type loaded struct {
	archive string
	links   []string
	notices []string
}

const ambiguous = `
-- go.mod --
module m

go 1.26
-- a.go --
package m

type File struct{}

func (f *File) Close() error { return nil }

type Conn struct{}

func (c Conn) Close() error { return nil }

func closeFile() { open().Close() }

func open() *File { return &File{} }

func closeConn(list []Conn) {
	for _, c := range list {
		defer func() { _ = c.Close() }()
	}
}
`

// namesCases are about what names mean.
func namesCases() map[string]loaded {
	return map[string]loaded{
		"two types with a method of the same name": {archive: ambiguous, links: []string{
			"a.go closeConn calls a.go Conn.Close",
			"a.go closeConn references a.go Conn",
			"a.go closeFile calls a.go File.Close",
			"a.go closeFile calls a.go open",
			"a.go open references a.go File",
		}},
		"an interface": {archive: `
-- go.mod --
module m

go 1.26
-- a.go --
package m

type Closer interface{ Close() error }

type Store interface {
	Closer
	Get(key string) string
}

type Memory struct{}

func (*Memory) Close() error { return nil }

func (*Memory) Get(key string) string { return key }

type Half struct{}

func (Half) Close() error { return nil }

// Wrong has methods of the names, but others.
type Wrong struct{}

func (Wrong) Close() {}

func (Wrong) Get(key int) string { return "" }

type Wrapped struct{ *Memory }

func read(s Store) string {
	defer s.Close()
	return s.Get("a")
}
`, links: []string{
			"a.go Half inherits a.go Closer",
			"a.go Memory inherits a.go Closer",
			"a.go Memory inherits a.go Store",
			"a.go Store inherits a.go Closer",
			"a.go Wrapped inherits a.go Closer",
			"a.go Wrapped inherits a.go Memory",
			"a.go Wrapped inherits a.go Store",
			"a.go read calls a.go Closer",
			"a.go read calls a.go Memory.Close 0.90",
			"a.go read calls a.go Memory.Get 0.90",
			"a.go read references a.go Store",
		}},
		"generics": {archive: `
-- go.mod --
module m

go 1.26
-- a.go --
package m

type Getter[T any] interface{ Get() T }

type Box[T any] struct{ value T }

func (b *Box[T]) Get() T { return b.value }

func (b *Box[T]) Set(v T) { b.value = v }

type Set struct{}

func (Set) Get() int { return 0 }

func Map[A, B any](list []A, do func(A) B) []B { return nil }

func double(n int) int { return 2 * n }

func use(g Getter[int]) {
	b := &Box[int]{}
	b.Set(g.Get())
	_ = Map([]int{b.Get()}, double)
	_ = Map[int, int](nil, double)
}
`, links: []string{
			"a.go Box inherits a.go Getter",
			"a.go Set inherits a.go Getter",
			"a.go use calls a.go Box",
			"a.go use calls a.go Box.Get",
			"a.go use calls a.go Box.Set",
			"a.go use calls a.go Map",
			"a.go use calls a.go Set.Get 0.45",
			"a.go use references a.go Getter",
			"a.go use references a.go double",
		}},
		"values of methods, closures, init": {archive: `
-- go.mod --
module m

go 1.26
-- a.go --
package m

type T struct{}

func (T) Run()  {}
func (T) Stop() {}

type U struct{}

func (U) Run() {}

func keep(f func()) {}

var hook = func() { T{}.Stop() }

func init() { keep(T{}.Run) }

func expression() { keep(func() { U.Run(U{}) }) }

const limit, other = 1, 2

var _ = limit

func recursive() { recursive() }
`, links: []string{
			"a.go a.go references a.go limit",
			"a.go expression calls a.go U.Run",
			"a.go expression calls a.go keep",
			"a.go expression references a.go U",
			"a.go hook calls a.go T",
			"a.go hook calls a.go T.Stop",
			"a.go init calls a.go T",
			"a.go init calls a.go keep",
			"a.go init references a.go T.Run",
		}},
		"dot import, aliases, local names": {archive: `
-- go.mod --
module m

go 1.26
-- a/a.go --
package a

type Thing struct{}

func New() *Thing { return nil }

func Open() {}
-- b/b.go --
package b

import (
	. "m/a"
	second "m/a"
)

type Local = second.Thing

func use() *Local {
	Open := func() {}
	Open()
	return New()
}
`, links: []string{
			"a/a.go New references a/a.go Thing",
			"b/b.go Local references a/a.go Thing",
			"b/b.go b/b.go imports a/a.go a/a.go",
			"b/b.go use calls a/a.go New",
			"b/b.go use references b/b.go Local",
		}},
	}
}
