package code_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// shop is a project with code about several subjects.
func shop(t *testing.T) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	files := map[string]string{"guide.md": "# Invoices\n\nAn invoice is printed.\n"}
	for _, subject := range []string{"invoice", "customer", "delivery", "discount", "warehouse"} {
		name := strings.ToUpper(subject[:1]) + subject[1:]
		files[subject+"/"+subject+".go"] = fmt.Sprintf("package %s\n\n// Print%s prints it.\nfunc Print%s() string { return \"%s\" }\n", subject, name, name, subject)
	}
	files["invoice/long.go"] = "package invoice\n\n// SumInvoice adds the lines of an invoice.\nfunc SumInvoice() int {\n" + strings.Repeat("\tprintln(\"a line of an invoice\")\n", 60) + "\treturn 0\n}\n"
	enginetest.Commit(t, dir, files)
	return p, dir
}

func TestQuote(t *testing.T) {
	t.Parallel()
	p, dir := shop(t)
	for name, c := range map[string]struct {
		about  string
		tokens int
		want   []string
		never  []string
	}{
		"all of it":          {"Print and sum an invoice", 4000, []string{"### `invoice/invoice.go`, lines 3 to 4\n\n```go\n// PrintInvoice prints it.\nfunc PrintInvoice()", "func SumInvoice"}, []string{"guide.md", "warehouse"}},
		"what is too long":   {"Print and sum an invoice", 100, []string{"func PrintInvoice"}, []string{"func SumInvoice"}},
		"files without room": {"Sum an invoice", 120, []string{"- `invoice/long.go`"}, []string{"func SumInvoice"}},
		"no budget":          {"Print an invoice", 1, nil, nil},
		"nothing like it":    {"zebra", 4000, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := code.Quote(t.Context(), p, code.QuoteInput{Folder: dir, About: c.about, Tokens: c.tokens})
			assert.NoError(t, err)
			assert.False(t, c.want == nil && text != "", "%d bytes, %v:\n%s", len(text), err, text)
			assert.True(t, len(text) <= 4*c.tokens, "%d bytes, %v:\n%s", len(text), err, text)
			for _, want := range c.want {
				assert.Contains(t, text, want)
			}
			for _, never := range c.never {
				assert.NotContains(t, text, never)
			}
		})
	}
}

// TestQuote_worktree quotes the code of the worktree that is asked about.
func TestQuote_worktree(t *testing.T) {
	t.Parallel()
	p, dir := shop(t)
	other := filepath.Join(t.TempDir(), "other")
	enginetest.Git(t, dir, "worktree", "add", "-q", "--detach", other)
	enginetest.Write(t, other, "invoice/invoice.go", "package invoice\n\n// PrintInvoice is another.\nfunc PrintInvoice() int { return 7 }\n")
	for folder, want := range map[string]string{dir: `return "invoice"`, other: "return 7"} {
		text, err := code.Quote(t.Context(), p, code.QuoteInput{Folder: folder, About: "print an invoice", Tokens: 4000})
		assert.NoError(t, err)
		assert.Contains(t, text, want)
	}
}

func TestPropose(t *testing.T) {
	t.Parallel()
	p, dir := shop(t)
	if list, err := code.Propose(t.Context(), p, "Print an invoice", 5); err != nil || list != nil {
		t.Fatalf("without an index: %v, %v", list, err)
	}
	_, err := code.Index(t.Context(), p, code.IndexInput{})
	assert.NoError(t, err)
	list, err := code.Propose(t.Context(), p, "Print an invoice", 5)
	assert.NoError(t, err)
	assert.NotEqual(t, 0, len(list))
	assert.Equal(t, "invoice/invoice.go", list[0].Path)
	assert.True(t, len(list) <= 5, "%v, %v", list, err)
	enginetest.Write(t, dir, "warehouse/warehouse.go", "package warehouse\n")
	enginetest.Git(t, dir, "commit", "-qam", "Round amounts in every currency")
	list, err = code.Propose(t.Context(), p, "Round an amount of a currency", 5)
	assert.NoError(t, err, "by a past change")
	assert.Equal(t, 1, len(list), "by a past change")
	assert.Equal(t, "warehouse/warehouse.go", list[0].Path, "by a past change")
	list, err = code.Propose(t.Context(), p, " \n", 5)
	assert.NoError(t, err)
	assert.True(t, list == nil, "about nothing: %v, %v", list, err)
}
