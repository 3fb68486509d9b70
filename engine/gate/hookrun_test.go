package gate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/spec"
)

// TestWords_everyCommitSaysAKnownOne finds commits of chant that its own hook would
// refuse.
func TestWords_everyCommitSaysAKnownOne(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, word := range wordsIn(n) {
				if found++; !spec.KnownWord(word) {
					t.Errorf("%s makes commits that say %q, which spec.KnownWord does not know", path, word)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found < 10 {
		t.Errorf("%d words found, %v", found, err)
	}
}

// wordsIn are the words that a literal of a change or a message, or a call of message,
// says.
func wordsIn(n ast.Node) []string {
	var at ast.Expr
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Word" || key.Name == "Event") {
			at = n.Value
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "message" && len(n.Args) > 0 {
			at = n.Args[0]
		}
	}
	text, ok := at.(*ast.BasicLit)
	if !ok {
		return nil
	}
	word, err := strconv.Unquote(text.Value)
	if err != nil || word == "" {
		return nil
	}
	return []string{word}
}

func TestWithoutComments(t *testing.T) {
	t.Parallel()
	text := "\r\n# a comment\r\nchant(a): x\r\n\r\nChant-Spec: a\r\n# ------------------------ >8 ------------------------\r\nchant(b): diff\r\n"
	if got := withoutComments(text); got != "chant(a): x\n\nChant-Spec: a\n" {
		t.Errorf("%q", got)
	}
}

// TestPushedSince finds what of a push is news to a remote.
func TestPushedSince(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	zero := strings.Repeat("0", 40)
	commit := func(branch, from string) string {
		enginetest.Git(t, dir, "checkout", "-q", "-B", branch, from)
		enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", branch)
		return strings.TrimSpace(enginetest.Git(t, dir, "rev-parse", "HEAD"))
	}
	one := commit("one", "main")
	enginetest.Git(t, dir, "update-ref", "refs/remotes/origin/one", one)
	two := commit("two", "one")
	root := strings.TrimSpace(enginetest.Git(t, dir, "rev-list", "--max-parents=0", "HEAD"))
	enginetest.Git(t, dir, "checkout", "-q", "--orphan", "alone")
	enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "alone")
	alone := strings.TrimSpace(enginetest.Git(t, dir, "rev-parse", "HEAD"))
	main := strings.TrimSpace(enginetest.Git(t, dir, "rev-parse", "main"))
	for name, c := range map[string]struct{ remote, local, there, want string }{
		"what the ref is at":     {"origin", two, root, root},
		"a ref that was rebased": {"origin", two, one, one},
		"a new ref":              {"origin", two, zero, one},
		"no remote":              {"elsewhere", two, zero, main},
		"an address":             {"https://example.com/x.git", two, zero, main},
		"unknown there":          {"origin", two, strings.Repeat("1", 40), one},
		"nothing in common":      {"origin", alone, zero, alone},
	} {
		got, _, err := pushedSince(t.Context(), p, c.remote, c.local, c.there)
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, c.want)
		}
	}
}
