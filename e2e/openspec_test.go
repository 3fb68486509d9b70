package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"github.com/rogpeppe/go-internal/txtar"
)

// openspecTool runs the tool of OpenSpec in a folder.
type openspecTool struct {
	t         *testing.T
	node, bin string
	env       []string
}

// findOpenSpec returns the tool from the npm folder, or skips the test.
func findOpenSpec(t *testing.T, p *project) openspecTool {
	t.Helper()
	node, modules := npmPackage(t, "@fission-ai/openspec")
	p.env = append(p.env, "TZ=UTC", "OPENSPEC_TELEMETRY=0", "DO_NOT_TRACK=1", "CI=true")
	return openspecTool{t, node, filepath.Join(modules, "@fission-ai", "openspec", "bin", "openspec.js"), p.env}
}

// run returns what the tool prints; its exit code says whether something is invalid and is not an error.
func (o openspecTool) run(dir string, args ...string) string {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), o.node, append([]string{o.bin}, args...)...)
	cmd.Dir, cmd.Env = dir, o.env
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		o.t.Fatal(err)
	}
	return string(out)
}

// openspecVerdicts is what `openspec validate --json` prints.
type openspecVerdicts struct {
	Items []struct {
		ID, Type string
		Valid    bool
		Issues   []struct{ Level, Message string }
	}
}

func (o openspecTool) validate(dir string, args ...string) (v openspecVerdicts) {
	o.t.Helper()
	out := o.run(dir, append([]string{"validate", "--all", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		o.t.Fatalf("%v\n%.2000s", err, out)
	}
	return v
}

// bowing is a change with deltas of every kind, and the specs that it is about.
const bowing = `
-- openspec/specs/greeting/spec.md --
# greeting Specification

## Purpose

It greets people who start the program, so that they see that it runs at all.

## Requirements

### Requirement: Greeting

The program SHALL greet.

#### Scenario: Start

- **WHEN** it starts
- **THEN** it greets

### Requirement: Waving

The program SHALL wave.

#### Scenario: End

- **WHEN** it ends
- **THEN** it waves

### Requirement: Shouting

The program SHALL shout.

#### Scenario: Error

- **WHEN** it fails
- **THEN** it shouts
-- openspec/changes/add-bow/proposal.md --
# Change: Add a bow

## Why

People who start the program want to be bowed to, because a greeting alone is a little dry.

## What Changes

- A bow.
-- openspec/changes/add-bow/tasks.md --
## 1. The bow

- [ ] 1.1 Write bow.sh
- [ ] 1.2 Try it
-- openspec/changes/add-bow/specs/bow/spec.md --
## Purpose

It bows to people who start the program, so that they feel welcome in it.

## ADDED Requirements

### Requirement: Bowing

The program SHALL bow.

#### Scenario: Start

- **WHEN** it starts
- **THEN** it bows
-- openspec/changes/add-bow/specs/greeting/spec.md --
## RENAMED Requirements

- FROM: ` + "`### Requirement: Waving`" + `
- TO: ` + "`### Requirement: Nodding`" + `

## REMOVED Requirements

### Requirement: Shouting

**Reason**: It is loud.

## MODIFIED Requirements

### Requirement: Greeting

The program SHALL greet aloud.

#### Scenario: Start

- **WHEN** it starts
- **THEN** it greets aloud

## ADDED Requirements

### Requirement: Smiling

The program SHALL smile.

#### Scenario: Always

- **WHEN** it runs
- **THEN** it smiles
`

// TestOpenSpec_land: a change made with the real tool is worked and landed by chant, and what that writes is byte for
// byte what `openspec archive` writes.
func TestOpenSpec_land(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/format/openspec")
	p := newProject(t)
	tool := findOpenSpec(t, p)
	tool.run(p.dir, "init", "--tools", "none", ".")
	tool.run(p.dir, "new", "change", "add-bow")
	for _, f := range txtar.Parse([]byte(bowing)).Files {
		p.write(f.Name, string(f.Data))
	}
	p.git("add", "openspec")
	p.git("commit", "-q", "-m", "openspec")
	assert.Contains(t, tool.run(p.dir, "list", "--json"), `"in-progress"`)
	for _, item := range tool.validate(p.dir, "--strict").Items {
		assert.True(t, item.Valid, "%+v", item)
	}
	id := p.adoptOne("openspec/changes/add-bow")
	ticked := "sed -i.bak 's/\\[ \\]/[x]/' openspec/changes/add-bow/tasks.md; rm openspec/changes/add-bow/*.bak"
	script := ticked + "; echo bow > bow.sh; for n in 3 4 5; do chant check " + id + " $n >&2; done"
	spec := filepath.Join(".chant", "specs", id+".md")
	p.write(spec, p.read(spec)+"\n## Script\n\n```sh\n"+script+"\n```\n")

	other := t.TempDir()
	assert.NoError(t, os.CopyFS(filepath.Join(other, "openspec"), os.DirFS(filepath.Join(p.dir, "openspec"))))
	tick := exec.CommandContext(t.Context(), "sh", "-c", ticked)
	tick.Dir = other
	assert.NoError(t, tick.Run(), "the tasks were not ticked")
	tool.run(other, "archive", "add-bow", "--yes")
	p.chant("work", id)

	want, got := openspecFiles(t, other), openspecFiles(t, p.dir)
	for name, text := range want {
		assert.Equal(t, text, got[name], "%s:", name)
	}
	assert.Equal(t, len(want), len(got))
	assert.NotEqual(t, "", got["changes/archive/DAY-add-bow/proposal.md"])
	assert.NotEqual(t, "", got["specs/bow/spec.md"])
	for _, args := range [][]string{{"list", "--json"}, {"list", "--specs", "--json"}, {"validate", "--all", "--strict", "--json"}} {
		ours, theirs := timeless(tool.run(p.dir, args...)), timeless(tool.run(other, args...))
		assert.Equal(t, theirs, ours, "%q", args)
	}
	assert.Equal(t, "", p.git("status", "--porcelain"))
	p.chant("ci")
}

// adoptOne adopts a folder and returns the id of its spec.
func (p *project) adoptOne(dir string) string {
	p.t.Helper()
	var r struct{ Adopted []struct{ ID string } }
	if err := json.Unmarshal([]byte(p.chant("adopt", dir, "--json")), &r); err != nil || len(r.Adopted) != 1 {
		p.t.Fatalf("%+v, %v", r, err)
	}
	return r.Adopted[0].ID
}

// openspecFiles reads all files of the folder openspec, with DAY for the days in names of the archive.
func openspecFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	day := regexp.MustCompile(`archive/\d{4}-\d\d-\d\d-`)
	out := map[string]string{}
	top := filepath.Join(dir, "openspec")
	err := filepath.WalkDir(top, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, relErr := filepath.Rel(top, name)
		out[day.ReplaceAllString(filepath.ToSlash(rel), "archive/DAY-")] = string(text)
		return errors.Join(err, relErr)
	})
	assert.NoError(t, err)
	return out
}

