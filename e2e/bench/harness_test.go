package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestHarness runs every measurement once on a small project, and stores the result in a folder of its own.
func TestHarness(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds chant and starts it often")
	}
	r := result{Date: "2026-11-23", Machine: thisMachine()}
	measureAll(t, []int{50}, amounts{files: 100, commands: 200, runs: 1, calls: 1}, func(f figure) { r.Figures = append(r.Figures, f) })
	var names []string
	for _, f := range r.Figures {
		names = append(names, f.Row)
		assert.False(t, f.Millis <= 0 && f.MiB <= 0, "%+v has no figures", f)
		assert.False(t, f.Reference != "" && f.ratio() <= 0, "%+v has no figures", f)
	}
	for _, want := range []string{"--version", "list --json", "ready", "status", "show", "edit, unchanged", "search, top 20", "add", "update",
		"list --json after all files changed", "MCP list(50)", "MCP search", "MCP get", "MCP status", "work, small repository", "work, 100 files",
		"MCP commands, start and first search, 200 prompts", "MCP commands, start and first search, registry of 200",
		"MCP commands, next search, registry of 200"} {
		assert.SliceContains(t, names, want)
	}

	dir := t.TempDir()
	results, table := filepath.Join(dir, "results.json"), filepath.Join(dir, "BENCHMARKS.md")
	before := result{Date: "2026-11-22", Figures: []figure{{Row: "show", Specs: 7, Millis: 5}, {Row: "show", Specs: 50, Millis: 1}}}
	assert.NoError(t, os.WriteFile(table, []byte("# Old\n\n## Code\n\nFigures.\n"), 0o644))
	assert.NoError(t, r.store(before, results, table))
	stored, err := lastResult(results)
	_, found := stored.find(figure{Row: "show", Specs: 7})
	assert.NoError(t, err)
	assert.True(t, found, "%d figures are stored, want %d and the one of another size; %v", len(stored.Figures), len(r.Figures), err)
	assert.Equal(t, len(r.Figures)+1, len(stored.Figures))
	page, err := os.ReadFile(table)
	assert.NoError(t, err, "%s", page)
	assert.Contains(t, string(page), "| 50 | list --json |")
	assert.HasSuffix(t, string(page), " |\n\n## Code\n\nFigures.\n")
}

func TestFigure_compare(t *testing.T) {
	t.Parallel()
	last := result{Date: "2026-11-22", Figures: []figure{{Row: "show", Specs: 10, Millis: 10, MiB: 20, Reference: "show", GitMillis: 5}}}
	f := figure{Row: "show", Specs: 10, Millis: 15, MiB: 10, Reference: "show", GitMillis: 5}
	assert.HasSuffix(t, f.compare(last), "3.00 x git show (5.00 ms)  since 2026-11-22: time +50 %, ratio +50 %, memory -50 %")
	assert.NotContains(t, (figure{Row: "list", Specs: 10, Millis: 15}).compare(last), "since")
}

// The specs are realistic in size and kind, and equal each time.
func TestGenerate(t *testing.T) {
	t.Parallel()
	specs := slices.Collect(generate(1000))
	assert.Equal(t, 1000, len(specs))
	assert.Equal(t, slices.Collect(generate(1000)), specs)
	size, count := 0, map[string]int{}
	for _, s := range specs {
		size += len(s.text)
		for name, mark := range map[string]string{"completed": "status: completed", "dependent": "depends_on:", "driver": "type: driver"} {
			if strings.Contains(s.text, mark) {
				count[name]++
			}
		}
		if strings.Contains(s.id, ".") {
			count["member"]++
		}
	}
	size /= len(specs)
	assert.True(t, size >= 1500, "a spec has %d bytes", size)
	assert.True(t, size <= 1900, "a spec has %d bytes", size)
	for name, limits := range map[string][2]int{"completed": {70, 130}, "dependent": {150, 250}, "driver": {40, 60}, "member": {80, 120}} {
		assert.True(t, count[name] >= limits[0], "%d of 1000 specs are %s, want %v", count[name], name, limits)
		assert.True(t, count[name] <= limits[1], "%d of 1000 specs are %s, want %v", count[name], name, limits)
	}
}

func TestVMRSS(t *testing.T) {
	t.Parallel()
	got, err := vmRSS("Name:\tchant\nVmRSS:\t   10240 kB\n")
	assert.NoError(t, err)
	assert.Equal(t, 10<<20, got)
	for _, bad := range []string{"", "VmRSS: x kB"} {
		_, err := vmRSS(bad)
		assert.Error(t, err, "%q is accepted", bad)
	}
}
