package gotypes_test

// packagesCases are about packages, modules and what belongs to them.
func packagesCases() map[string]loaded {
	return map[string]loaded{
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
