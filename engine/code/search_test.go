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
	if got := found("PrintWarehouse"); !strings.HasPrefix(got, "warehouse/warehouse.go: ") {
		t.Fatalf("found %q", got)
	}
	enginetest.Write(t, dir, "warehouse/warehouse.go", "package warehouse\n\nfunc CountPallets() {}\n")
	enginetest.Write(t, dir, "pallet/pallet.go", "package pallet\n\n// CountPallets counts.\nfunc CountPallets() {}\n")
	if got := found("PrintWarehouse"); got != "" {
		t.Errorf("found what is gone: %q", got)
	}
	want := "pallet/pallet.go: // CountPallets counts.\nfunc CountPallets() {}\nwarehouse/warehouse.go: func CountPallets() {}"
	if got := found("CountPallets"); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
	if err := os.Remove(filepath.Join(dir, "pallet", "pallet.go")); err != nil {
		t.Fatal(err)
	}
	if got := found("CountPallets"); got != "warehouse/warehouse.go: func CountPallets() {}" {
		t.Errorf("found %q", got)
	}
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
