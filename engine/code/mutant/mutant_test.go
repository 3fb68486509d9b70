package mutant

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// everyLine are the lines of a small file.
var everyLine = []Range{{1, 1000}}

// render lists the mutants of all lines of a file that parse: line, kind, and what is replaced by what.
func render(t *testing.T, name, src string) string {
	t.Helper()
	f, err := Parse(context.Background(), name, []byte(src))
	assert.NoError(t, err, "%s", name)
	var b strings.Builder
	for _, m := range f.Mutants(everyLine) {
		out, err := f.Apply(context.Background(), m)
		assert.NoError(t, err, "%s", name)
		if out != nil {
			assert.NotEqual(t, src, string(out), "%s: %v", name, m)
			fmt.Fprintf(&b, "%d %s: %q -> %q\n", m.Line, m.Kind, src[m.Start:m.End], m.Replacement)
		}
	}
	return b.String()
}

// sources are small files of each language, with a line that logs, and a function that returns nothing.
var sources = map[string]string{
	"a.go": "package a\n\nimport \"fmt\"\n\n// F is 1.\nfunc f(x, y int, s string) (int, error) {\n\tif x < 3 && ok {\n\t\tg(x, y)\n\t\tlog.Print(1)\n\t}\n\tv, err := h(s, x)\n\tif err != nil {\n" +
		"\t\treturn 0, fmt.Errorf(\"no %w\", err)\n\t}\n\tv += 2\n\treturn x + v, nil\n}\n\nfunc (t *T) g(a [3]int) {\n\tt.n++\n\tswitch t.n {\n\tcase 4:\n\t\tt.s = \"four\" + t.s\n\t}\n}\n",
	"a.swift": "import A\nfunc f(x: Int, y: Int) throws -> Int {\n  if !(x < 3) && ok {\n    g(x, y)\n    log.info(\"a\")\n  }\n  do { try h() } catch { return 0 }\n  while x == 2 { }\n  return x + 1\n}\n" +
		"func q() {\n  let s = a ? \"b\" : true\n  guard x > 1 else { return nil }\n}\n",
	"a.ts":   "import { a } from 'b';\nfunction f(x: number, y: number): number {\n  if (!x && x < 3) {\n    g(x, y);\n    console.log('a', 1);\n  }\n  try { h() } catch (e) { return 0 }\n  while (x === 2) {}\n  throw new Error('no');\n  return x + 1;\n}\nconst q = (a) => a ? 'b' : true;\n",
	"a.tsx":  "const A = (p: P) => <div id=\"a\">{p.n > 1 && b(p)}</div>\n",
	"a.js":   "'use strict'\nfunction f(x, y) {\n  // one\n  i++\n  g(x, y)\n  await h(1)\n  return !x\n}\n",
	"a.py":   "import b\n\n@deco(1)\ndef f(x, y):\n    \"\"\"Is 1.\"\"\"\n    if not x and x < 3:\n        g(x, y)\n    elif a is None:\n        logging.info(1)\n    try:\n        h()\n    except E as e:\n        return 0\n    x += 2\n    k = 'b' if a else True\n    raise ValueError('no')\n    return x + 1.5\n",
	"a.rs":   "use b::c;\n#[derive(A)]\nfn f(x: u8, y: u8) -> u8 {\n  if !x && x < 3 {\n    g(x, y);\n    println!(\"a {}\", 1);\n  }\n  if let Some(z) = q() { z.h(); }\n  return x + 1;\n}\nfn q(a: &mut A) {\n  a.n *= 2\n}\n",
	"A.java": "import b.C;\nclass A {\n  @Foo(1) int f(int x, int y) {\n    if (!x && x < 3) {\n      g(x, y);\n      log.info(\"a\");\n    }\n    try { h(); } catch (E e) { return 0; }\n    throw new E(\"no\");\n    return x + 1;\n  }\n  boolean q() { return a.b(); }\n  void p() { n++; }\n}\n",
	"a.kt":   "import b.C\nfun f(x: Int, y: Int): Int {\n  if (!x && x < 3) {\n    g(x, y)\n    println(\"a\")\n  }\n  try { h() } catch (e: E) { return 0 }\n  throw E(\"no\")\n  return x + 1\n}\nfun q() {\n  n = true\n}\n",
	"a.c":    "#include \"b.h\"\nint f(int x, int y) {\n  if (!x && x < 3) {\n    g(x, y);\n    printf(\"a\");\n  }\n  while (x == 2) {}\n  return x + 1;\n}\nvoid q(void) { n--; }\nchar *p(void) { return s; }\n",
	"a.cpp":  "#include <b>\nint f(int x, int y) {\n  try { h(); } catch (E e) { return 0; }\n  for (int i = 0; i < 3; i++) { g(x, y); }\n  if (x > 1) {}\n  std::cout << 2;\n  return x + 1;\n}\n",
	"A.cs":   "using B;\nclass A {\n  [Foo(1)] int F(int x, int y) {\n    if (!x && x < 3) {\n      g(x, y);\n      Console.WriteLine(\"a\");\n    }\n    try { h(); } catch (E e) { return 0; }\n    return x + 1;\n  }\n  string Q() { return B.C(); }\n}\n",
	"a.rb":   "require 'b'\ndef f(x, y)\n  if !x && x < 3\n    g(x, y)\n    puts \"a\"\n  end\n  g x if k\n  begin\n    h(1)\n  rescue E => e\n    return 0\n  end\n  raise 'no'\n  return x + 1\nend\n",
	"a.php":  "<?php\nuse B;\nfunction f($x, $y) {\n  if (!$x && $x < 3) {\n    g($x, $y);\n    error_log('a');\n  }\n  try { $a->h(); } catch (E $e) { return 0; }\n  while ($x === 2) {}\n  return $x . 'a';\n}\n",
	"a.sh":   "source b.sh\nf() {\n  if ! x && [ \"$a\" -lt 3 ]; then\n    g \"$1\"\n    return 1\n  fi\n  echo hi\n  a=1\n}\n",
}

