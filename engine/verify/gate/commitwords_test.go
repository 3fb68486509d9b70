package gate

import (
	"chant/engine/store/message"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCommitWords_known: chant's own hook would accept the words in all commits that chant makes.
func TestCommitWords_known(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, word := range wordsIn(n) {
				if found++; !message.KnownWord(word) {
					t.Errorf("%s makes commits that say %q, which message.KnownWord does not know", path, word)
				}
			}
			return true
		})
		return nil
	})
	assert.NoError(t, err)
	assert.True(t, found >= 10, "%d words found, %v", found, err)
}

// wordsIn returns the word in a literal of a store.Change or a message, or in a call of message.
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
