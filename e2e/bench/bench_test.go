package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// The environment variables that change a measurement.
const (
	sizesVariable  = "CHANT_BENCH_SPECS" // numbers of specs, separated by commas
	defaultSizes   = "1000,10000"
	updateVariable = "UPDATE" // not empty to store the result
)

// How often things are measured.
const (
	processRuns = 7
	serverCalls = 51
	manyFiles   = 10_000
)

// TestMain puts the projects into memory where that is possible, unless TMPDIR names a folder.
func TestMain(m *testing.M) {
	if folder := memoryFolder(); folder != "" && os.Getenv("TMPDIR") == "" {
		if err := os.Setenv("TMPDIR", folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// BenchmarkChant measures everything once, however often it is called, and prints one line for each figure.
func BenchmarkChant(b *testing.B) {
	if b.N > 1 {
		return
	}
	last, err := lastResult(resultsFile)
	assert.NoError(b, err)
	r := result{Date: time.Now().UTC().Format(time.DateOnly), Machine: thisMachine()}
	fmt.Println(r.Machine)
	if last.Date != "" && last.Machine.CPU != r.Machine.CPU {
		fmt.Printf("the last result is of another processor, %s: compare the ratios only\n", last.Machine.CPU)
	}
	debug.SetGCPercent(10) // see writeSpecs
	report := func(f figure) {
		r.Figures = append(r.Figures, f)
		fmt.Println(f.compare(last))
	}
	var sizes []int
	value, set := os.LookupEnv(sizesVariable)
	if !set {
		value = defaultSizes
	}
	for size := range strings.SplitSeq(value, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		assert.NoError(b, err, "invalid %q", value)
		assert.True(b, n >= 20, "invalid %s %q (use numbers from 20, separated by commas)", sizesVariable, value)
		sizes = append(sizes, n)
	}
	measureAll(b, sizes, amounts{manyFiles, manyCommands, processRuns, serverCalls}, report)
	if os.Getenv(updateVariable) != "" {
		assert.NoError(b, r.store(last, resultsFile, tableFile))
	}
}

// amounts say how much there is besides specs, and how often things are measured.
type amounts struct{ files, commands, runs, calls int }

// measureAll measures every row at each number of specs, runs of specs in a small and in a large repository, and
// searches for commands.
func measureAll(b testing.TB, sizes []int, of amounts, report func(figure)) {
	b.Helper()
	chant := build(b)
	for _, size := range sizes {
		p := newProject(b, chant, size, 0)
		p.run(chant, "list") // what chant keeps between commands exists then, as it usually does
		measure(p.queries(), size, of.runs, report)
		p.git("checkout", "-q", "--", ".")
		p.run(chant, "list")
		p.measureServer(of.calls, report)
	}
	for _, r := range []struct {
		name  string
		files int
	}{{"small repository", 0}, {fmt.Sprintf("%d files", of.files), of.files}} {
		p := newProject(b, chant, 20, r.files)
		measure(p.runs(r.name, of.runs), 0, of.runs, report)
	}
	measureCommands(b, chant, of.commands, of.runs, of.calls, report)
}

// build builds chant with the flags of the end-to-end tests, whose compiled packages it so uses.
func build(b testing.TB) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "chant")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-race=false", "-o", path, "chant/cmd/chant")
	out, err := cmd.CombinedOutput()
	assert.NoError(b, err, "%s", out)
	return path
}
