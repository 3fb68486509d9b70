package author

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/enginetest"
	"chant/engine/verify/linter"

	"github.com/alecthomas/assert/v2"
)

// TestAdd_files proposes target files once code has been indexed, and names the open specs that are about the same
// files.
func TestAdd_files(t *testing.T) {
	t.Parallel()
	p, dir := filed(t, map[string]string{
		numbered("001"): with("status: pending\ntarget_files: [invoice.go]\n"),
		numbered("002"): with("status: completed\ntarget_files: [invoice.go]\n"),
		numbered("003"): with("status: pending\n"),
	})
	enginetest.Commit(t, dir, map[string]string{
		"invoice.go":  "package shop\n\n// PrintInvoice prints it.\nfunc PrintInvoice() {}\n",
		"delivery.go": "package shop\n\n// Deliver sends it.\nfunc Deliver() {}\n",
	})
	var warned []string
	p.Progress = func(ev engine.Event) { warned = append(warned, ev.Text) }
	add := func(in AddInput) AddResult {
		t.Helper()
		warned, in.Criteria, in.Provider = nil, []string{"it runs `$ true`"}, "claude"
		r, err := Add(t.Context(), p, in)
		assert.NoError(t, err)
		return r
	}
	r := add(AddInput{Description: "Print an invoice"})
	assert.True(t, r.Proposed == nil, "without an index: %+v, %q", r, warned)
	assert.True(t, r.Sharing == nil, "without an index: %+v, %q", r, warned)
	assert.True(t, warned == nil, "without an index: %+v, %q", r, warned)
	_, err := code.Index(t.Context(), p, code.IndexInput{})
	assert.NoError(t, err)
	proposed, shared := "it names no target files; it may be about invoice.go; next: chant edit ", "open specs are about the same files, and none waits for the other: "
	for name, c := range map[string]struct {
		in       AddInput
		proposed string
		sharing  string
		warned   []string
	}{
		"none named":           {AddInput{Description: "Print an invoice"}, "invoice.go", numbered("001"), []string{proposed, shared + numbered("001")}},
		"named":                {AddInput{Description: "Print it", TargetFiles: []string{"*.go"}}, "", numbered("001"), []string{shared}},
		"named and waiting":    {AddInput{Description: "Print it", TargetFiles: []string{"invoice.go"}, DependsOn: []string{"001"}}, "", "", nil},
		"nothing like it":      {AddInput{Description: "Zebra"}, "", "", nil},
		"a driver has members": {AddInput{Description: "Print an invoice", Type: "driver"}, "", "", nil},
	} {
		r := add(c.in)
		fits := strings.Join(r.Proposed, " ") == c.proposed && strings.HasPrefix(strings.Join(r.Sharing, " "), c.sharing) && (c.sharing != "" || len(r.Sharing) == 0) && len(warned) == len(c.warned)
		for i := range min(len(warned), len(c.warned)) {
			fits = fits && strings.HasPrefix(warned[i], c.warned[i])
		}
		assert.True(t, fits, "%s: proposed %q, sharing %q, warned %q", name, r.Proposed, r.Sharing, warned)
		enginetest.Git(t, dir, "rm", "-q", r.Path) // the next one shares nothing with it
		enginetest.Git(t, dir, "commit", "-qm", "Remove a spec")
	}
	linted, err := linter.Lint(t.Context(), p, linter.LintInput{ID: "003"})
	assert.NoError(t, err)
	assert.Equal(t, 1, len(linted.Scores))
	assert.True(t, linted.Scores[0].Proposed == nil, "%+v, %v", linted, err)
	enginetest.Write(t, dir, ".chant/specs/"+numbered("003")+".md", "---\nstatus: pending\n---\n# Print invoices\n")
	linted, err = linter.Lint(t.Context(), p, linter.LintInput{ID: "003"})
	assert.NoError(t, err)
	assert.Equal(t, []string{"invoice.go"}, linted.Scores[0].Proposed)
	assert.SliceContains(t, linted.Scores[0].Suggestions, "name its target_files; likely are invoice.go")
}
