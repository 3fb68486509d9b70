package exchange

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
)

// everyField is a workspace in which each key of tasks and sprints occurs.
func everyField() map[string]string {
	return map[string]string{
		"config.yml":      "# settings\ndefault:\n  project: AUTH\nissue:\n  states: [Todo, Doing, NeedsReview, Done]\n",
		"AUTH/config.yml": "project: {name: Auth Service}\n",
		"AUTH/1.yml": `title: "Log in: with #hash and *stars*  "
status: NeedsReview
priority: High
type: Feature
reporter: ada
assignee: bob
created: 2026-08-07T22:48:10.853176+00:00
modified: 2026-08-08T23:14:55.704290+00:00
due_date: 2026-12-01
effort: 2d
acceptance_criteria:
- It works
- "It is tested: twice"
relationships:
  depends_on: [AUTH-2, AUTH-99]
  blocks: [AUTH-3]
  related: [AUTH-2]
  parent: AUTH-4
  children: [WEB-1]
  fixes: [AUTH-3, WEB-7]
  duplicate_of: AUTH-2
comments:
- date: 2026-08-07T22:48:23.019100+00:00
  text: |
    First line
      indented: yes

    Last line
- date: 2026-08-07T22:50:00+00:00
  author: bob
  text: "short"
references:
- link: https://example.com/a?b=c#d
- code: src/main.rs#10-20
- file: README.md
- jira: PROJ-12
- github: org/repo#7
- page: unknown kind
sprints: [1, 42]
subtitle: A second line
description: |
  # A heading of level 1

  Text with ` + "`code`" + ` and a list:
  - [ ] a box that is not a criterion

  ## Output

  Not what a run has printed.
tags: [login, "two words", "true"]
custom_fields:
  product: Platform
  areas: [a, b]
  count: 3
  ratio: 1.50
  deep: {x: [1, {y: null}], when: 2026-01-02}
history:
- at: 2026-08-07T22:48:23.013415+00:00
  actor: ada
  changes:
  - {field: status, old: Todo, new: NeedsReview}
  - {field: assignee, new: bob}
unknown_key: {kept: [yes, 1]}
`,
		"AUTH/2.yml":  "title: Done long ago\nstatus: done\npriority: low\ntask_type: Bug\ncreated: 2026-08-01T10:00:00Z\nacceptance_criteria: [It is over]\nhistory:\n- at: 2026-08-02T00:00:00Z\n  changes:\n  - {field: status, old: Todo, new: Done}\n",
		"AUTH/3.yml":  "title: 2026\nstatus: Todo\ncreated: 2026-08-01T11:00:00Z\ndescription: |\n  Text.\n\n  ## Acceptance Criteria\n  - [ ] Its own\n",
		"AUTH/4.yml":  "title: &t Only a title\nsubtitle: *t\n",
		"AUTH/10.yml": "title: Ten\nstatus: Doing\ncreated: 2026-08-01T12:00:00Z\ntags: []\ncustom_fields: {}\nassignee: null\n",
		"WEB/1.yml":   "title: Web\nstatus: Todo\npriority: Medium\ntype: Chore\ncreated: not a time\ndescription: \"a\\r\\nb  \\n\\n\"\n",
		"@sprints/1.yml": `created: 2026-08-01T00:00:00+00:00
modified: 2026-08-02T00:00:00+00:00
plan:
  label: First
  goal: To begin
  length: 2w
  starts_at: 2026-08-03
  ends_at: 2026-08-17
  capacity: {points: 20, hours: 80}
  overdue_after: 1d
  notes: |
    Notes.

    More of them.
  mood: good
actual:
  started_at: 2026-08-03T09:00:00+00:00
  closed_at: 2026-08-17T09:00:00+00:00
tasks: [WEB-1, AUTH-1, GONE-1]
history:
- at: 2026-08-02T00:00:00+00:00
  actor: ada
  changes:
  - {field: plan.label, new: First}
`,
		"@sprints/2.yml": "plan: {}\ntasks:\n- {id: AUTH-3}\n- {id: AUTH-10}\n",
	}
}

// writeAll writes files below a folder.
func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		enginetest.Write(t, dir, name, text)
	}
}

// yamlFiles reads all YAML files below a folder, as values that can be compared.
func yamlFiles(t *testing.T, dir string) map[string]any {
	t.Helper()
	out := map[string]any{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".yml" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var root yaml.Node
		if err := yaml.Unmarshal(src, &root); err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if len(root.Content) > 0 {
			out[filepath.ToSlash(name)] = jsonValue(root.Content[0], 0)
		}
		return err
	})
	assert.NoError(t, err)
	return out
}

// compareFiles reports each difference between two directories of lotar.
func compareFiles(t *testing.T, got, want string) {
	t.Helper()
	have, wanted := yamlFiles(t, got), yamlFiles(t, want)
	a, b := slices.Sorted(maps.Keys(have)), slices.Sorted(maps.Keys(wanted))
	assert.Equal(t, b, a)
	for name, value := range wanted {
		if reflect.DeepEqual(have[name], value) {
			continue
		}
		a, _ := have[name].(map[string]any)
		b, _ := value.(map[string]any)
		for key := range b {
			assert.Equal(t, b[key], a[key], "%s: %s", name, key)
		}
		for key := range a {
			_, has := b[key]
			assert.True(t, has, "%s has the new key %s: %#v", name, key, a[key])
		}
	}
}

// lines returns what of a text contains a word.
func lines(text, word string) (out []string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}
