package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestInsideRules_complete finds acts without a rule and rules without an act, by the calls that name them.
func TestInsideRules_complete(t *testing.T) {
	t.Parallel()
	named := map[string]bool{
		string(spec.Reset): true, string(spec.Cancel): true, // dropAnd
		"reject":  true, // ruling.word
		"comment": true, // resolveAll
	}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, isCall := n.(*ast.CallExpr); isCall && asksRules(call.Fun) {
					named[firstText(call.Args)] = true
				}
				return true
			})
		}
		return err
	})
	assert.NoError(t, err)
	delete(named, "") // acts that are variables
	assert.True(t, len(named) >= 15, "only %d acts are found: %v", len(named), named)
	rules := insideRules()
	for act := range named {
		_, known := rules[act]
		assert.True(t, known, "%q has no rule", act)
	}
	for act := range rules {
		assert.True(t, named[act], "nothing asks for the rule of %q", act)
	}
}

// asksRules reports whether a function has the name of an act as an argument.
func asksRules(fun ast.Expr) bool {
	name := ""
	switch f := fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	return slices.ContainsFunc([]string{"mayInside", "appliesToOwnCopy", "withHold"}, func(each string) bool { return strings.EqualFold(each, name) })
}

// firstText is the first argument that is a string constant, "" without one.
func firstText(args []ast.Expr) string {
	for _, arg := range args {
		if text, isText := arg.(*ast.BasicLit); isText && text.Kind == token.STRING {
			word, _ := strconv.Unquote(text.Value)
			return word
		}
	}
	return ""
}

// TestInsideRules_decisions lists what only a person decides, so that a change of the table is a change of this list.
func TestInsideRules_decisions(t *testing.T) {
	t.Parallel()
	want := strings.Fields("adopt answer approve archive attest board cancel check command complete deinit derive edit finalize flag fleet hooks import key loosen merge open pause plan prove queue reject report reset review serve site split sprint status takeover task undo update verify waive watch work")
	count := 0
	for act, rule := range insideRules() {
		if rule.other == asPerson {
			count++
		}
		assert.NotEqual(t, allowed, rule.own, "%q changes the run's own spec", act)
		assert.NotEqual(t, asPerson, rule.own, "%q changes the run's own spec", act)
	}
	for _, act := range want {
		assert.Equal(t, asPerson, insideRules()[act].other, "an agent may %q other specs", act)
	}
	assert.Equal(t, len(want), count)
}

// TestInsideRules_guide compares the table in the manual with the rules. Acts that no row names are under "all else".
func TestInsideRules_guide(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../cmd/guide/trust.md")
	assert.NoError(t, err)
	_, table, found := strings.Cut(string(src), "| inside a run | its own spec | other specs and the project |\n|---|---|---|\n")
	table, _, ended := strings.Cut(table, "\n\n")
	assert.True(t, found, "the manual has no table of what an agent may do")
	assert.True(t, ended, "the manual has no table of what an agent may do")
	own := map[string]permission{"yes": allowed, "in the run's copy": inCopy, "no": refused}
	other := map[string]permission{"yes": allowed, "yes, without a record": allowed, "no": asPerson}
	rules, named, elseRows := insideRules(), map[string]bool{}, 0
	// The tests of a row are named in comments.
	table = regexp.MustCompile(` <!--.*?-->`).ReplaceAllString(table, "")
	for row := range strings.Lines(table) {
		cols := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		assert.Equal(t, 3, len(cols), "row %q", row)
		mine, known := own[strings.TrimSpace(cols[1])]
		others, knownToo := other[strings.TrimSpace(cols[2])]
		assert.True(t, known, "row %q has an unknown word", row)
		assert.True(t, knownToo, "row %q has an unknown word", row)
		want := insideRule{mine, others}
		acts := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cols[0], -1)
		for _, act := range acts {
			rule, known := rules[act[1]]
			assert.True(t, known, "the manual has %q as %+v, the rule is %+v (known: %v)", act[1], want, rule, known)
			assert.Equal(t, want, rule, "the manual has %q", act[1])
			named[act[1]] = true
		}
		switch first := strings.TrimSpace(cols[0]); {
		case strings.HasPrefix(first, "all else: "):
			elseRows++
			for act, rule := range rules {
				assert.False(t, !named[act] && rule != want, "the manual does not name %q, which is %+v", act, rule)
			}
		case len(acts) == 0:
			for _, act := range strings.Split(first, ", ") {
				_, ruled := rules[act]
				assert.False(t, ruled, "the manual has %q as free, but there is a rule", act)
			}
		}
	}
	assert.Equal(t, 1, elseRows)
	assert.True(t, len(named) >= 15, "%d rows for all else, %d acts are named", elseRows, len(named))
}
