package grammars

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// dump lists a tree, a line for each node.
func dump(t *Tree, text string) string {
	var b strings.Builder
	var ends []int32
	for i, n := range t.Nodes {
		for len(ends) > 0 && int32(i) >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
		}
		name := t.Kind(i)
		if !n.Named {
			name = fmt.Sprintf("%q", name)
		}
		field := ""
		if n.Field != 0 {
			field = t.Fields[n.Field] + ": "
		}
		leaf := ""
		if int(n.Next) == i+1 {
			leaf = fmt.Sprintf(" %q", text[n.Start:n.End])
		}
		fmt.Fprintf(&b, "%s%s%s%s\n", strings.Repeat("  ", len(ends)), field, name, leaf)
		ends = append(ends, n.Next)
	}
	return b.String()
}

// texts are small files without faults.
func texts() [count]string {
	return [count]string{
		Swift:      "class A: B {\n  func f(x: Int) -> Int { return g(x) }\n}\n",
		TypeScript: "export class A<T> implements B { f(x: number): string { return g(x) } }\n",
		TSX:        "const A = () => <div>{f()}</div>\n",
		JavaScript: "export class A extends B { f(x) { return g(x) } }\n",
		Python:     "class A(B):\n    def f(self, x):\n        return g(x)\n",
		Rust:       "impl A for B { fn f(&self) -> u8 { g(1) } }\n",
		Java:       "class A extends B { int f(int x) { return g(x); } }\n",
		Kotlin:     "class A : B() {\n  fun f(x: Int): Int = g(x)\n}\n",
		C:          "struct a { int b; };\nint f(int x) { return g(x); }\n",
		CPP:        "namespace n { template <class T> class A : public B { int f(int x) { return g(x); } }; }\n",
		CSharp:     "namespace N { class A : B { int F(int x) { return G(x); } } }\n",
		Ruby:       "class A < B\n  def f(x)\n    g(x)\n  end\nend\n",
		PHP:        "<?php\nclass A extends B { function f($x) { return g($x); } }\n",
		Bash:       "f() {\n  g \"$1\"\n}\n",
	}
}

func TestParse_everyLanguage(t *testing.T) {
	t.Parallel()
	texts := texts()
	for _, l := range Languages() {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			tree, err := Parse(context.Background(), l, []byte(texts[l]))
			if err != nil {
				t.Fatal(err)
			}
			got := dump(tree, texts[l])
			if strings.Contains(got, "ERROR") || !strings.Contains(strings.ToLower(got), `"g"`) && l != TSX {
				t.Errorf("the tree has an error, or no call:\n%s", got)
			}
			t.Log(got)
		})
	}
}

// TestParse_leftovers: what an earlier parse has left in the memory changes nothing. The scanner of Swift had its state in
// memory that it had not asked for: where that was not zero, it knew no raw strings, and read a file with faults again and
// again to its end.
func TestParse_leftovers(t *testing.T) {
	t.Parallel()
	texts := texts()
	texts[Swift] += "let a = #\"b\"#\n"
	for l, text := range texts {
		in, err := newInstance(Language(l))
		if err != nil {
			t.Fatal(err)
		}
		first, err := in.parse(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, rest := range []byte{1, 0x7f, 0xff} {
			memory := *in.module.Slice()
			for i := int(in.module.Xprepare(0)); i < len(memory); i++ {
				memory[i] = rest
			}
			again, err := in.parse(t.Context(), []byte(text))
			if err != nil || !slices.Equal(again.Nodes, first.Nodes) {
				t.Errorf("%s: after a memory of bytes %x the tree is another: %v", Language(l), rest, err)
			}
		}
	}
}
