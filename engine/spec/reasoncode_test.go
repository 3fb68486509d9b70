package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// The list contains every constant of the type once.
func TestReasonCodes(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "reasoncode.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []ReasonCode
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, ReasonCode(text))
		}
		return true
	})
	if got := ReasonCodes(); !slices.Equal(got, want) || len(got) < 20 {
		t.Errorf("listed are %q, declared are %q", got, want)
	}
	seen := map[ReasonCode]bool{}
	for _, code := range want {
		if seen[code] {
			t.Errorf("%q is declared twice", code)
		}
		seen[code] = true
	}
}

// A driver whose own criteria failed is recognised by the code and not by the text of its reason.
func TestDriverNext_reason(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]string{
		"reason_code: driver-open":                                        `chant add --group d "Fix what does not hold"`,
		"reason: its members are done, but 1 of 2 criteria does not hold": "chant finalize d",
		"reason_code: stopped\nreason: its members are done, but":         "chant finalize d",
	} {
		s := read(t, "d", "type: driver\nstatus: needs_attention\nverification_status: failed\n"+front, "# D\n")
		if got := s.DriverNext().String(); got != want {
			t.Errorf("%s: %s, want %s", front, got, want)
		}
	}
}
