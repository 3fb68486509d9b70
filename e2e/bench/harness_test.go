package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
		if f.Millis <= 0 && f.MiB <= 0 || f.Reference != "" && f.ratio() <= 0 {
			t.Errorf("%+v has no figures", f)
		}
	}
	for _, want := range []string{"--version", "list --json", "ready", "status", "show", "edit, unchanged", "search, top 20", "add", "update",
		"list --json after all files changed", "MCP list(50)", "MCP search", "MCP get", "MCP status", "work, small repository", "work, 100 files",
		"MCP commands, start and first search, 200 prompts", "MCP commands, start and first search, registry of 200",
		"MCP commands, next search, registry of 200"} {
		if !slices.Contains(names, want) {
			t.Errorf("%q was not measured", want)
		}
	}

	dir := t.TempDir()
	results, table := filepath.Join(dir, "results.json"), filepath.Join(dir, "BENCHMARKS.md")
	before := result{Date: "2026-11-22", Figures: []figure{{Row: "show", Specs: 7, Millis: 5}, {Row: "show", Specs: 50, Millis: 1}}}
	if err := os.WriteFile(table, []byte("# Old\n\n## Code\n\nFigures.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.store(before, results, table); err != nil {
		t.Fatal(err)
	}
	stored, err := lastResult(results)
	if _, found := stored.find(figure{Row: "show", Specs: 7}); err != nil || !found || len(stored.Figures) != len(r.Figures)+1 {
		t.Errorf("%d figures are stored, want %d and the one of another size; %v", len(stored.Figures), len(r.Figures), err)
	}
	page, err := os.ReadFile(table)
	if err != nil || !strings.Contains(string(page), "| 50 | list --json |") || !strings.HasSuffix(string(page), " |\n\n## Code\n\nFigures.\n") {
		t.Errorf("%v\n%s", err, page)
	}
}

func TestFigure_compare(t *testing.T) {
	t.Parallel()
	last := result{Date: "2026-11-22", Figures: []figure{{Row: "show", Specs: 10, Millis: 10, MiB: 20, Reference: "show", GitMillis: 5}}}
	f := figure{Row: "show", Specs: 10, Millis: 15, MiB: 10, Reference: "show", GitMillis: 5}
	if got := f.compare(last); !strings.HasSuffix(got, "3.00 x git show (5.00 ms)  since 2026-11-22: time +50 %, ratio +50 %, memory -50 %") {
		t.Error(got)
	}
	if got := (figure{Row: "list", Specs: 10, Millis: 15}).compare(last); strings.Contains(got, "since") {
		t.Error(got)
	}
}

// The specs are realistic in size and kind, and equal each time.
func TestGenerate(t *testing.T) {
	t.Parallel()
	specs := slices.Collect(generate(1000))
	if len(specs) != 1000 || !slices.Equal(specs, slices.Collect(generate(1000))) {
		t.Fatalf("%d specs, or others the second time", len(specs))
	}
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
	if size /= len(specs); size < 1500 || size > 1900 {
		t.Errorf("a spec has %d bytes", size)
	}
	for name, limits := range map[string][2]int{"completed": {70, 130}, "dependent": {150, 250}, "driver": {40, 60}, "member": {80, 120}} {
		if count[name] < limits[0] || count[name] > limits[1] {
			t.Errorf("%d of 1000 specs are %s, want %v", count[name], name, limits)
		}
	}
}

func TestVMRSS(t *testing.T) {
	t.Parallel()
	if got, err := vmRSS("Name:\tchant\nVmRSS:\t   10240 kB\n"); err != nil || got != 10<<20 {
		t.Errorf("%d, %v", got, err)
	}
	for _, bad := range []string{"", "VmRSS: x kB"} {
		if _, err := vmRSS(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