// timeless removes durations, times and the folder from what the tool prints.
func timeless(text string) string {
	return regexp.MustCompile(`"(durationMs|lastModified|path|version)": *[^,\n}]*`).ReplaceAllString(text, "$1")
}

// TestOpenSpec_lint: lint has the verdict of `openspec validate --all` on more than 60 changes that are broken in one way
// each, with the same messages.
func TestOpenSpec_lint(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/format/openspec")
	p := newProject(t)
	tool := findOpenSpec(t, p)
	cases, err := txtar.ParseFile(filepath.Join("..", "engine", "format", "openspec", "testdata", "cases", "broken.txtar"))
	assert.NoError(t, err)
	for _, f := range cases.Files {
		words := strings.Fields(f.Name) // crlf and bom say how a file is written
		text := string(f.Data)
		if slices.Contains(words, "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if slices.Contains(words, "bom") {
			text = "\uFEFF" + text
		}
		p.write(filepath.Join("openspec", filepath.FromSlash(words[0])), text)
	}
	p.git("add", "openspec")
	p.git("commit", "-q", "-m", "openspec")
	var adopted struct {
		Adopted []struct{ ID, Source string }
	}
	assert.NoError(t, json.Unmarshal([]byte(p.chant("adopt", "--json")), &adopted))
	ours := p.lintSources()
	sources := map[string]string{}
	for _, a := range adopted.Adopted {
		sources[strings.TrimPrefix(a.Source, "openspec/changes/")] = a.ID
	}
	reason := regexp.MustCompile(`(?s)Fix the metadata \(.*`) // is worded differently
	compared, invalid := 0, 0
	for _, item := range tool.validate(p.dir).Items {
		id, known := sources[item.ID]
		if item.Type != "change" || !known {
			continue
		}
		var want []string
		for _, issue := range item.Issues {
			if issue.Level != "INFO" {
				want = append(want, fmt.Sprintf("%s: %s", strings.ToLower(issue.Level), reason.ReplaceAllString(issue.Message, "")))
			}
		}
		for i, said := range ours[id] {
			ours[id][i] = reason.ReplaceAllString(said, "")
		}
		slices.Sort(want)
		assert.Equal(t, want, ours[id], "%s", item.ID)
		if compared++; !item.Valid {
			invalid++
		}
	}
	assert.True(t, compared >= 60, "only %d changes were compared, %d of them invalid", compared, invalid)
	assert.True(t, invalid >= 30, "only %d changes were compared, %d of them invalid", compared, invalid)
	t.Logf("%d changes have the same verdict and messages, %d of them are invalid", compared, invalid)
}

// lintSources returns what lint says of adopted changes, by the ids of their specs: severity and message, sorted.
func (p *project) lintSources() map[string][]string {
	p.t.Helper()
	stdout, _, _ := p.try(nil, "lint", "--json", "--limit", "10000")
	var r struct {
		Diagnostics []struct {
			ID       string `json:"spec_id"`
			Rule     string
			Severity string
			Message  string
		}
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		p.t.Fatalf("%v\n%.2000s", err, stdout)
	}
	out := map[string][]string{}
	for _, d := range r.Diagnostics {
		if d.Rule == "openspec" {
			out[d.ID] = append(out[d.ID], d.Severity+": "+d.Message)
		}
	}
	for id := range out {
		slices.Sort(out[id])
	}
	return out
}
