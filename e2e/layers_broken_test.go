package e2e

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestLayers_insideBroken breaks each rule in a small package, and sees that only the rule that is broken is reported.
func TestLayers_insideBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		dir   string
		files map[string]string
		want  string // "" when no rule is broken
	}{
		"60 methods":           {"x", map[string]string{"a.go": typeWith("T", 60)}, ""},
		"61 methods":           {"x", map[string]string{"a.go": typeWith("T", 61)}, "type T has 61 methods (at most 60)"},
		"61 in two files":      {"x", map[string]string{"a.go": typeWith("T", 60), "b.go": "package x\nfunc (*T) More() {}\n"}, "type T has 61 methods (at most 60)"},
		"61 of a generic type": {"x", map[string]string{"a.go": strings.ReplaceAll(typeWith("T[K]", 61), "type T[K]", "type T[K any]")}, "type T has 61 methods (at most 60)"},
		"61 under two names":   {"x", map[string]string{"a.go": typeWith("T", 60), "b.go": "package x\ntype U = T\nfunc (*U) More() {}\n"}, "type T has 61 methods (at most 60)"},
		"60 and 60":            {"x", map[string]string{"a.go": typeWith("T", 60), "b.go": typeWith("U", 60)}, ""},

		"10 files in a circle":           {"x", circle(10, "func f%d() { f%d() }"), ""},
		"11 files in a circle":           {"x", circle(11, "func f%d() { f%d() }"), "11 files call each other in a circle (at most 10): f00.go f01.go f02.go f03.go f04.go f05.go f06.go f07.go f08.go f09.go f10.go"},
		"11 methods in a circle":         {"x", with(circle(11, "func (t *T) f%d() { t.f%d() }"), map[string]string{"t.go": "package x\ntype T struct{}\n"}), "11 files call each other in a circle"},
		"11 in a circle over embedding":  {"x", with(circle(11, "func (u U) f%d() { u.f%d() }"), map[string]string{"t.go": "package x\ntype U struct{ V }\ntype V struct{}\n"}), "11 files call each other in a circle"},
		"11 functions handed on":         {"x", circle(11, "func f%d() func() { return func() { var g = f%d; g() } }"), "11 files call each other in a circle"},
		"11 in a chain":                  {"x", with(circle(11, "func f%d() { f%d() }"), map[string]string{"f00.go": "package x\nfunc f0() {}\n"}), ""},
		"11 in a circle of types":        {"x", circle(11, "type f%d struct { next *f%d }"), ""},
		"two circles of 6":               {"x", with(circle(6, "func f%d() { f%d() }"), circle(6, "func g%d() { g%d() }")), ""},
		"11 in a circle, foreign values": {"x", circle(11, "func f%d(ctx context.Context) { v := context.Value(ctx); _ = v.Of(1); f%d(ctx) }"), "11 files call each other in a circle"},

		"3500 lines":              {"x", map[string]string{"a.go": "package x\n" + strings.Repeat("\n", 3499)}, ""},
		"3601 lines":              {"x", map[string]string{"a.go": "package x\n" + strings.Repeat("\n", 3600)}, "3601 lines in one package, without tests (at most 3600)"},
		"3601 lines in two files": {"x", map[string]string{"a.go": "package x\n" + strings.Repeat("// c\n", 1999), "b.go": "package x\n" + strings.Repeat("// c\n", 1600)}, "3601 lines in one package"},
	} {
		got := checked(t, c.dir, c.files).brokenRules()
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: %q, want nothing", name, got)
		case c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)):
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// checked is a package made of texts.
func checked(t *testing.T, dir string, files map[string]string) *insidePackage {
	t.Helper()
	p := &insidePackage{dir: dir, fset: token.NewFileSet()}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		src := files[name]
		if strings.Contains(src, "context.") {
			src = strings.Replace(src, "package x\n", "package x\nimport \"context\"\n", 1)
		}
		f, err := parser.ParseFile(p.fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, f)
	}
	p.check(newModule("chant", root), p.files)
	return p
}

// typeWith is a file with a type and its methods.
func typeWith(name string, methods int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "package x\ntype %s struct{}\n", name)
	for i := range methods {
		fmt.Fprintf(&out, "func (*%s) M%d() {}\n", name, i)
	}
	return out.String()
}

// circle is n files, each with a declaration that names its own number and the next one.
func circle(n int, declaration string) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprintf("%c%02d.go", declaration[strings.Index(declaration, "%")-1], i)] = "package x\n" + fmt.Sprintf(declaration, i, (i+1)%n) + "\n"
	}
	return out
}

// with adds files to others, in place of those of the same name.
func with(files, more map[string]string) map[string]string {
	maps.Copy(files, more)
	return files
}
