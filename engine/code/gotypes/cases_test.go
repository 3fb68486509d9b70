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

func cases() map[string]loaded {
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
		"a test, and a package of tests": {archive: `
-- go.mod --
module m

go 1.26
-- a/a.go --
package a

import "m/b"

type T struct{}

func (T) Name() string { return b.Name() }
-- a/a_test.go --
package a

func helper(t T) string { return t.Name() }

var Exported = helper
-- a/x_test.go --
package a_test

import (
	"testing"

	"m/a"
	"m/c"
)

func TestName(t *testing.T) {
	_ = a.Exported(c.Of())
	fake{}.Name()
}

type fake struct{}

func (fake) Name() string { return "" }

type namer interface{ Name() string }

func call(n namer) { n.Name() }
-- b/b.go --
package b

func Name() string { return "" }
-- c/c.go --
package c

import "m/a"

func Of() a.T { return a.T{} }
`, links: []string{
			"a/a.go T inherits a/x_test.go namer",
			"a/a.go T.Name calls b/b.go Name",
			"a/a.go a/a.go imports b/b.go b/b.go",
			"a/a_test.go Exported references a/a_test.go helper",
			"a/a_test.go helper calls a/a.go T.Name",
			"a/a_test.go helper references a/a.go T",
			"a/x_test.go TestName calls a/a_test.go Exported",
			"a/x_test.go TestName calls a/x_test.go fake",
			"a/x_test.go TestName calls a/x_test.go fake.Name",
			"a/x_test.go TestName calls c/c.go Of",
			"a/x_test.go a/x_test.go imports a/a.go a/a.go",
			"a/x_test.go a/x_test.go imports c/c.go c/c.go",
			"a/x_test.go call calls a/a.go T.Name 0.45",
			"a/x_test.go call calls a/x_test.go fake.Name 0.45",
			"a/x_test.go call references a/x_test.go namer",
			"a/x_test.go fake inherits a/x_test.go namer",
			"c/c.go Of references a/a.go T",
			"c/c.go c/c.go imports a/a.go a/a.go",
		}},
		"a broken package beside a good one": {archive: `
-- go.mod --
module m

go 1.26
-- good/good.go --
package good

type A struct{}

func (A) Close() {}

type B struct{}

func (B) Close() {}

func run() { A{}.Close() }
-- bad/bad.go --
package bad

import (
	"example.com/missing"
	"m/good"
)

func known() { good.A{}.Close() }

func unknown() { missing.New().Close() }

func wrong() { var n int = "text"; undefined(n); known() }

func undefined() {}
-- worse/worse.go --
package worse

func fine() { other() }

func other() {}

func cut( {
`, links: []string{
			"bad/bad.go bad/bad.go imports good/good.go good/good.go",
			"bad/bad.go known calls good/good.go A",
			"bad/bad.go known calls good/good.go A.Close",
			"bad/bad.go unknown calls good/good.go A.Close 0.30",
			"bad/bad.go unknown calls good/good.go B.Close 0.30",
			"bad/bad.go wrong calls bad/bad.go known",
			"bad/bad.go wrong calls bad/bad.go undefined",
			"good/good.go run calls good/good.go A",
			"good/good.go run calls good/good.go A.Close",
			"worse/worse.go fine calls worse/worse.go other",
		}, notices: []string{"example.com/missing"}},
		"build constraints and cgo": {archive: `
-- go.mod --
module m

go 1.26
-- a.go --
package m

func start() { system(); native() }

func native() {}
-- a_windows.go --
package m

func system() { onlyWindows() }

func onlyWindows() {}
-- a_other.go --
//go:build !windows

package m

func system() { otherwise() }

func otherwise() {}
-- c.go --
package m

import "C"

func viaC() { native() }
`, links: []string{
			"a.go start calls a.go native",
			"a.go start calls a_other.go system",
			"a_other.go system calls a_other.go otherwise",
			"a_windows.go system calls a_windows.go onlyWindows 1.00",
			"c.go viaC calls a.go native 0.95",
		}},
		"a vendored dependency": {archive: `
-- go.mod --
module m

go 1.26

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.26
example.com/dep
-- vendor/example.com/dep/ignored.go --
package dep

type Conn struct{}

func (Conn) Close() {}

func Dial() Conn { return Conn{} }
-- a.go --
package m

import "example.com/dep"

type File struct{}

func (File) Close() {}

func run() { dep.Dial().Close() }

func wrap(c struct{ dep.Conn }) { c.Close() }
`},
		"a workspace, and a module beside it": {archive: `
-- go.work --
go 1.26

use (
	./one
	./two
)
-- one/go.mod --
module example.com/one

go 1.26
-- one/one.go --
package one

import "example.com/two"

func run() { two.Serve(); Serve() }

func Serve() {}
-- two/go.mod --
module example.com/two

go 1.26
-- two/two.go --
package two

func Serve() {}
-- three/go.mod --
module example.com/three

go 1.26
-- three/main.go --
package main

func main() { Serve() }

func Serve() {}
-- testdata/go.mod --
module broken (
`, links: []string{
			"one/one.go one/one.go imports two/two.go two/two.go",
			"one/one.go run calls one/one.go Serve",
			"one/one.go run calls two/two.go Serve",
			"three/main.go main calls three/main.go Serve",
		}},
	}
}
