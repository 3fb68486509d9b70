package planning

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSimples(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		``:                           ``,
		`go test ./...`:              `go,test,./...`,
		`a 'b c' "d \"e" f\ g`:       `a,b c,d "e,f g`,
		`a && b || c; d | e & f`:     `a && b || c ; d | e & f`,
		`(cd x && a) | b`:            `cd,x && a | b`,
		`! a 2>&1 >/dev/null`:        `!a,2>&1,>/dev/null`,
		`test "$(a | b)" = c`:        `test,$(a | b),=,c`,
		"test `a; b` = c":            "test,`a; b`,=,c",
		`A=1 env B=2 timeout 5s a b`: `a,b`,
		`find . | xargs -0 grep x`:   `find,. | grep,x`,
		`if a; then b; fi`:           `a ; b ; fi`,
		`a # b; c`:                   `a`,
		`a 'b`:                       `a,b`,
		"a $(b":                      `a,$(b`,
	} {
		var got []string
		for _, s := range simples(line) {
			got = append(got, strings.TrimSpace(s.operator+" "+map[bool]string{true: "!"}[s.negated]+strings.Join(s.words, ",")))
		}
		assert.Equal(t, want, strings.TrimPrefix(strings.Join(got, " "), "( "), line)
	}
}

// TestAlwaysFails is about lines that have failed.
func TestAlwaysFails(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"false": true, "exit 1": true, "test 1 = 2": true, "[ -n '' ]": true, "! true": true, "! echo x": true, "a && false": true, "a; exit 1": true,
		"a | false": true, "a && b && exit 3": true, "a; test 1 -eq 2": true, "(a) && false": true, "a && ! true": true, "!": true,
		"a || exit 1": false, "a || false": false, "a && exit 0; exit 1": false, "if a; then exit 0; fi; exit 1": false, "a; exit $code": false,
		"a && echo ok": false, "a && test 1 = 1": false, "test -f a": false, `test "$(a)" = b`: false, "a && { b || exit 1; }": false, "a": false,
		"! grep -q x a": false, "for f in a b; do test -f $f || exit 1; done": false, "a && exit": false, "exit 0": false, "sh -c 'exit 1'": false,
		"a && sleep 1": false, "a && printf x": false,
	} {
		assert.Equal(t, want, alwaysFails(line), line)
	}
}

// FuzzSimples: whatever a line is, it is split.
func FuzzSimples(f *testing.F) {
	for _, seed := range []string{"a && b", `"$(`, "`", `\`, "a 'b", "((", "! !"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		for _, s := range simples(line) {
			if len(s.words) == 0 && !s.negated {
				t.Errorf("an empty command in %q", line)
			}
		}
		_ = fmt.Sprint(alwaysFails(line))
	})
}
