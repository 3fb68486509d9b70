package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// The files in which a result is stored.
const (
	resultsFile = "results.json"
	tableFile   = "../../BENCHMARKS.md"
)

// result is everything that was measured at one time.
type result struct {
	Date    string   `json:"date"`
	Machine machine  `json:"machine"`
	Figures []figure `json:"figures"`
}

// lastResult reads the stored result; it is empty if there is none.
func lastResult(path string) (result, error) {
	var r result
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

// store writes the result and the page that shows it. Figures for numbers of specs that were not measured this time
// stay.
func (r result) store(last result, resultsPath, tablePath string) error {
	measured := map[int]bool{}
	for _, f := range r.Figures {
		measured[f.Specs] = true
	}
	for _, f := range last.Figures {
		if !measured[f.Specs] {
			r.Figures = append(r.Figures, f)
		}
	}
	// by the number of specs, and those without one at the end
	slices.SortStableFunc(r.Figures, func(a, b figure) int { return cmp.Compare(uint(a.Specs-1), uint(b.Specs-1)) })
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	page, err := os.ReadFile(tablePath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sections := "" // that other benchmarks have written behind the table
	if at := strings.Index(string(page), "\n## "); at >= 0 {
		sections = string(page[at:])
	}
	return errors.Join(
		os.WriteFile(resultsPath, append(text, '\n'), 0o644), os.WriteFile(tablePath, []byte(r.page()+sections), 0o644))
}

// find returns the figure of the same row and number of specs.
func (r result) find(f figure) (figure, bool) {
	for _, other := range r.Figures {
		if other.Row == f.Row && other.Specs == f.Specs {
			return other, true
		}
	}
	return figure{}, false
}

// compare writes a figure and by how many percent it differs from the last result. With git, the ratios are compared.
func (f figure) compare(last result) string {
	line := fmt.Sprintf("%7s  %-36s %10s %10s", f.size(), f.Row, unit(f.Millis, "ms"), unit(f.MiB, "MiB"))
	if f.ratio() > 0 {
		line += fmt.Sprintf("  %6.2f x git %s (%s)", f.ratio(), f.Reference, unit(f.GitMillis, "ms"))
	}
	if most := f.budget(); most > 0 && f.Millis > most {
		line += fmt.Sprintf("  OVER the budget of %.0f ms", most)
	}
	before, found := last.find(f)
	if !found {
		return line
	}
	var changes []string
	for _, c := range []struct {
		what          string
		before, after float64
	}{{"time", before.Millis, f.Millis}, {"ratio", before.ratio(), f.ratio()}, {"memory", before.MiB, f.MiB}} {
		if c.before > 0 && c.after > 0 {
			changes = append(changes, fmt.Sprintf("%s %+.0f %%", c.what, 100*(c.after/c.before-1)))
		}
	}
	return line + "  since " + last.Date + ": " + strings.Join(changes, ", ")
}

// budget is how many milliseconds a figure may take, 0 if that is not fixed. What is within it is not made faster at the price
// of more code, and may become slower where at least 150 lines go with it. BENCHMARKS.md lists what else there is a budget for.
func (f figure) budget() float64 {
	switch {
	case f.Row == "--version":
		return 15
	case f.Specs != 10_000:
		return 0
	case f.Row == "add":
		return f.GitMillis + 40
	}
	return map[string]float64{
		"list --json": 150, "ready": 150, "status": 150, "show": 40, "search, top 20": 80, "MCP get": 3, "MCP list(50)": 40,
	}[f.Row]
}

func (f figure) size() string {
	if f.Specs == 0 {
		return "-"
	}
	return fmt.Sprint(f.Specs)
}

func unit(value float64, name string) string {
	switch {
	case value == 0:
		return "-"
	case value < 10:
		return fmt.Sprintf("%.2f %s", value, name)
	}
	return fmt.Sprintf("%.0f %s", value, name)
}

// page writes BENCHMARKS.md.
func (r result) page() string {
	var b strings.Builder
	b.WriteString("# Benchmarks\n\n" +
		"`make bench` measures chant beside git and compares the figures with these; `make bench-store` replaces them, and\n" +
		"writes this page. Times are medians of whole processes of a freshly built chant, each run followed by one of git. The\n" +
		"MCP rows are requests to a running server. The ratio says how many times as long as git chant took, and is what to\n" +
		"compare between machines. Memory is the most that was resident. Package `e2e/bench` contains the details.\n\n")
	fmt.Fprintf(&b, "Measured on %s:\n%s.\n", r.Date, r.Machine)
	b.WriteString("\n| specs | row | time | memory | nearest of git | its time | ratio | budget |\n|---:|---|---:|---:|---|---:|---:|---:|\n")
	for _, f := range r.Figures {
		reference, ratio := "", ""
		if f.ratio() > 0 {
			reference, ratio = f.Reference, fmt.Sprintf("%.2f", f.ratio())
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n",
			f.size(), f.Row, unit(f.Millis, "ms"), unit(f.MiB, "MiB"), reference, unit(f.GitMillis, "ms"), ratio, unit(f.budget(), "ms"))
	}
	return b.String()
}
