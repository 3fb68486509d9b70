package code_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chant/engine/code"
	"chant/engine/enginetest"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestSearch_changed: a server, which begins with what it knows, answers with what the files contain.
func TestSearch_changed(t *testing.T) {
	t.Parallel()
	p, dir := shop(t)
	p.Recall = &store.Cache{}
	t.Cleanup(p.Recall.Close)
	found := func(query string) string {
		t.Helper()
		var list []string
		for _, h := range search(t, p, query).Results {
			if strings.Contains(h.Content, query) {
				list = append(list, h.Path+": "+strings.TrimSpace(h.Content))
			}
		}
		slices.Sort(list)
		return strings.Join(list, "\n")
	}
	assert.HasPrefix(t, found("PrintWarehouse"), "warehouse/warehouse.go: ")
	enginetest.Write(t, dir, "warehouse/warehouse.go", "package warehouse\n\nfunc CountPallets() {}\n")
	enginetest.Write(t, dir, "pallet/pallet.go", "package pallet\n\n// CountPallets counts.\nfunc CountPallets() {}\n")
	assert.Equal(t, "", found("PrintWarehouse"), "found what is gone")
	want := "pallet/pallet.go: // CountPallets counts.\nfunc CountPallets() {}\nwarehouse/warehouse.go: func CountPallets() {}"
	assert.Equal(t, want, found("CountPallets"))
	assert.NoError(t, os.Remove(filepath.Join(dir, "pallet", "pallet.go")))
	assert.Equal(t, "warehouse/warehouse.go: func CountPallets() {}", found("CountPallets"))
}

// TestSearch_tests: what a question is about comes before the table of its test, unless it asks for that.
func TestSearch_tests(t *testing.T) {
	t.Parallel()
	p, dir := shop(t)
	enginetest.Write(t, dir, "glob/glob.go", "package glob\n\n// Match reports whether a path matches a pattern.\nfunc Match(pattern, name string) bool { return pattern == name }\n")
	enginetest.Write(t, dir, "glob/glob_test.go", "package glob\n\n// matchTest is a path against a pattern.\ntype matchTest struct {\n\tpattern, path string\n\tmatch bool\n}\n")
	first := func(query string) string {
		t.Helper()
		return search(t, p, query).Results[0].Path
	}
	assert.Equal(t, "glob/glob.go", first("match a path against a pattern"))
	assert.Equal(t, "glob/glob_test.go", first("test that matches a path against a pattern"))
}

// TestSearch_atOnce: searches at the same time do not share the memory for what they read.
func TestSearch_atOnce(t *testing.T) {
	t.Parallel()
	p, _ := shop(t)
	p.Recall = &store.Cache{}
	t.Cleanup(p.Recall.Close)
	search(t, p, "invoice")
	var all sync.WaitGroup
	for _, subject := range []string{"invoice", "customer", "delivery", "discount", "warehouse"} {
		all.Go(func() {
			for range 20 {
				r, err := code.Search(t.Context(), p, code.SearchInput{Query: "print " + subject})
				if err != nil || len(r.Results) == 0 || !strings.Contains(r.Results[0].Content, `return "`+subject+`"`) {
					t.Errorf("%s: %+v, %v", subject, r.Results, err)
				}
			}
		})
	}
	all.Wait()
}
