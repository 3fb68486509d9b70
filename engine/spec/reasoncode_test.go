package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// The list contains every constant of the type once.
func TestReasonCodes(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "reasoncode.go", nil, 0)
	assert.NoError(t, err)
	var want []ReasonCode
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			assert.NoError(t, err)
			want = append(want, ReasonCode(text))
		}
		return true
	})
	got := ReasonCodes()
	assert.Equal(t, want, got)
	assert.True(t, len(got) >= 20, "listed are %q, declared are %q", got, want)
	seen := map[ReasonCode]bool{}
	for _, code := range want {
		assert.False(t, seen[code], "%q is declared twice", code)
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
		assert.Equal(t, want, s.DriverNext().String(), "%s", front)
	}
}
