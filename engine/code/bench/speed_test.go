package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

// workplace is a git repository with a copy of Go's library, and chant.
type workplace struct {
	testing.TB
	dir, chant string
}

// newWorkplace copies all files, or the first Go files if there is a limit.
func newWorkplace(b *testing.B, most int) *workplace {
	b.Helper()
	top := b.TempDir()
	w := &workplace{b, filepath.Join(top, "library"), filepath.Join(top, "chant")}
	out, err := exec.Command("go", "build", "-o", w.chant, "chant/cmd/chant").CombinedOutput()
	assert.NoError(b, err, "%s", out)
	w.copy(goroot(b), most)
	w.run("git", "init", "-q")
	w.run("git", "config", "gc.auto", "0") // a commit of so many files would let git pack them while chant indexes
	w.run("git", "add", "-A")
	w.run("git", "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-q", "-m", "library")
	return w
}

func (w *workplace) copy(from string, most int) {
	w.Helper()
	if most == 0 {
		if err := os.CopyFS(w.dir, os.DirFS(from)); err != nil {
			w.Fatal(err)
		}
		return
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || most == 0 {
			return err
		}
		most--
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		w.Fatal(err)
	}
}

// run runs a command in the repository, and returns what it prints, how long it took, and its greatest memory in bytes,
// which is 0 where the system does not tell.
func (w *workplace) run(name string, args ...string) (out string, took time.Duration, memory float64) {
	w.Helper()
	return w.runIn(w.dir, name, args...)
}

func (w *workplace) runIn(dir, name string, args ...string) (out string, took time.Duration, memory float64) {
	w.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	begin := time.Now()
	text, err := c.Output()
	if took = time.Since(begin); err != nil {
		w.Fatalf("%s %q: %v\n%s", name, args, err, errs.String())
	}
	return string(text), took, memoryOf(c.ProcessState)
}

// median runs a command several times, each time after something was done.
func (w *workplace) median(before func(n int), name string, args ...string) time.Duration {
	w.Helper()
	var times []time.Duration
	for n := range 9 {
		if before != nil {
			before(n)
		}
		_, took, _ := w.run(name, args...)
		times = append(times, took)
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// counts is what an index says about itself.
func (w *workplace) counts(dir string) (indexed, total, chunks float64) {
	w.Helper()
	out, _, _ := w.runIn(dir, w.chant, "index", "--json")
	var all map[string]any
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		w.Fatal(err)
	}
	number := func(name string) float64 { n, _ := all[name].(float64); return n }
	return number("indexed_files"), number("total_files"), number("total_chunks")
}

// BenchmarkSpeed measures whole commands and a server with Go's library, beside git with the same files.
func BenchmarkSpeed(b *testing.B) {
	w := newWorkplace(b, 0)
	for b.Loop() {
		_, first, memory := w.run(w.chant, "index")
		_, total, chunks := w.counts(w.dir)
		b.ReportMetric(total/first.Seconds(), "files/s")
		b.ReportMetric(memory/(1<<20), "MiB-indexing")
		b.ReportMetric(chunks, "chunks")
		b.ReportMetric(w.share(), "index/text")

		status := w.median(nil, "git", "status", "--short")
		for name, took := range map[string]time.Duration{
			"unchanged": w.median(nil, w.chant, "index"),
			"changed":   w.median(w.change, w.chant, "code", "ZqChanged", "--limit", "1", "--lines", "0"),
			"search":    w.median(nil, w.chant, "code", "read a directory entry", "--limit", "10"),
		} {
			b.ReportMetric(took.Seconds()*1000, "ms-"+name)
			b.ReportMetric(took.Seconds()/status.Seconds(), name+"/git-status")
		}
		tree := filepath.Join(b.TempDir(), "tree")
		w.run("git", "worktree", "add", "-q", tree)
		begin := time.Now()
		indexed, _, _ := w.counts(tree)
		b.ReportMetric(float64(time.Since(begin).Milliseconds()), "ms-worktree")
		b.ReportMetric(indexed, "files-read-in-worktree")
	}
}

// BenchmarkServer measures a server with about 35,000 pieces of code.
func BenchmarkServer(b *testing.B) {
	w := newWorkplace(b, 3350)
	w.run(w.chant, "index")
	_, _, chunks := w.counts(w.dir)
	_, cold, memory := w.run(w.chant, "code", "read a directory entry") // a child of a large process seems as large
	questions := library(b).questions
	for b.Loop() {
		b.ReportMetric(chunks, "chunks")
		b.ReportMetric(cold.Seconds()*1000, "ms-cold-search")
		b.ReportMetric(memory/(1<<20), "MiB-cold-search")
		w.serve(b, questions)
	}
}

// change appends a function to a file.
func (w *workplace) change(n int) {
	w.Helper()
	f, err := os.OpenFile(filepath.Join(w.dir, "fmt", "print.go"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		w.Fatal(err)
	}
	_, err = fmt.Fprintf(f, "\nfunc ZqChanged%d() {}\n", n)
	if closing := f.Close(); err != nil || closing != nil {
		w.Fatal(err, closing)
	}
}

// share is the size of the index beside that of all files.
func (w *workplace) share() float64 {
	w.Helper()
	var text int64
	err := filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			if err != nil {
				return err
			}
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			text += info.Size()
		}
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(w.dir, ".git", "chant", "index.db"))
	if err != nil {
		w.Fatal(err)
	}
	return float64(info.Size()) / float64(text)
}

// serve asks a server 200 questions, which are comments of the library.
func (w *workplace) serve(b *testing.B, questions []question) {
	b.Helper()
	c := exec.Command(w.chant, "mcp", "--toolsets", "code")
	c.Dir = w.dir
	in, err := c.StdinPipe()
	assert.NoError(b, err)
	out, err := c.StdoutPipe()
	assert.NoError(b, err)
	assert.NoError(b, c.Start())
	lines := bufio.NewReaderSize(out, 1<<20)
	ask := func(id int, method string, params any) time.Duration {
		b.Helper()
		text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		assert.NoError(b, err)
		begin := time.Now()
		_, err = in.Write(append(text, '\n'))
		assert.NoError(b, err)
		reply, err := lines.ReadString('\n')
		assert.NoError(b, err)
		assert.NotContains(b, reply, `"isError":true`)
		return time.Since(begin)
	}
	ask(1, "initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"}})
	b.ReportMetric(memoryNow(c.Process.Pid)/(1<<20), "MiB-idle")
	search := func(id int, query string) time.Duration {
		return ask(id, "tools/call", map[string]any{"name": "search_code", "arguments": map[string]any{"query": query, "path": w.dir}})
	}
	search(2, "warm up")
	var times []time.Duration
	for i := range 200 {
		times = append(times, search(3+i, questions[i*len(questions)/200].text))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[100].Microseconds())/1000, "ms-server-p50")
	b.ReportMetric(float64(times[190].Microseconds())/1000, "ms-server-p95")
	b.ReportMetric(memoryNow(c.Process.Pid)/(1<<20), "MiB-answering")
	assert.NoError(b, in.Close())
	_, _ = io.Copy(io.Discard, out)
	assert.NoError(b, c.Wait())
}