func TestMutants_golden(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(&all, "== %s\n%s", name, render(t, name, sources[name]))
	}
	const golden = "testdata/mutants.golden"
	if os.Getenv("UPDATE") != "" {
		assert.NoError(t, os.WriteFile(golden, []byte(all.String()), 0o644))
		return
	}
	want, err := os.ReadFile(golden)
	assert.NoError(t, err)
	assert.Equal(t, string(want), all.String(), "the mutants differ from %s", golden)
}

// Lines that log, import, comment or annotate, and messages of errors, have no mutants.
func TestMutants_uninteresting(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"go: import and comment": "package a\n\nimport \"b\"\n\n// One is 1.\n",
		"go: log":                "package a\n\nfunc init() {\n\tslog.Info(\"a\", 1)\n}\n",
		"go: tag":                "package a\n\ntype T struct {\n\tA [3]int `json:\"a\"`\n}\n",
		"py: docstring":          "\"\"\"Is 1.\"\"\"\nimport a\n",
		"py: message":            "raise E('no')\n",
		"js: require":            "const a = require('b')\n",
		"ts: type":               "type A = 'a' | 1\n",
		"java: annotation":       "@Foo(1) interface A {}\n",
		"rb: puts":               "puts 1\n",
		"sh: echo":               "echo 1\n",
		"sh: errors":             "f() {\n  echo 1 >&2\n}\n",
		"rs: tests":              "#[cfg(test)]\nmod tests {\n    #[test]\n    fn f() {\n        g(1);\n    }\n}\n#[tokio::test]\nasync fn h() {\n    g(2);\n}\n",
		"rs: comment":            "#[test]\n// Is 1.\n/* or 2 */\nfn f() {\n    g(1);\n}\n",
		"rs: rstest":             "#[rstest]\n#[case(1)]\nfn f(a: u8) {\n    g(1);\n}\n",
		"rs: test case":          "#[test_case(1, 2 ; \"a\")]\nfn f(a: u8, b: u8) {\n    g(1);\n}\n",
		"rs: quickcheck":         "#[quickcheck]\nfn f(a: u8) {\n    g(1);\n}\n",
		"rs: all":                "#[cfg(all(test, unix))]\nmod a {\n    fn f() {\n        g(1);\n    }\n}\n#[cfg(all(unix, test))]\nfn h() {\n    g(2);\n}\n",
	} {
		ending, _, _ := strings.Cut(name, ":")
		f, err := Parse(t.Context(), "a."+ending, []byte(src))
		assert.NoError(t, err, "%s", name)
		got := slices.DeleteFunc(f.Mutants(everyLine), func(m Mutant) bool { return m.Kind == EmptyBody && ending != "rs" })
		assert.Equal(t, 0, len(got), "%s has %v", name, got)
	}
}

