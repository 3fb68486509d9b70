package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/code/shelf"

	"github.com/alecthomas/assert/v2"
)

const mostQuestions = 2000

// library returns the functions of Go's own library and tools without their comments, and the first sentences of these
// as questions. A function that is asked for is not learned from.
func library(tb testing.TB) *corpus {
	tb.Helper()
	c := &corpus{docs: readLibrary(tb)}
	texts, times := make([]string, len(c.docs)), map[string]int{}
	for i := range c.docs {
		texts[i] = textOf(&c.docs[i])
		times[texts[i]]++
	}
	var candidates []int
	for i, text := range texts {
		if times[text] == 1 && len(strings.Fields(text)) >= 5 {
			candidates = append(candidates, i)
		}
	}
	asked := map[int]bool{}
	for n := range min(mostQuestions, len(candidates)) {
		i := candidates[n*len(candidates)/mostQuestions]
		asked[i] = true
		c.questions = append(c.questions, question{texts[i], map[string]bool{keyOf(i): true}})
	}
	for i := range c.docs {
		if pair, ok := shelf.Pair(c.docs[i].chunk, c.docs[i].texts()); ok && !asked[i] {
			c.pairs = append(c.pairs, pair)
		}
		c.docs[i] = c.docs[i].withoutDoc()
	}
	return c
}

func goroot(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		tb.Skip("no go command")
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// readLibrary returns all functions except those of tests and of copies of other modules.
func readLibrary(tb testing.TB) []document {
	tb.Helper()
	root := goroot(tb)
	var list []document
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "vendor") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, d := range divide(filepath.ToSlash(file), src) {
			if d.chunk.Kind.IsCallable() {
				list = append(list, d)
			}
		}
		return nil
	})
	assert.NoError(tb, err)
	return list
}