// TestIsTest has attributes of Rust with the word test whose functions are in the program.
func TestIsTest(t *testing.T) {
	t.Parallel()
	for attribute, want := range map[string]bool{
		"#[test]": true, "#[tokio::test(flavor = \"a\")]": true, "#[cfg(test)]": true, "#[cfg(all(test, unix))]": true,
		"#[cfg(not(test))]": false, "#[cfg(all(not(test), unix))]": false, "#[cfg(any(test, unix))]": false, "#[cfg_attr(test, inline)]": false, "#[inline]": false,
	} {
		f, err := Parse(t.Context(), "a.rs", []byte(attribute+"\n// Is 1.\nfn f() {\n    g(1);\n}\n"))
		assert.NoError(t, err, "%s", attribute)
		for line := 1; line <= 5; line++ {
			assert.Equal(t, want, f.IsTest(line), "line %d of a function with %s", line, attribute)
		}
		assert.Equal(t, want, len(f.Mutants(everyLine)) == 0, "a function with %s has %v", attribute, f.Mutants(everyLine))
	}
}

func TestMutants_lines(t *testing.T) {
	t.Parallel()
	src := "def f(a, b):\n    return a < 1 and b > 2 and a == 3 and b != 4\n\ndef g(c):\n    return c < 5\n"
	f, err := Parse(t.Context(), "a.py", []byte(src))
	assert.NoError(t, err)
	assert.Equal(t, maxPerLine, len(f.Mutants([]Range{{2, 2}})), "of a line with many places")
	for _, m := range f.Mutants([]Range{{4, 5}}) {
		assert.True(t, m.Line >= 4, "%v is in a line that was not asked for", m)
	}
	assert.Equal(t, f.Mutants(everyLine), f.Mutants(everyLine))
	assert.Equal(t, 0, len(f.Mutants(nil)))
}

func TestParse_fails(t *testing.T) {
	t.Parallel()
	_, err := Parse(t.Context(), "a.sql", []byte("select 1"))
	assert.IsError(t, err, ErrUnknownLanguage)
	_, err = Parse(t.Context(), "a.go", []byte("package"))
	assert.Error(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Parse(ended, "a.py", []byte("a = 1"))
	assert.IsError(t, err, context.Canceled)
}

func FuzzParse(f *testing.F) {
	for name, src := range sources {
		f.Add(name, src)
	}
	f.Fuzz(func(t *testing.T, name, src string) {
		file, err := Parse(t.Context(), name, []byte(src))
		if err != nil {
			return
		}
		for _, m := range file.Mutants(everyLine) {
			assert.True(t, m.Start >= 0 && m.Start <= m.End, "%v begins after its end", m)
			assert.True(t, m.End <= len(src), "%v ends after the %d bytes of the file", m, len(src))
			assert.True(t, m.Line >= 1, "%v has no line", m)
		}
	})
}
